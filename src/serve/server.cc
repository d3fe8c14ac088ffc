#include "serve/server.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>

#include "core/base64.h"
#include "core/error.h"
#include "core/hash.h"

namespace neo {
namespace {

constexpr time_t kWatchMicroseconds = 50'000;
constexpr int kBacklog = 256;
constexpr std::chrono::milliseconds kBetweenEvents{700};
constexpr size_t kSlack = 4096;  // around the file that a page sends
thread_local Connection* t_connection = nullptr;  // whom this thread serves

// What httplib asks for, and ends; the threads outlive it.
class TasksOf : public httplib::TaskQueue {
 public:
  TasksOf(ConnectionPool& pool, std::function<void()> look) : pool_(pool), look_(std::move(look)) {}
  void enqueue(std::function<void()> task) override {
    pool_.enqueue(std::move(task));
    look_();
  }
  void on_idle() override { look_(); }
  void shutdown() override { pool_.shut_down(); }

 private:
  ConnectionPool& pool_;
  std::function<void()> look_;
};

// 'sha256-...' of the content of every <tag>...</tag> of a page.
std::string digests_of(std::string_view page, const std::string& tag) {
  std::string digests;
  const std::string open = "<" + tag + ">";
  const std::string close = "</" + tag + ">";
  for (size_t at = page.find(open); at != std::string_view::npos; at = page.find(open, at)) {
    at += open.size();
    const size_t end = page.find(close, at);
    Sha256 hash;
    hash.update(page.substr(at, end - at));
    digests += fmt::format(" 'sha256-{}'", base64_encode(hash.finish()));
  }
  return digests;
}

}  // namespace

std::string content_security_policy(std::string_view page) {
  return fmt::format(
      "default-src 'none'; script-src{}; style-src{}; img-src data: blob:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      digests_of(page, "script"), digests_of(page, "style"));
}

Server::Server(const ServerOptions& options, Api& api, std::string_view page)
    : options_(options),
      guard_(options.host, options.names),
      api_(api),
      page_(page),
      page_policy_(content_security_policy(page)) {
  options_.limits.request.body = std::max(options_.limits.request.body, api.largest_body());
  if (api.has_workshop()) options_.limits.request.upload = Workshop::kMostBytes / 3 * 4 + kSlack;
  // httplib would share the port with any other process that listens on it.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  new_task_queue = [this] { return new TasksOf(*pool_, [this] { look(); }); };
  set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    return admit(request, response) ? HandlerResponse::Unhandled : HandlerResponse::Handled;
  });
  set_default_headers({{"X-Content-Type-Options", "nosniff"},
                       {"X-Frame-Options", "DENY"},
                       {"Referrer-Policy", "no-referrer"},
                       {"Cross-Origin-Resource-Policy", "same-origin"},
                       {"Cross-Origin-Opener-Policy", "same-origin"},
                       {"Cache-Control", "no-store"}});
  set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty())
      response.set_content(error_json("this cannot be answered"), "application/json");
  });
  set_keep_alive_max_count(static_cast<size_t>(options_.requests));
  set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(options_.limits.idle).count());
  const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
    answer(request, response);
  };
  Get("/.*", handle);
  Post("/.*", handle);
}

int Server::bind() {
  check_exposure(options_);
  pool_ = std::make_unique<ConnectionPool>(options_.connections);
  if (options_.port == 0) {
    options_.port = bind_to_any_port(options_.host);
    if (options_.port <= 0) fail("cannot listen on {}; choose another --host", options_.host);
  } else if (!bind_to_port(options_.host, options_.port)) {
    fail("cannot listen on {} port {}; is it taken? choose another with --port, or 0 for any", options_.host,
         options_.port);
  }
  return options_.port;
}

void Server::run(const std::function<bool()>& ended) {
  ::listen(svr_sock_, kBacklog);  // httplib lets only five wait, and the sixth for a second
  acceptor_ = std::this_thread::get_id();
  ended_ = ended;
  set_idle_interval(0, kWatchMicroseconds);
  listen_after_bind();
}

// On the accepting thread, which needs no other one to watch for the end: one more might not start.
void Server::look() {
  if (stopping_ || !ended_()) return;
  stopping_ = true;
  stop();
}

bool Server::process_and_close_socket(socket_t socket) {
  Connection connection(socket, options_.limits, stopping_, [this] { return pool_->is_crowded(); });
  if (std::this_thread::get_id() == acceptor_.load()) {
    connection.refuse({503, "too many connections at once; try again in a moment"}, /*linger=*/false);
    return false;
  }
  try {
    serve(connection);
  } catch (const std::exception& error) {  // out of memory, say; the other connections go on
    fmt::print(stderr, "neo serve: a connection failed: {}\n", error.what());
  }
  return true;
}

void Server::serve(Connection& connection) {
  t_connection = &connection;
  for (int left = options_.requests; left > 0 && connection.receive(); --left) {
    bool closed = false;
    process_request(connection, /*close_connection=*/left == 1, closed, nullptr);
    if (!connection.flush() || closed) return;
  }
}

// Requests that other sites may have caused are refused before their body is looked at.
bool Server::admit(const httplib::Request& request, httplib::Response& response) const {
  const auto refuse = [&](int status, std::string_view why) {
    response.status = status;
    response.set_content(error_json(why), "application/json");
    return false;
  };
  const std::string host = request.get_header_value("host");
  if (!guard_.knows_host(host))
    return refuse(421, "this server is not known by that name; add it with --allow-host");
  if (!Guard::same_origin(request.get_header_value("origin"), host) ||
      (request.path.starts_with("/api/") && !Guard::same_site(request.get_header_value("sec-fetch-site")))) {
    return refuse(403, "requests from other sites are not answered");
  }
  if (request.method == "POST" && !request.get_header_value("content-type").starts_with("application/json"))
    return refuse(415, "send Content-Type: application/json");
  return options_.token.empty() || admit_by_token(request, response);
}

// The link that was printed leads to the page without the token in its address.
bool Server::admit_by_token(const httplib::Request& request, httplib::Response& response) const {
  if (Guard::knows_token(request.get_header_value("authorization"), request.get_header_value("cookie"), options_.token))
    return true;
  if (request.method == "GET" && request.path == "/" &&
      equal_secrets(request.get_param_value("token"), options_.token)) {
    response.status = 303;
    response.set_header("Location", "/");
    response.set_header("Set-Cookie", token_cookie(options_.token) + "; HttpOnly; SameSite=Strict; Path=/");
    return false;
  }
  response.status = 401;
  response.set_header("WWW-Authenticate", "Bearer");
  response.set_content(error_json("this server needs its token: follow the link that it printed"), "application/json");
  return false;
}

void Server::answer(const httplib::Request& request, httplib::Response& response) {
  if (request.path == "/" && request.method != "POST") {
    response.set_header("Content-Security-Policy", page_policy_);
    response.set_content(page_, "text/html; charset=utf-8");
    return;
  }
  response.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  if (request.method == "GET" && request.path == kDataEvents) return stream_events(request, response);
  if (request.method == "GET" && request.path == kDataTheory) return send_theory(request, response);
  const Answer answer =
      api_.answer(request.method == "HEAD" ? "GET" : request.method, request.path, request.body,
                  [connection = t_connection] { return connection->is_abandoned(); });
  response.status = answer.status;
  response.set_content(answer.json, "application/json");
}

namespace {

void refuse(httplib::Response& response, int status, std::string_view why) {
  response.status = status;
  response.set_content(error_json(why), "application/json");
}

std::string event(std::string_view name, const nlohmann::json& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// What has happened since the last look, as server-sent events; empty where nothing has.
struct EventSource {
  Workshop& workshop;
  std::string id;
  nlohmann::json told = nullptr;
  int64_t stamp = 0;

  std::string next() {
    std::string out;
    nlohmann::json now = workshop.progress(id);
    if (const auto vocabulary = workshop.vocabulary(id, stamp); !vocabulary.is_null()) out += event("vocabulary", vocabulary);
    if (now["state"] != "training" && now["state"] != "counting") now["seconds"] = std::round(now["seconds"].get<double>());
    if (now != told) out = event("progress", now) + out;
    told = std::move(now);
    return out;
  }
};

}  // namespace

// Until the client leaves, the data are forgotten, or the server ends.
void Server::stream_events(const httplib::Request& request, httplib::Response& response) {
  std::shared_ptr<EventSource> source;
  std::string first;
  try {
    source = std::make_shared<EventSource>(EventSource{api_.workshop(), request.get_param_value("data")});
    first = source->next();
  } catch (const ApiError& error) {
    return refuse(response, error.status(), error.what());
  }
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, source, first, connection = t_connection](size_t, httplib::DataSink& sink) mutable {
        std::string events = std::exchange(first, {});
        try {
          if (events.empty()) {
            std::this_thread::sleep_for(kBetweenEvents);
            events = source->next();
          }
        } catch (const Error&) {  // forgotten
          sink.done();
          return true;
        }
        if (stopping_ || connection->is_abandoned()) return false;
        return events.empty() || (sink.write(events.data(), events.size()) && connection->flush());
      });
}

void Server::send_theory(const httplib::Request& request, httplib::Response& response) {
  try {
    response.set_content(api_.workshop().theory(request.get_param_value("data")), "application/octet-stream");
    response.set_header("Content-Disposition", "attachment; filename=\"theory.safetensors\"");
  } catch (const ApiError& error) {
    refuse(response, error.status(), error.what());
  }
}

}  // namespace neo

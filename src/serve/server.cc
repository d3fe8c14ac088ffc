#include "serve/server.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "core/base64.h"
#include "core/error.h"
#include "core/hash.h"

namespace neo {
namespace {

constexpr std::chrono::milliseconds kWatch{50};
constexpr int kBacklog = 256;

// One thread for each connection that is served. Connections beyond that run on the accepting thread, where
// Server turns them away.
class BoundedPool : public httplib::TaskQueue {
 public:
  explicit BoundedPool(int threads) : threads_(threads), pool_(static_cast<size_t>(threads)) {}
  void enqueue(std::function<void()> task) override {
    if (busy_ >= threads_) return task();
    ++busy_;
    pool_.enqueue([this, task = std::move(task)] {
      task();
      --busy_;
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  int threads_;
  std::atomic<int> busy_{0};
  httplib::ThreadPool pool_;
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
  // httplib would share the port with any other process that listens on it.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  new_task_queue = [this] { return new BoundedPool(options_.connections); };
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
  std::atomic<bool> returned{false};
  std::thread watcher([&] {
    while (!returned && !(is_running() && ended())) std::this_thread::sleep_for(kWatch);
    stopping_ = true;
    if (!returned) stop();
  });
  listen_after_bind();
  returned = true;
  watcher.join();
}

bool Server::process_and_close_socket(socket_t socket) {
  Connection connection(socket, options_.limits, stopping_);
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
  return true;
}

void Server::answer(const httplib::Request& request, httplib::Response& response) {
  if (request.path == "/" && request.method != "POST") {
    response.set_header("Content-Security-Policy", page_policy_);
    response.set_content(page_, "text/html; charset=utf-8");
    return;
  }
  response.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  const Answer answer =
      api_.answer(request.method == "HEAD" ? "GET" : request.method, request.path, request.body);
  response.status = answer.status;
  response.set_content(answer.json, "application/json");
}

}  // namespace neo

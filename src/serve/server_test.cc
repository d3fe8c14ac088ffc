#include "serve/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/files.h"
#include "core/isolated.h"
#include "core/testing.h"
#include "serve/testing.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr const char* kPage = "<!doctype html><style>body{}</style><script>1</script><p>explorer</p>";

// A server with a perfect theory behind it, on a port of its own, for as long as it lives.
class Running {
 public:
  explicit Running(ServerOptions options = {}, Workshop* workshop = nullptr)
      : api_(backend_, workshop), server_(with_any_port(options), api_, kPage) {
    port_ = server_.bind();
    thread_ = std::thread([this] { server_.run([this] { return ended_.load(); }); });
  }
  ~Running() {
    ended_ = true;
    thread_.join();
  }
  int port() const { return port_; }
  httplib::Client client() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(20);
    return client;
  }

  // Sends bytes as they are; what comes back until the server closes.
  std::string exchange(const std::string& bytes) const {
    const int socket = connected();
    EXPECT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    std::string answer;
    char block[4096];
    for (ssize_t n; (n = recv(socket, block, sizeof block, 0)) > 0;)
      answer.append(block, static_cast<size_t>(n));
    close(socket);
    return answer;
  }
  int connected() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
  }

 private:
  static ServerOptions with_any_port(ServerOptions options) {
    options.port = 0;
    return options;
  }
  testing::TrueBackend backend_;
  Api api_;
  Server server_;
  int port_ = 0;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

const std::string kExplain = R"({"model": "arithmetic", "x": "000007", "y": "000042"})";

TEST(Server, TellsOfATrainingWhileItGoesOn) {
  testing::TemporaryFolder folder;
  write_file_atomically(folder / "learner", "#!/bin/sh\nsleep 30\n");
  std::filesystem::permissions(folder / "learner", std::filesystem::perms::owner_all);
  Workshop workshop({.minutes = 1, .program = folder / "learner", .vocabulary = {}});
  const std::string id = workshop.receive("a.jsonl", "{\"x\": [1, 2], \"y\": [2, 1]}\n{\"x\": [3, 2], \"y\": [2, 3]}\n").at("data");
  const Running server({}, &workshop);
  std::string heard;
  server.client().Get("/api/data/events?data=" + id, [&](const char* bytes, size_t count) {
    heard.append(bytes, count);
    if (heard.find("\"ready\"") != std::string::npos && heard.find("\"counting\"") == std::string::npos &&
        heard.find("begun") == std::string::npos) {
      workshop.learn(id, 1);
      heard += "begun";
    }
    return heard.find("\"counting\"") == std::string::npos;  // then this client leaves
  });
  EXPECT_EQ(heard.find("event: progress\ndata: {"), 0U) << heard;
  EXPECT_NE(heard.find("\"counting\""), std::string::npos) << heard;
  EXPECT_EQ(server.client().Get("/api/data/events?data=other")->status, 404);
  EXPECT_EQ(server.client().Get("/api/data/theory?data=" + id)->status, 409);
}

TEST(Server, FilesMayBeLargerThanOtherRequestsWhereSomethingCanBeLearned) {
  Workshop workshop({.minutes = 1, .vocabulary = {}});
  const Running server({}, &workshop), without;
  const std::string body = R"({"name": "a.csv", "content": ")" + std::string(4 << 20, 'A') + "\"}";
  EXPECT_EQ(server.client().Post("/api/data/receive", body, "application/json")->status, 400);  // no table
  const auto refused = without.client().Post("/api/data/receive", body, "application/json");
  EXPECT_TRUE(!refused || refused->status == 413);
  const auto other = server.client().Post("/api/explain", body, "application/json");
  EXPECT_TRUE(!other || other->status == 413);
}

TEST(Server, ServesPageAndApi) {
  const Running server;
  auto client = server.client();
  const auto page = client.Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->body, kPage);
  const auto answer = client.Post("/api/explain", kExplain, "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(json::parse(answer->body)["explanation"]["run"]["codes"], json({0, 1}));
}

TEST(Server, PageMayRunItsOwnScriptsOnly) {
  const Running server;
  const auto page = server.client().Get("/");
  ASSERT_TRUE(page);
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_CONTAINS(policy, "default-src 'none'");
  // printf 1 | openssl dgst -sha256 -binary | base64
  EXPECT_CONTAINS(policy, "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='");
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->get_header_value("Access-Control-Allow-Origin"), "");
}

TEST(Server, OneConnectionCarriesManyRequests) {
  const Running server;
  auto client = server.client();
  client.set_keep_alive(true);
  for (int i = 0; i < 50; ++i) {
    const auto answer = client.Post("/api/explain", kExplain, "application/json");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  }
}

TEST(Server, ForeignPagesGetNoAnswers) {
  const Running server;
  const std::string local = "127.0.0.1:" + std::to_string(server.port());
  const auto status = [&](const httplib::Headers& headers, const char* type = "application/json") {
    const auto answer = server.client().Post("/api/explain", headers, kExplain, type);
    return answer ? answer->status : 0;
  };
  EXPECT_EQ(status({{"Host", "evil.example"}}), 421);
  EXPECT_EQ(status({{"Host", local}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", local}, {"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(status({{"Host", local}}, "text/plain"), 415);
  EXPECT_EQ(status({{"Host", local}, {"Origin", "http://" + local}, {"Sec-Fetch-Site", "same-origin"}}), 200);
}

TEST(Server, RefusalsSayWhy) {
  const Running server;
  const auto starts = [&](const std::string& bytes) { return server.exchange(bytes).substr(0, 12); };
  EXPECT_EQ(starts("nonsense\r\n\r\n"), "HTTP/1.1 400");
  EXPECT_EQ(starts("POST /api/explain HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), "HTTP/1.1 411");
  EXPECT_EQ(starts("POST /api/explain HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n"), "HTTP/1.1 413");
  EXPECT_EQ(starts("GET /" + std::string(20'000, 'a')), "HTTP/1.1 431");
  EXPECT_EQ(starts("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), "HTTP/1.1 421");  // no Host
}

TEST(Server, HeadersThatHttplibWouldChokeOnNeverReachIt) {
  const Running server;
  std::string ranges = "bytes=0-0";
  for (int i = 0; i < 1500; ++i) ranges += ",0-0";
  EXPECT_EQ(
      server
          .exchange("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nRange: " + ranges + "\r\n\r\n")
          .substr(0, 12),
      "HTTP/1.1 200");
}

TEST(Server, SlowClientsAreCutOff) {
  ServerOptions options;
  options.limits.receive = std::chrono::milliseconds(300);
  const Running server(options);
  const int socket = server.connected();
  const auto start = std::chrono::steady_clock::now();
  std::string answer;
  for (int i = 0; i < 100 && answer.empty(); ++i) {  // a byte every 50 ms keeps no connection alive
    send(socket, "G", 1, MSG_NOSIGNAL);
    char block[512];
    const ssize_t n = recv(socket, block, sizeof block, MSG_DONTWAIT);
    if (n > 0) answer.assign(block, static_cast<size_t>(n));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  close(socket);
  EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 408");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST(Server, IdleClientsMakeRoomForThoseThatWait) {
  ServerOptions options;
  options.connections = 2;
  options.limits.idle = std::chrono::seconds(60);
  const Running server(options);
  const std::vector<int> idle{server.connected(), server.connected()};
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until both are accepted
  const auto answer = server.client().Get("/");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  for (int socket : idle) close(socket);
}

TEST(Server, ATokenIsAskedForAndKeptAsACookie) {
  ServerOptions options;
  options.token = "a-long-secret-token";
  const Running server(options);
  httplib::Client client = server.client();
  const auto status = [&](const char* path, const httplib::Headers& headers) {
    const auto answer = client.Get(path, headers);
    return answer ? answer->status : 0;
  };
  EXPECT_EQ(status("/", {}), 401);
  EXPECT_EQ(status("/api/models", {}), 401);
  EXPECT_EQ(status("/?token=a-long-secret-tokem", {}), 401);
  EXPECT_EQ(status("/api/models?token=a-long-secret-token", {}), 401);  // only the page's own link carries it
  EXPECT_EQ(status("/api/models", {{"Authorization", "Bearer a-long-secret-token"}}), 200);
  EXPECT_EQ(status("/api/models", {{"Authorization", "Bearer a-long-secret"}}), 401);
  const auto link = client.Get("/?token=a-long-secret-token");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->status, 303);
  EXPECT_EQ(link->get_header_value("Location"), "/");
  const std::string cookie = link->get_header_value("Set-Cookie");
  EXPECT_CONTAINS(cookie, "HttpOnly; SameSite=Strict");
  const httplib::Headers kept{{"Cookie", "other=1; " + cookie.substr(0, cookie.find(';'))}};
  EXPECT_EQ(status("/", kept), 200);
  EXPECT_EQ(status("/api/models", kept), 200);
}

TEST(Server, BeyondThisMachineNobodyIsAnsweredUnasked) {
  EXPECT_CONTAINS(testing::error_of([] { check_exposure({.host = "0.0.0.0"}); }), "--token-file");
  for (const ServerOptions& fine : {ServerOptions{.host = "127.0.0.1"}, ServerOptions{.host = "::", .token = "x"},
                                    ServerOptions{.host = "0.0.0.0", .insecure = true}})
    EXPECT_EQ(testing::error_of([&] { check_exposure(fine); }), "");
}

TEST(Server, ATokenFileIsForItsOwnerAlone) {
  namespace fs = std::filesystem;
  const testing::TemporaryFolder folder;
  const fs::path path = folder / "token";
  const auto said = [&] { return testing::error_of([&] { read_token(path); }); };
  write_file_atomically(path, "a-long-secret-token\n");
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_CONTAINS(said(), "chmod 600");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read_token(path), "a-long-secret-token");
  for (const char* bad : {"", "short", "a long secret with blanks", "a-long-secret; Path=/x"}) {
    write_file_atomically(path, bad);
    fs::permissions(path, fs::perms::owner_read);
    EXPECT_CONTAINS(said(), "make one") << bad;
  }
}

// 8 MB of addresses for the stack of each thread: there is room for a few.
TEST(Server, FewerThreadsThanAskedForServeAllTheSame) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return;  // ASan itself needs more addresses than there are then
#endif
#endif
  const auto serve_some = [] {
    alarm(60);  // a deadlock uses no processor time
    ConnectionPool pool(256);
    if (pool.threads() == 0 || pool.threads() == 256) fail("{} threads", pool.threads());
    std::atomic<int> done{0};
    for (int i = 0; i < 20; ++i) pool.enqueue([&done] { ++done; });
    pool.shut_down();
    if (done != 20) fail("{} of 20 were served", done.load());
  };
  EXPECT_EQ(testing::error_of([&] { run_isolated(serve_some, "it hangs", {.memory = int64_t{1} << 27}); }), "");
}

TEST(Server, TooManyConnectionsAreTurnedAwayAndRecover) {
  ServerOptions options;
  options.connections = 2;
  options.limits.idle_when_crowded = std::chrono::seconds(60);
  const Running server(options);
  std::vector<int> sockets;
  for (int i = 0; i < 4; ++i) sockets.push_back(server.connected());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until both are accepted
  const auto refused = server.client().Get("/");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  for (int socket : sockets) close(socket);
  int status = 0;
  for (int attempt = 0; attempt < 50 && status != 200; ++attempt) {
    const auto answer = server.client().Get("/");
    status = answer ? answer->status : 0;
    if (status != 200) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(status, 200);
}

TEST(Server, StopsWhileClientsAreConnected) {
  const auto start = std::chrono::steady_clock::now();
  int idle = -1;
  {
    const Running server;
    idle = server.connected();
    ASSERT_TRUE(server.client().Get("/"));
  }
  close(idle);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Server, TakenPortIsAnError) {
  const Running server;
  testing::TrueBackend backend;
  Api api(backend);
  Server second({.port = server.port()}, api, kPage);
  EXPECT_CONTAINS(testing::error_of([&] { second.bind(); }), "--port");
}

}  // namespace
}  // namespace neo

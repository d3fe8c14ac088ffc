// Many clients at once, good, slow and hostile ones. scripts/serve_load.sh aims the same at a running `neo
// serve`.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "core/rng.h"
#include "serve/server.h"
#include "serve/testing.h"

namespace neo {
namespace {
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kClients = 64;

// A connection that sends what it is told and reads what it likes.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    const timeval patience{2, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  bool send(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  void read_some() const {
    char block[4096];
    [[maybe_unused]] const ssize_t ignored = recv(socket_, block, sizeof block, 0);
  }

 private:
  int socket_;
};

std::string post(const std::string& path, const std::string& body) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string hostile_bytes(RngStream& random) {
  const auto noise = [&](size_t size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
    return bytes;
  };
  switch (random.below(12)) {
    case 0:
      return noise(1 + random.below(4000));
    case 1:
      return "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(40'000, 'a');
    case 2:
      return "POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n";
    case 3:
      return post("/api/explain", std::string(200'000, '['));
    case 4:
      return post("/api/explain", R"({"model":["a"],"x":7,"y":null})");
    case 5:
      return post("/api/explain", "{\"model\":\"" + noise(100) + "\"}");
    case 6:
      return post("/api/transfer", R"({"model":"../../etc/passwd","program":[99999],"inputs":["x"]})");
    case 7:
      return "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    case 8:
      return "POST /api/explain HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" +
             noise(100);
    case 9:
      return "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-,-1,5-3\r\n\r\n" +
             noise(50);
    case 10:
      return post("/api/search", R"({"model":"gridworld","x":"1","y":"2","calls":1e99})");
    default:
      return "POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{\"half\":";
  }
}

struct Figures {
  std::vector<double> milliseconds;  // of good requests
  std::vector<std::string> failures;
  int64_t hostile = 0, slow = 0;
};

class Load {
 public:
  explicit Load(int port) : port_(port) {}

  Figures run(std::chrono::duration<double> length) {
    bodies_ = good_bodies();
    if (bodies_.empty()) return {};
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(length);
    std::vector<std::thread> clients;
    for (int i = 0; i < kClients; ++i) clients.emplace_back([this, i] { be_client(i); });
    for (std::thread& client : clients) client.join();
    std::sort(figures_.milliseconds.begin(), figures_.milliseconds.end());
    return figures_;
  }

 private:
  bool goes_on() const { return Clock::now() < end_; }

  // Explanations of a sample for every model, each short.
  std::vector<std::string> good_bodies() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(300);  // the first sample of a benchmark is slow under sanitizers
    std::vector<std::string> bodies;
    const auto models = client.Get("/api/models");
    if (!models) return bodies;
    const json list = json::parse(models->body);
    for (const json& model : list["models"]) {
      const auto sample =
          client.Post("/api/sample", json{{"model", model["id"]}, {"seed", 1}}.dump(), "application/json");
      if (!sample) continue;
      const json pair = json::parse(sample->body);
      bodies.push_back(json{{"model", model["id"]}, {"x", pair["x"]}, {"y", pair["y"]}, {"steps", 3}}.dump());
    }
    return bodies;
  }

  void be_client(int index) {
    RngStream random(static_cast<uint64_t>(index), "load");
    while (goes_on()) {
      switch (index % 8) {
        case 4:
          drip();
          break;
        case 5:
          attack(random);
          break;
        case 6:
          say_nothing();
          break;
        case 7:
          leave_without_reading();
          break;
        default:
          ask(random);
          break;
      }
    }
  }

  // Connects, asks for a while on one connection, and comes again: like a person at the page.
  void ask(RngStream& random) {
    httplib::Client client("127.0.0.1", port_);
    client.set_keep_alive(true);
    client.set_read_timeout(30);
    for (int i = 0; i < 20 && goes_on(); ++i) {
      const auto start = Clock::now();
      const auto answer =
          client.Post("/api/explain", bodies_[random.below(bodies_.size())], "application/json");
      const std::chrono::duration<double, std::milli> taken = Clock::now() - start;
      const std::scoped_lock lock(mutex_);
      if (answer && answer->status == 200)
        figures_.milliseconds.push_back(taken.count());
      else
        figures_.failures.push_back(answer ? answer->body : httplib::to_string(answer.error()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random.below(200)));
  }

  void drip() {
    const RawClient client(port_);
    for (char c : post("/api/explain", std::string(100, ' '))) {
      if (!goes_on() || !client.send({&c, 1})) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    count(figures_.slow);
  }

  void attack(RngStream& random) {
    const RawClient client(port_);
    client.send(hostile_bytes(random));
    if (random.below(2) == 0) client.read_some();
    count(figures_.hostile);
  }

  void say_nothing() {
    const RawClient client(port_);
    for (int i = 0; i < 20 && goes_on(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    count(figures_.slow);
  }

  void leave_without_reading() {
    const RawClient client(port_);
    for (int i = 0; i < 5; ++i) client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    count(figures_.hostile);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  void count(int64_t& number) {
    const std::scoped_lock lock(mutex_);
    ++number;
  }

  int port_;
  Clock::time_point end_;
  std::vector<std::string> bodies_;
  std::mutex mutex_;
  Figures figures_;
};

void expect_well_served(int port, double seconds) {
  const Figures figures = Load(port).run(std::chrono::duration<double>(seconds));
  ASSERT_FALSE(figures.milliseconds.empty());
  const auto quantile = [&](double share) {
    return figures
        .milliseconds[static_cast<size_t>(share * static_cast<double>(figures.milliseconds.size() - 1))];
  };
  fmt::print(
      "{} clients for {:.0f} s: {} good requests, {} failed, p50 {:.1f} ms, p99 {:.1f} ms; {} hostile, {} "
      "slow\n",
      kClients, seconds, figures.milliseconds.size(), figures.failures.size(), quantile(0.5), quantile(0.99),
      figures.hostile, figures.slow);
  EXPECT_EQ(figures.failures, std::vector<std::string>{});
  httplib::Client client("127.0.0.1", port);
  const auto answer = client.Get("/api/models");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

void load_own_server(double seconds) {
  testing::TrueBackend backend;
  Api api(backend);
  Server server({.port = 0}, api, "<p>page</p>");
  const int port = server.bind();
  std::atomic<bool> ended{false};
  std::thread thread([&] { server.run([&] { return ended.load(); }); });
  expect_well_served(port, seconds);
  ended = true;
  thread.join();
}

TEST(Load, MixedClientsForTwoSeconds) { load_own_server(2); }

// $NEO_LOAD_PORT: a server on this machine instead of our own; $NEO_LOAD_SECONDS: how long.
TEST(SlowLoad, MixedClientsForAMinute) {
  const char* seconds = std::getenv("NEO_LOAD_SECONDS");
  const char* port = std::getenv("NEO_LOAD_PORT");
  const double length = seconds ? std::atof(seconds) : 60;
  if (port)
    expect_well_served(std::atoi(port), length);
  else
    load_own_server(length);
}

}  // namespace
}  // namespace neo

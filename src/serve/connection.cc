#include "serve/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "serve/api.h"

namespace neo {
namespace {

constexpr std::chrono::milliseconds kSlice{100};   // how often a waiting thread looks whether to stop
constexpr std::chrono::milliseconds kNow{0};
constexpr std::chrono::milliseconds kLinger{300};  // for a refused client to read why
constexpr size_t kBlock = 16 * 1024;

}  // namespace

Connection::Connection(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping,
                       std::function<bool()> is_crowded)
    : socket_(socket),
      limits_(limits),
      stopping_(stopping),
      is_crowded_(std::move(is_crowded)),
      incoming_(limits.request) {}

Connection::~Connection() { close(socket_); }

Connection::Patience Connection::patience(std::chrono::milliseconds most, std::chrono::milliseconds when_crowded) {
  const auto now = Clock::now();
  return {now + most, now + std::min(most, when_crowded)};
}

bool Connection::is_over(const Patience& patience) const {
  const auto now = Clock::now();
  return now >= patience.end || (now >= patience.end_when_crowded && is_crowded_());
}

// Until the patience is over, or until the server stops, which does not wait for slow clients.
bool Connection::wait(short events, const Patience& patience) const {
  while (!stopping_ && !is_over(patience)) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience.end - Clock::now());
    pollfd descriptor{socket_, events, 0};
    const int ready = poll(&descriptor, 1, static_cast<int>(std::clamp(left, kNow, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool Connection::is_abandoned() const {
  char next;
  const ssize_t count = recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

bool Connection::receive_more(const Patience& patience) {
  if (!wait(POLLIN, patience)) return false;
  std::array<char, kBlock> block;
  const ssize_t count = recv(socket_, block.data(), block.size(), MSG_DONTWAIT);
  if (count > 0) incoming_.append({block.data(), static_cast<size_t>(count)});
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Connection::await_first_byte() {
  const Patience idle = patience(limits_.idle, limits_.idle_when_crowded);
  while (incoming_.empty()) {
    if (!receive_more(idle)) return false;
  }
  return true;
}

bool Connection::receive() {
  if (!await_first_byte()) return false;
  const Patience whole = patience(limits_.receive, limits_.transfer_when_crowded);
  bool continued = false;
  while (incoming_.state() == IncomingRequest::State::incomplete) {
    if (incoming_.expects_continue() && !continued) {
      continued = true;
      if (!send_all("HTTP/1.1 100 Continue\r\n\r\n")) return false;
    }
    if (receive_more(whole)) continue;
    if (is_over(whole)) refuse({408, "the request took too long to arrive"});
    return false;
  }
  if (incoming_.state() == IncomingRequest::State::refused) {
    refuse(incoming_.refusal());
    return false;
  }
  request_ = incoming_.take();
  position_ = 0;
  return true;
}

bool Connection::send_all(std::string_view bytes) {
  const Patience whole = patience(limits_.send, limits_.transfer_when_crowded);
  while (!bytes.empty()) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait(POLLOUT, whole)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool Connection::flush() {
  const std::string answer = std::exchange(answer_, {});
  return send_all(answer);
}

void Connection::refuse(const Refusal& refusal, bool linger) {
  const std::string body = error_json(refusal.reason);
  send_all(
      fmt::format("HTTP/1.1 {} Refused\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
                  "Connection: close\r\n\r\n{}",
                  refusal.status, body.size(), body));
  if (linger) drain();
}

// Closing a socket with unread bytes resets it, and the client would never see the answer.
void Connection::drain() const {
  shutdown(socket_, SHUT_WR);
  const Patience linger = patience(kLinger, kLinger);
  std::array<char, kBlock> block;
  while (wait(POLLIN, linger)) {
    if (recv(socket_, block.data(), block.size(), MSG_DONTWAIT) <= 0) return;
  }
}

ssize_t Connection::read(char* out, size_t size) {
  const size_t count = std::min(size, request_.size() - position_);
  std::memcpy(out, request_.data() + position_, count);
  position_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* bytes, size_t size) {
  answer_.append(bytes, size);
  return static_cast<ssize_t>(size);
}

// Not used here; httplib requires it.
void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}
void Connection::get_local_ip_and_port(std::string& ip, int& port) const { get_remote_ip_and_port(ip, port); }

}  // namespace neo

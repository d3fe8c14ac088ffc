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

constexpr std::chrono::milliseconds kSlice{200};   // how often a waiting thread looks whether to stop
constexpr std::chrono::milliseconds kLinger{300};  // for a refused client to read why
constexpr size_t kBlock = 16 * 1024;

}  // namespace

Connection::Connection(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping)
    : socket_(socket), limits_(limits), stopping_(stopping), incoming_(limits.request) {}

Connection::~Connection() { close(socket_); }

// Until `deadline`, or until the server stops, which does not wait for slow clients.
bool Connection::wait(short events, Clock::time_point deadline) const {
  while (!stopping_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd descriptor{socket_, events, 0};
    const int ready = poll(&descriptor, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool Connection::receive_more(Clock::time_point deadline) {
  if (!wait(POLLIN, deadline)) return false;
  std::array<char, kBlock> block;
  const ssize_t count = recv(socket_, block.data(), block.size(), MSG_DONTWAIT);
  if (count > 0) incoming_.append({block.data(), static_cast<size_t>(count)});
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Connection::await_first_byte() {
  const auto deadline = Clock::now() + limits_.idle;
  while (incoming_.empty()) {
    if (!receive_more(deadline)) return false;
  }
  return true;
}

bool Connection::receive() {
  if (!await_first_byte()) return false;
  const auto deadline = Clock::now() + limits_.receive;
  bool continued = false;
  while (incoming_.state() == IncomingRequest::State::incomplete) {
    if (incoming_.expects_continue() && !continued) {
      continued = true;
      if (!send_all("HTTP/1.1 100 Continue\r\n\r\n")) return false;
    }
    if (receive_more(deadline)) continue;
    if (Clock::now() >= deadline) refuse({408, "the request took too long to arrive"});
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
  const auto deadline = Clock::now() + limits_.send;
  while (!bytes.empty()) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait(POLLOUT, deadline)) return false;
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
  const auto deadline = Clock::now() + kLinger;
  std::array<char, kBlock> block;
  while (wait(POLLIN, deadline)) {
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

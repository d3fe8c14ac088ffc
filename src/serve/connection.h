#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

#include "serve/options.h"

namespace neo {

// One client's socket, as the stream that httplib reads requests from and writes answers to. A request is
// received as a whole before httplib sees it, within a total time, however slowly its bytes drip in; an
// answer is collected and sent as a whole in the same way.
class Connection : public httplib::Stream {
 public:
  // Owns the socket. `stopping` ends the wait for further requests; `is_crowded` says whether others wait for this
  // client's place.
  Connection(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping,
             std::function<bool()> is_crowded = [] { return false; });
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for the next request. False: the peer is gone, or was refused and told why.
  bool receive();
  bool is_abandoned() const;  // the client has gone, or will send nothing more
  bool flush();  // sends what was written; false: the peer is gone or too slow
  void refuse(const Refusal& refusal, bool linger = true);  // linger: until the client had time to read it

  bool is_readable() const override { return position_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* out, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  // How long a client may take, and how long while others wait.
  struct Patience {
    Clock::time_point end, end_when_crowded;
  };
  static Patience patience(std::chrono::milliseconds most, std::chrono::milliseconds when_crowded);
  bool is_over(const Patience& patience) const;
  bool wait(short events, const Patience& patience) const;
  bool await_first_byte();
  bool receive_more(const Patience& patience);
  bool send_all(std::string_view bytes);
  void drain() const;

  socket_t socket_;
  ConnectionLimits limits_;
  const std::atomic<bool>& stopping_;
  std::function<bool()> is_crowded_;
  IncomingRequest incoming_;
  std::string request_;  // being read by httplib
  size_t position_ = 0;
  std::string answer_;  // being written by httplib
};

}  // namespace neo

#pragma once

#include <httplib.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "serve/api.h"
#include "serve/connection.h"
#include "serve/connection_pool.h"
#include "serve/guard.h"

namespace neo {

// The API and the page over HTTP. Loopback unless configured otherwise; serves no files from disk.
class Server : private httplib::Server {
 public:
  Server(const ServerOptions& options, Api& api, std::string_view page);

  // Throws an Error when the port is taken, no thread can be started, or anyone could use the server. Returns the port.
  int bind();
  // Runs until `ended` returns true; it is polled many times a second.
  void run(const std::function<bool()>& ended);

 private:
  bool process_and_close_socket(socket_t socket) override;
  void look();  // whether to end
  void serve(Connection& connection);
  bool admit(const httplib::Request& request, httplib::Response& response) const;
  bool admit_by_token(const httplib::Request& request, httplib::Response& response) const;
  void answer(const httplib::Request& request, httplib::Response& response);
  void stream_events(const httplib::Request& request, httplib::Response& response);
  void send_theory(const httplib::Request& request, httplib::Response& response);

  ServerOptions options_;
  Guard guard_;
  Api& api_;
  std::string page_;
  std::string page_policy_;  // Content-Security-Policy of the page
  std::unique_ptr<ConnectionPool> pool_;
  std::function<bool()> ended_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::thread::id> acceptor_;
};

// The policy for a self-contained page: its own inline scripts and styles by their digests, pictures made on
// the spot, requests to where it came from, nothing else.
std::string content_security_policy(std::string_view page);

}  // namespace neo

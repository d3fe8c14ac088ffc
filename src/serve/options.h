#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "serve/incoming_request.h"

namespace neo {

struct ConnectionLimits {
  RequestLimits request;
  std::chrono::milliseconds idle{15'000};     // between two requests
  std::chrono::milliseconds receive{10'000};  // from the first byte of a request to its last
  std::chrono::milliseconds send{10'000};     // for a whole answer
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8765;                 // 0: any that is free
  std::vector<std::string> names;  // further host names under which browsers reach the server
  int connections = 256;           // at once; further clients are told to try again
  int requests = 1000;             // of one connection
  ConnectionLimits limits;
};

}  // namespace neo

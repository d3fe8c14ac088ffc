#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "serve/incoming_request.h"

namespace neo {

struct ConnectionLimits {
  RequestLimits request;
  std::chrono::milliseconds idle{15'000};     // between two requests
  std::chrono::milliseconds receive{10'000};  // from the first byte of a request to its last
  std::chrono::milliseconds send{10'000};     // for a whole answer
  // The same while other clients wait for a connection to become free.
  std::chrono::milliseconds idle_when_crowded{250}, transfer_when_crowded{2'000};
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8765;                 // 0: any that is free
  std::vector<std::string> names;  // further host names under which browsers reach the server
  int connections = 256;           // at once; as many again wait, further clients are told to try again
  std::string token;               // that clients must know; empty: none
  bool insecure = false;           // open to the network without one
  int requests = 1000;             // of one connection
  ConnectionLimits limits;
};

// The content of a file that only its owner can read; an Error where it is none, or too short to be a secret.
std::string read_token(const std::filesystem::path& path);
// A UsageError where a server beyond this machine would answer anyone.
void check_exposure(const ServerOptions& options);

}  // namespace neo

#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "worlds/world.h"

namespace neo {

// A request that cannot be answered, with the HTTP status that says so. Plain Errors are the client's
// mistake: 400.
class ApiError : public Error {
 public:
  ApiError(int status, const std::string& message) : Error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

struct ExplainRequest {
  std::string model;
  Observation x, y;
  std::optional<int64_t> steps;  // K; the model's own otherwise
  std::optional<double> epsilon;
  std::map<int64_t, int64_t> overrides;  // step -> code
  int64_t alternatives = 0;
};

struct TransferRequest {
  std::string model;
  std::vector<int64_t> program;
  std::vector<Observation> inputs;
};

struct SearchRequest {
  std::string model;
  Observation x, y;
  int64_t calls = 0;  // executor calls at most
  std::optional<int64_t> steps;
  bool go_on = false;  // after the first program that explains y
};

struct ModelInfo {
  std::string id;  // what requests call it
  const World* world = nullptr;
  int64_t codes = 0;
  nlohmann::json about;  // alpha, preset, seed, ...: as the file tells
};

// What the API asks of a set of theories. Knows nothing of HTTP, and this header nothing of tensors, so that
// server and parser are tested and fuzzed without them. Called from many threads at once.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const std::vector<ModelInfo>& models() const = 0;
  // Answers as the OpenAPI document describes them.
  virtual nlohmann::json explain(const ExplainRequest& request) = 0;
  virtual nlohmann::json transfer(const TransferRequest& request) = 0;
  virtual nlohmann::json search(const SearchRequest& request) = 0;
  virtual nlohmann::json vocabulary(const std::string& model) = 0;
};

}  // namespace neo

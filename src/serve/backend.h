#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "data/space.h"

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
  std::optional<int64_t> steps;          // K; the model's own otherwise
  std::optional<double> tolerance;       // loss up to which y counts as explained; the model's own otherwise
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
  bool exhaust_calls = false;  // also after the first program that explains y
  std::function<bool()> is_abandoned = [] { return false; };  // nobody waits for the answer any more
};

struct ModelInfo {
  std::string id;         // its name in requests
  Space space;            // of its observations
  std::string benchmark;  // whose data it was trained on; empty: a user's own
  int64_t codes = 0;      // size of the vocabulary
  // Metadata of the file, by the names in the OpenAPI document: alpha, preset, seed, step, steps, active,
  // policy (an object: K, lambda, ... by their names) and names (one per code, or none at all).
  nlohmann::json about;
};

// A pair to try a theory on, kept with it.
struct ExamplePair {
  Observation x, y;
  std::optional<std::pair<Observation, Observation>> query;  // a second pair of the same hidden program
  std::vector<std::string> program;                          // the hidden steps by name; empty: unknown
};

// The queries that the API makes to a set of theories. Knows nothing of HTTP, and this header nothing of
// tensors, so that server and parser are tested and fuzzed without them. Called from many threads at once.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const std::vector<ModelInfo>& models() const = 0;
  // One of the pairs kept with a theory of a user's own data, the same for the same seed; nullopt where none
  // are kept. Models of a benchmark are never asked: the API draws their samples itself.
  virtual std::optional<ExamplePair> example(const std::string& model, uint64_t seed) = 0;
  // Answers as the OpenAPI document describes them, without `milliseconds`.
  virtual nlohmann::json explain(const ExplainRequest& request) = 0;
  virtual nlohmann::json transfer(const TransferRequest& request) = 0;
  virtual nlohmann::json search(const SearchRequest& request) = 0;
  virtual nlohmann::json vocabulary(const std::string& model) = 0;
  virtual nlohmann::json training(const std::string& model) = 0;
};

}  // namespace neo

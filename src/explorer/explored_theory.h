#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "explorer/strength.h"
#include "neo/theory.h"
#include "serve/backend.h"

namespace neo {

// One theory, as the explorer queries it. For one thread at a time.
class ExploredTheory {
 public:
  // An Error with `origin` where the theory has no codes.
  ExploredTheory(Theory theory, const std::string& origin);
  // The same theory (weights, policy, names, examples) with its own caches, for another thread.
  std::unique_ptr<ExploredTheory> copy() const;

  ModelInfo info(const std::string& id) const;
  std::optional<ExamplePair> example(uint64_t seed) const;
  // How well it explains and transfers a few samples of its benchmark; nothing of a user's own data.
  Strength strength() const;
  // Answers as the OpenAPI document describes them.
  nlohmann::json explain(const ExplainRequest& request);
  nlohmann::json transfer(const TransferRequest& request);
  nlohmann::json search(const SearchRequest& request);
  nlohmann::json vocabulary();  // takes seconds
  // Clears the cache of executed steps, which grows with every new observation.
  void forget() { theory_.forget(); }

 private:
  double floor(const Observation& y) const;
  nlohmann::json to_wire(const ProgramRun& run) const;
  Pairs sample_pairs() const;
  bool is_exact() const { return theory_.space().is_categorical(); }
  Theory theory_;
};

}  // namespace neo

#pragma once

#include <memory>

#include "explain/explain.h"
#include "model/weights.h"
#include "serve/backend.h"
#include "serve/samples.h"
#include "train/config.h"

namespace neo {

// One theory as the explorer asks it. For one thread at a time.
class ExploredTheory {
 public:
  // An Error with `origin` where the theory has no codes.
  ExploredTheory(LoadedTheory loaded, const std::string& origin);
  // The same theory with caches of its own, for another thread. Reads nothing but the weights.
  std::unique_ptr<ExploredTheory> copy() const;

  ModelInfo info(const std::string& id) const;
  // Answers as the OpenAPI document describes them.
  nlohmann::json explain(const ExplainRequest& request);
  nlohmann::json transfer(const TransferRequest& request);
  nlohmann::json search(const SearchRequest& request);
  nlohmann::json vocabulary(Samples& samples);  // takes seconds

  // Drops what executors remember of observations; it would grow as long as new ones come.
  void forget() { executor_.reset(); }

 private:
  NeoImpl& model() const { return *loaded_.model.ptr(); }
  const World& world() const { return model().world(); }
  bool is_image() const { return !model().observation().readout().is_categorical(); }
  int64_t longest_program() const;
  HardExecutor& executor();
  Theory run(const Observation& x, const std::vector<int64_t>& codes, const Observation* y);

  LoadedTheory loaded_;
  TrainConfig config_;
  std::unique_ptr<HardExecutor> executor_;
};

}  // namespace neo

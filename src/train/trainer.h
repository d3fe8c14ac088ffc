#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "model/weights.h"
#include "train/adamw.h"
#include "train/batches.h"
#include "train/config.h"

namespace neo {

// What a validation found: a score to select checkpoints by (higher is better), and a record for the metrics.
struct Validation {
  double score = 0;
  nlohmann::json record;
};

// A drawing of a model, for those who watch a training.
struct ModelPicture {
  std::string png;
  int width = 0, height = 0;
};

struct TrainRequest {
  TrainConfig config;
  std::string preset;
  uint64_t seed = 42;
  // Gives the fresh observation model its final, frozen weights: loads, or pretrains on single observations.
  std::function<void(ObservationModel&)> prepare_observation;
  // Sets an executor that does not learn by gradient; may be empty.
  std::function<void(NeoImpl&)> prepare_executor;
  FreshPairs fresh;                              // where every pass has pairs of its own
  std::function<Validation(NeoImpl&)> validate;  // never on OOD pairs
  std::vector<Pair> examples;                    // to be kept in the theory's file
  std::string source;                            // what the pairs are; human-readable
  nlohmann::json options;                        // the options of the run, for the manifest
  std::vector<std::string> command;              // the same as a command line; human-readable
  std::filesystem::path run;                     // folder
  bool tensorboard = false;  // also writes events into the run's folder tensorboard/
  std::function<ModelPicture(NeoImpl&)> draw;  // for these; may be empty
  bool resume = false;
  bool quiet = false;
};

// Programmer, executor and (gradient) codebook, each at its own learning rate.
std::vector<AdamW::Group> parameter_groups(NeoImpl& model, const OptimizerConfig& config);

// The training of one model, step by step, without folders and clocks: for train() and for callers that time a step.
class Training {
 public:
  Training(const TrainRequest& request, const Pairs& pairs);
  ~Training();
  int64_t step() const;         // steps made
  int64_t total_steps() const;  // as scheduled, plus those for which the rate is held longer
  NeoImpl& model();
  // One step; returns its record for metrics.jsonl.
  struct Step {
    double loss = 0, solved = 0;
    nlohmann::json record;
  };
  Step advance();

 private:
  friend class TrainingRun;
  struct State;
  std::unique_ptr<State> state_;
};

// Trains in a run folder. Leaves best.safetensors (the theory with the best validation score, ties to the
// latest) and last.safetensors there. A run that is interrupted at any moment and resumed ends in the same
// bytes.
void train(const TrainRequest& request, const Pairs& pairs);

}  // namespace neo

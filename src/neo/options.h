#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/import.h"

// What the library can be asked for. No torch, so that a command line can be read without it.
namespace neo {

struct Discovery;

// The options of `neo learn`.
struct LearnOptions {
  std::vector<std::filesystem::path> sources;  // anything that `neo data import` takes, or a pair file
  std::filesystem::path run;                   // folder; empty: runs/<name of the source>
  double minutes = 0;                          // about; 0: as long as the preset takes
  int64_t codes = 0;                           // vocabulary size; 0: the preset's
  std::string preset = "auto";                 // auto: the structure that describes the pairs in the fewest bits
  uint64_t seed = 42;
  ImportOptions import;                        // how sources are read, where they are no pair file
  bool quiet = false;
};

// The options of `neo train`.
struct TrainingOptions {
  std::string benchmark;             // empty: own data
  std::filesystem::path data;        // own data: a pair file; a benchmark's: a folder with train.h5 and id.h5
  std::string preset = "fast", method = "neo";
  double alpha = 0.33;               // of a benchmark's split
  uint64_t seed = 42;
  int64_t steps = 0;                 // 0: the preset's
  bool grouped = false;
  std::vector<std::string> settings;  // "key=value", on top of preset and config
  std::filesystem::path config;       // a TOML file on top of the preset
  std::filesystem::path observation;  // weights of the observation model; empty: shipped, or made from the data
  std::filesystem::path run;          // folder; empty: runs/<name>
  std::shared_ptr<const Discovery> discovery;  // what counting found in the pairs, where that was tried already
  bool tensorboard = false;           // events for TensorBoard, in the run folder
  bool resume = false;
  bool quiet = false;
};

// The options of `neo pretrain`: the observation model that a preset of a benchmark asks for, trained on the
// benchmark's single observations.
struct PretrainingOptions {
  std::string benchmark;
  std::string preset = "fast";
  uint64_t seed = 42;
  std::filesystem::path out;           // empty: weights/<benchmark>-<kind>-observation.safetensors
  std::vector<std::string> settings;   // of PretrainConfig, "key=value"
  std::string device = "cpu";
};

// How an evaluation searches for programs.
struct StrategyRequest {
  // policy (the theory's own), greedy, beam, sample, best-first; both: the theory's own, greedy and sample; all: also
  // best-first. What a split cannot be searched with is left out of both and all.
  std::string search = "both";
  int64_t draws = 0;                 // NEO-S; 0: the policy's
  std::vector<int64_t> calls;        // empty: those of NEO-S at 1, 2, 4, ... draws
  std::vector<double> temperatures;  // empty: the policy's for NEO-S, its own for best-first
  std::string choice;                // empty: sequence for NEO-S, description for best-first
  int64_t probes = 1;
  bool without_replacement = false;
  bool stop_early = false;
  uint64_t seed = 42;
  bool wants(std::string_view strategy) const;
  bool needs_queries() const;  // what was asked for is nothing without groups
};

// The options of `neo eval`.
struct EvaluationOptions : StrategyRequest {
  std::filesystem::path model;
  std::string method;                       // empty: the one it was trained by
  std::vector<std::filesystem::path> data;  // empty: the benchmark's splits, or the pairs it was trained from
  int64_t episodes = 0;                     // most per file; 0: the preset's
  double tolerance = -1;                    // loss up to which a pair counts as explained; negative: the policy's
  bool soft = false;                        // also without hard grounding
  bool diagnose = false;
  int64_t examples = 0;  // episodes per split to show in full
  bool programs = false;  // also the program of every pair
  bool quiet = false;     // no progress
};

// The options of `neo card`.
struct CardOptions {
  std::filesystem::path model;
  std::filesystem::path data;     // pairs for its figures; empty: the benchmark's ID split, or the theory's examples
  std::filesystem::path out;      // folder
  std::string licence = "other";  // of the theory, as Hugging Face names them
};

// What `neo bench` measures.
struct TimingOptions {
  std::string benchmark, preset = "fast", item = "train";  // train, eval or search
  int64_t steps = 20;       // training steps to time
  int64_t episodes = 512;   // to evaluate
  std::filesystem::path model;  // eval, search: a theory; empty: fresh weights, which solve nothing
  std::vector<std::string> settings;
};

}  // namespace neo

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/published.h"
#include "report/records.h"
#include "report/statistics.h"
#include "train/methods.h"

namespace neo {

// What a seed gave, and which run it was.
struct SeedValue {
  uint64_t seed = 0;
  double value = 0;
  std::string run;
};
struct Estimate {
  std::vector<SeedValue> seeds;  // empty: no record yet
  Summary summary;
  bool missing() const { return seeds.empty(); }
};

// One cell of Tables 1, 2 and the image table: a method on a split.
struct ResultCell {
  std::string method, title, split;
  double alpha = 0;
  Estimate self, transfer;
  std::optional<Published> paper_self, paper, release;  // transfer, except the first
  std::optional<Verdict> verdict;                       // of NEO and NEO-S against the better of both
};
struct ResultTable {
  std::string world, preset;
  std::vector<ResultCell> cells;  // by alpha, method, split
};
// A table for every world and preset that has benchmark records; cells without a record are in it, too.
std::vector<ResultTable> result_tables(const std::vector<Record>& records,
                                       const std::vector<Method>& methods);

// Primitiveness of a theory's vocabulary (of the methods that have one: NEO and Disc-Mono), beside the share
// of primitives that training shows alone.
struct PrimitivenessRow {
  std::string world, preset, method, title;
  double alpha = 0;
  Estimate primitiveness, purity;
  double shown = 0;
};
std::vector<PrimitivenessRow> primitiveness_rows(const std::vector<Record>& records,
                                                 const std::vector<Method>& methods);

struct AblationRow {
  std::string name, title, world, preset;
  double alpha = 0;
  bool hard_grounding = true;
  Estimate primitiveness;
  struct Split {
    std::string name;
    Estimate self, transfer;
    std::optional<Published> paper_self, paper;
  };
  std::vector<Split> splits;
  std::optional<double> paper_primitiveness;
};
// The rows of `ablations` with hard grounding on, then those with it off that have records.
std::vector<AblationRow> ablation_rows(const std::vector<Record>& records, const std::string& world,
                                       const std::vector<Ablation>& ablations);

// Wall-clock cost, measured where the records were made.
struct CostRow {
  std::string world, preset, method, title;
  int64_t budget = 1;
  Estimate train_ms, train_seconds, inference_ms;
  int64_t train_batch = 0, inference_batch = 0;  // episodes
  std::string machine;                           // processor and threads
  std::optional<double> paper_train_ms, paper_train_seconds, paper_inference_ms;
  std::string paper_machine;
};
std::vector<CostRow> cost_rows(const std::vector<Record>& records, const std::vector<Method>& methods);

// The mean length of the hidden programs in training, where all of them are equally frequent: not in
// Arithmetic.
std::optional<double> mean_training_length(const std::string& world, double alpha);

std::string split_title(const std::string& split);  // "ID", "compositional OOD", ...
std::string world_title(const std::string& world);

}  // namespace neo

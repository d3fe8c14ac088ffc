#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/published.h"
#include "report/selection.h"

namespace neo {

// One cell of Tables 1, 2 and the image table: a method on a split.
struct ResultCell {
  std::string method, title, split;
  double alpha = 0;
  Variant variant;     // the title names it
  size_t planned = 0;  // seeds; 0: the cell is not of the plan
  Estimate self, transfer;
  std::optional<Published> paper_self, paper, release;  // transfer, except the first
  std::optional<Verdict> verdict;  // of NEO's against the better of both, once all planned seeds have records
  bool missing() const { return self.missing() && transfer.missing(); }
  bool complete() const { return planned > 0 && transfer.summary.count == planned; }
};
struct ResultTable {
  std::string benchmark, preset;
  Kind kind = Kind::categorical;
  std::vector<ResultCell> cells;  // by alpha, method, split
};
// A table for everything that is planned or has records, see Selection; planned cells without a record are in
// it, too.
std::vector<ResultTable> result_tables(const std::vector<Record>& records,
                                       const std::vector<Method>& methods);

// For readers of figures of development seeds.
inline constexpr const char* kDevelopmentNote =
    "Development seeds: recipes were made while looking at these runs, so that they show what was developed "
    "and "
    "are no results; they count neither as ahead nor as behind.";

// A method against NEO, or an ablation against the unchanged one: the mean difference over the seeds that
// both were run with, on the same episodes of a split.
struct PairedRow {
  std::string benchmark, preset, title;
  double alpha = 0;
  struct Split {
    std::string name;
    Summary difference;  // in transfer, method minus NEO; count 0: not comparable
  };
  std::vector<Split> splits;
};
std::vector<PairedRow> paired_rows(const std::vector<Record>& records, const std::vector<Method>& methods);

// Primitiveness of a theory's vocabulary (of the methods that have one: NEO and Disc-Mono), beside the share
// of primitives that training shows alone.
struct PrimitivenessRow {
  std::string benchmark, preset, method, title;
  double alpha = 0;
  Variant variant;
  Estimate primitiveness, purity;
  std::optional<double> shown;
};
std::vector<PrimitivenessRow> primitiveness_rows(const std::vector<Record>& records,
                                                 const std::vector<Method>& methods);

struct AblationRow {
  std::string name, title, benchmark, preset;
  double alpha = 0;
  Variant variant;
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
// The benchmark's ablations with hard grounding on, then those with it off that have records.
std::vector<AblationRow> ablation_rows(const std::vector<Record>& records, const Benchmark& benchmark);

// Wall-clock cost, measured where the records were made.
struct CostRow {
  std::string benchmark, preset, method, title;
  Variant variant;
  int64_t budget = 1;
  Estimate train_ms, train_seconds, inference_ms;
  int64_t train_batch = 0, inference_batch = 0;  // episodes
  std::string machine;                           // processor and threads
  std::optional<double> paper_train_ms, paper_train_seconds, paper_inference_ms;
  std::string paper_machine;
};
std::vector<CostRow> cost_rows(const std::vector<Record>& records, const std::vector<Method>& methods);

}  // namespace neo

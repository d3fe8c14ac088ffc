#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "data/space.h"
#include "search/candidates.h"

namespace neo {

struct BestFirstOptions {
  int64_t depth = 4;          // K, longest program
  double temperature = 0.03;  // of the programmer's distribution over codes
  bool heuristic = true;      // PHS; else Levin tree search
  bool stop_early = false;    // stop once the programs found are likelier than all untried ones
};

// One executor call, as it happens: `code` on the observation of node `parent` gave `observation`.
struct Expansion {
  int64_t pair = 0;  // row of the batch
  int64_t call = 0;  // the pair's first is 1
  int64_t parent = 0, code = 0;
  int64_t node = 0;            // where it led; nodes count from 0, which is x, in order of discovery
  bool is_new = false;         // no call led to this node before
  bool exact = false;          // the node is y
  int64_t depth = 0;           // codes from x to here
  double log_probability = 0;  // of these codes under the programmer
  double loss = 0;             // l(y, prediction)
  double score = 0;            // by which the queue is ordered: log of PHS's cost, lower first
  Observation observation;
};
using Watcher = std::function<void(const Expansion&)>;

// Best-first search for programs from x to y, for a batch of pairs that advance together. A queue of untried
// codes on visited observations is ordered by the programmer's probability of the path so far and by the
// estimated distance to go (Levin tree search; PHS, arXiv 2103.11505); the executor is called for one code at
// a time, the best. Observations are exact keys: with hard grounding equal ones have equal futures, so none
// is expanded twice. Every call is remembered as an edge of a graph, and every path from x to y in that
// graph, of at most K codes, is a program that explains the pair. Anytime: run() to some number of calls,
// look, run() on. Same results for any batch. The model and the executor must outlive the search.
class BestFirst {
 public:
  // x, y: [B, N]
  BestFirst(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x, const torch::Tensor& y,
            const BestFirstOptions& options, Watcher watcher = {});
  ~BestFirst();
  BestFirst(const BestFirst&) = delete;
  BestFirst& operator=(const BestFirst&) = delete;
  // Until each pair has spent `calls` executor calls in all, has nothing left to try or may stop early.
  void run(int64_t calls);
  torch::Tensor calls() const;  // [B] spent so far
  // The `most` likeliest programs that explain each pair, likeliest first; length 0 where there are fewer.
  Candidates programs(int64_t most) const;
  // The program that came nearest to y (least loss), whether it explains the pair or not.
  Programs closest() const;

 private:
  class Pair;
  struct Place {
    int64_t pair = 0, node = 0;
  };
  bool step(
      int64_t limit);  // one call for every pair that has one left and one to make; false: there is none
  void ask(const std::vector<Place>& places);                          // the programmer, about new nodes
  torch::Tensor observations(const std::vector<Place>& places) const;  // [P, N]

  NeoImpl& model_;
  HardExecutor& executor_;
  BestFirstOptions options_;
  Watcher watcher_;
  torch::Tensor y_, target_;  // target_: what the programmer sees of y
  std::vector<std::unique_ptr<Pair>> pairs_;
};

}  // namespace neo

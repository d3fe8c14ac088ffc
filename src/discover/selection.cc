#include "discover/selection.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace neo {
namespace {

constexpr size_t kMostReached = 2000;  // observations to go on from
constexpr int64_t kSelectedBy = 600;   // pairs
constexpr int64_t kSelectedLength = 2;
constexpr double kSimple =
    0.5;  // of what an operation takes to write down: among equals the simple ones stay

}  // namespace

ShortestProgram shortest_program(const std::vector<Operation>& vocabulary, std::span<const uint16_t> x,
                                 std::span<const uint16_t> y, int64_t longest, int64_t noise) {
  using Cells = std::vector<uint16_t>;
  struct Reached {
    Cells cells;
    std::vector<size_t> operations;
  };
  std::vector<Reached> reached{{Cells(x.begin(), x.end()), {}}};
  std::set<Cells> seen{reached[0].cells};
  for (int64_t length = 1; length <= longest; ++length) {
    std::vector<Reached> next;
    for (const Reached& from : reached) {
      for (size_t z = 0; z < vocabulary.size(); ++z) {
        if (!vocabulary[z].explains(from.cells, y, noise)) continue;
        ShortestProgram program{from.operations, vocabulary[z].wrong_cells(from.cells, y)};
        program.operations.push_back(z);
        return program;
      }
    }
    if (length == longest) break;
    for (const Reached& from : reached) {
      for (size_t z = 0; z < vocabulary.size() && next.size() < kMostReached; ++z) {
        Cells to = vocabulary[z].applied(from.cells);
        if (!seen.insert(to).second) continue;
        next.push_back({std::move(to), from.operations});
        next.back().operations.push_back(z);
      }
    }
    reached = std::move(next);
  }
  return {};
}

namespace {

class Selection {
 public:
  Selection(const PairTable& pairs, int64_t noise, std::vector<Operation> vocabulary)
      : pairs_(pairs),
        noise_(noise),
        vocabulary_(std::move(vocabulary)),
        count_(std::min(pairs.size(), kSelectedBy)),
        operation_cost_(kOperation * static_cast<double>(count_) / static_cast<double>(vocabulary_.size())) {
    for (int64_t pair = 0; pair < count_; ++pair) programs_.push_back(program_of(pair));
  }

  std::vector<Operation> run() {
    while (take_one_out()) {
    }
    return std::move(vocabulary_);
  }

 private:
  using Programs = std::vector<ShortestProgram>;

  ShortestProgram program_of(int64_t pair) const {
    const auto x = pairs_.x_at(pair), y = pairs_.y_at(pair);
    if (std::ranges::equal(x, y)) return {};
    return shortest_program(vocabulary_, x, y, kSelectedLength, noise_);
  }

  static double cost_of(const ShortestProgram& program) {
    return program.operations.empty() ? kUnsaid : kStep * static_cast<double>(program.operations.size());
  }

  // The programs without operation z, and the nats that are saved.
  double without(size_t z, Programs& programs) {
    const Operation out = vocabulary_[z];
    double saved = operation_cost_ + kSimple * out.cost();
    vocabulary_.erase(vocabulary_.begin() + static_cast<int64_t>(z));
    for (int64_t pair = 0; pair < count_; ++pair) {
      ShortestProgram& program = programs[static_cast<size_t>(pair)];
      const double before = cost_of(program);
      if (std::ranges::find(program.operations, z) != program.operations.end())
        program = program_of(pair);
      else
        for (size_t& other : program.operations) other -= other > z;
      saved += before - cost_of(program);
    }
    vocabulary_.insert(vocabulary_.begin() + static_cast<int64_t>(z), out);
    return saved;
  }

  bool take_one_out() {
    double most = 0;
    size_t best = vocabulary_.size();
    Programs best_programs;
    for (size_t z = 0; z < vocabulary_.size(); ++z) {
      Programs programs = programs_;
      const double saved = without(z, programs);
      if (saved <= most) continue;
      most = saved, best = z, best_programs = std::move(programs);
    }
    if (best == vocabulary_.size()) return false;
    vocabulary_.erase(vocabulary_.begin() + static_cast<int64_t>(best));
    programs_ = std::move(best_programs);
    return true;
  }

  const PairTable& pairs_;
  int64_t noise_;
  std::vector<Operation> vocabulary_;
  int64_t count_;
  double operation_cost_;
  Programs programs_;  // of the first pairs
};

}  // namespace

std::vector<Operation> select(const PairTable& pairs, int64_t noise, std::vector<Operation> candidates) {
  return Selection(pairs, noise, std::move(candidates)).run();
}

}  // namespace neo

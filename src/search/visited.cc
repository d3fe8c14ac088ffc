#include "search/visited.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace neo {
namespace {
constexpr double kNever = -std::numeric_limits<double>::infinity();

// A path from x that may still reach y; read backwards.
struct Step {
  int64_t before = -1, code = -1, node = 0, length = 0;
  double log_probability = 0;
};
struct Promise {
  double best = 0;  // log-probability of the likeliest path that begins so
  int64_t step = 0;
  bool operator<(const Promise& other) const {
    return best < other.best || (best == other.best && step > other.step);
  }
};
}  // namespace

Visited::Visited(ObservationView x) { node_of(x); }

int64_t Visited::node_of(ObservationView observation) {
  const std::string key(observation.begin(), observation.end());
  const auto [entry, is_new] = table_.try_emplace(key, size());
  if (is_new) edges_.emplace_back();
  return entry->second;
}

Visited::Arrival Visited::add(int64_t from, int64_t code, double log_probability, ObservationView reached,
                              bool exact) {
  const int64_t known = size();
  int64_t node = goal_;
  if (!exact) {
    node = node_of(reached);
  } else if (!solved()) {
    node = goal_ = known;
    edges_.emplace_back();
  }
  edges_[static_cast<size_t>(from)].push_back({code, node, log_probability});
  return {node, node == known};
}

std::vector<Visited::Path> Visited::paths(int64_t longest, int64_t most) const {
  std::vector<Path> found;
  if (!solved()) return found;
  // ahead[k][n]: the likeliest way from node n to y in at most k codes. It makes the search below exact: a
  // path is taken from the queue only when it is the likeliest one left.
  std::vector<std::vector<double>> ahead(static_cast<size_t>(longest) + 1,
                                         std::vector<double>(edges_.size(), kNever));
  for (auto& row : ahead) row[static_cast<size_t>(goal_)] = 0;
  for (size_t k = 1; k < ahead.size(); ++k) {
    for (size_t node = 0; node < edges_.size(); ++node) {
      for (const Edge& edge : edges_[node]) {
        const double through = edge.log_probability + ahead[k - 1][static_cast<size_t>(edge.to)];
        ahead[k][node] = std::max(ahead[k][node], through);
      }
    }
  }
  std::vector<Step> steps{{}};
  std::priority_queue<Promise> queue;
  if (ahead.back()[0] > kNever) queue.push({ahead.back()[0], 0});
  while (!queue.empty() && static_cast<int64_t>(found.size()) < most) {
    const int64_t last = queue.top().step;
    queue.pop();
    const Step path = steps[static_cast<size_t>(last)];
    if (path.node == goal_) {
      Path e{{}, path.log_probability};
      for (int64_t i = last; steps[static_cast<size_t>(i)].before >= 0;
           i = steps[static_cast<size_t>(i)].before)
        e.codes.push_back(steps[static_cast<size_t>(i)].code);
      std::reverse(e.codes.begin(), e.codes.end());
      found.push_back(std::move(e));
      continue;
    }
    for (const Edge& edge : edges_[static_cast<size_t>(path.node)]) {
      const double rest = ahead[static_cast<size_t>(longest - path.length - 1)][static_cast<size_t>(edge.to)];
      if (rest == kNever) continue;
      const double so_far = path.log_probability + edge.log_probability;
      queue.push({so_far + rest, static_cast<int64_t>(steps.size())});
      steps.push_back({last, edge.code, edge.to, path.length + 1, so_far});
    }
  }
  return found;
}

}  // namespace neo

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "data/space.h"

namespace neo {

// The part of the search space seen from one observation x on the way to y: a graph whose nodes are distinct
// observations (node 0 is x) and whose edges are executor calls. Every path to y is an explanation.
class Visited {
 public:
  explicit Visited(ObservationView x);

  struct Arrival {
    int64_t node = 0;
    bool is_new = false;
  };
  // `code`, of this log-probability there, leads from a node to an observation; `exact`: which is y.
  Arrival add(int64_t from, int64_t code, double log_probability, ObservationView reached, bool exact);

  int64_t size() const { return static_cast<int64_t>(edges_.size()); }  // nodes
  bool solved() const { return goal_ >= 0; }

  struct Path {
    std::vector<int64_t> codes;
    double log_probability = 0;
  };
  // The likeliest paths from x to y of at most `longest` codes, likeliest first, ties as they were found. A
  // path ends when it reaches y.
  std::vector<Path> paths(int64_t longest, int64_t most) const;

 private:
  struct Edge {
    int64_t code = 0, to = 0;
    double log_probability = 0;
  };
  int64_t node_of(ObservationView observation);

  std::unordered_map<std::string, int64_t> table_;  // the transposition table; y is not in it
  std::vector<std::vector<Edge>> edges_;            // by node
  int64_t goal_ = -1;                               // the node of y; apart from x even if they are equal
};

}  // namespace neo

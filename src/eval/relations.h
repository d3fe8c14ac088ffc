#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace neo {

// What n codes do to E inputs, alone and one after the other. Observations as bytes, `size` each.
struct Behaviours {
  int64_t codes = 0, inputs = 0, size = 0;
  // Distance of two observations; empty: they are compared exactly.
  std::function<double(const uint8_t*, const uint8_t*)> distance;
  std::vector<uint8_t> before;  // [E]
  std::vector<uint8_t> after;   // [n, E]
  std::vector<uint8_t> twice;   // [n, n, E]; twice[a][b]: a, then b
};

// A relation between codes, with the share of inputs on which it holds. Inputs on which neither side does
// anything do not count.
struct CodeRelation {
  int64_t code = 0;
  std::vector<int64_t> others;
  double share = 0;
};

// Codes are numbered as in Behaviours.
struct Relations {
  std::vector<double> unchanged;         // [n] share of inputs that a code leaves as they are
  std::vector<int64_t> no_ops;           // leave nearly all inputs unchanged
  std::vector<CodeRelation> duplicates;  // `code` does what the one of `others` does; each pair once
  std::vector<CodeRelation> inverses;    // `code` and the one of `others` undo each other; each pair once
  std::vector<CodeRelation> commuting;   // either order gives the same; each pair once
  std::vector<CodeRelation> composites;  // `code` does what the program `others` of two other codes does
};

// Relations that hold on at least `share` of the inputs. No-ops take part in none.
Relations find_relations(const Behaviours& behaviours, double share);

}  // namespace neo

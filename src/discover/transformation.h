#pragma once

#include "discover/operation.h"

namespace neo {

inline constexpr size_t kLeastPairs = 4;  // that a transformation must explain

// Nats, where every transformation counts once: an operation of the vocabulary, a step of a program, a
// transformation without a program.
inline constexpr double kOperation = 6, kStep = 1, kUnsaid = 30;

// A transformation that many pairs have in common, whatever program is behind it.
struct Transformation {
  Operation operation;
  std::vector<int64_t> pairs;  // which it explains
};

// Nats of y given x without any theory: which cells change, and to what; or what every cell is, where that is
// shorter.
double baseline_cost(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values);

// Nats of naming a transformation for each of `uses` pairs, of `pairs` in all: rare ones have long names, or
// a few pairs that agree by chance would pay for one.
double naming_cost(size_t uses, int64_t pairs);

// Nats that an operation saves on a pair, its name aside: all but what it gets wrong.
double saved_by(const Operation& operation, std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values);

}  // namespace neo

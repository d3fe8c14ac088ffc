#pragma once

#include "discover/operation.h"

namespace neo {

inline constexpr size_t kLeastPairs = 4;  // that a transformation must explain
inline constexpr double kUse = 3.0;       // nats of naming a transformation for a pair

// Nats, where every transformation counts once: an operation of the vocabulary, a step of a program, a
// transformation without a program.
inline constexpr double kOperation = 6, kStep = 1, kUnsaid = 30;

// A transformation that many pairs have in common, whatever program is behind it.
struct Transformation {
  Operation operation;
  std::vector<int64_t> pairs;  // which it explains
};

// Nats of y given x without any theory: which cells change, and to what.
double baseline_cost(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values);

// Nats that an operation saves on a pair: all but its name and what it gets wrong.
double saved_by(const Operation& operation, std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values);

}  // namespace neo

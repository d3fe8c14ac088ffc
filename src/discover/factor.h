#pragma once

#include "discover/tell_apart.h"

namespace neo {

// The vocabulary of least description length for the transformations: some of them, and differences between
// them (what must follow or precede one of them to give another), so that operations never seen alone are
// found too. Every transformation is to be said by a program of at most two operations.
std::vector<Operation> factor(const PairTable& pairs, const std::vector<Transformation>& transformations);

}  // namespace neo

#pragma once

#include <cstdint>
#include <vector>

namespace neo {

// A small array of numbers read from a file: row-major, whatever the order on disk.
struct Array {
  std::vector<int64_t> shape;  // {} for a single number
  bool is_real = false;        // stored as floating point; else integers or truth values
  std::vector<double> values;
};

}  // namespace neo

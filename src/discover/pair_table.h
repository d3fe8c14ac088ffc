#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neo {

// Pairs of categorical observations as plain numbers, for learning by counting. One value per cell.
struct PairTable {
  int64_t rows = 1, columns = 1;  // of a grid; a sequence is one row
  int64_t values = 0;             // V, every value is below
  std::vector<uint16_t> x, y;     // [B, N] each

  int64_t cells() const { return rows * columns; }  // N
  int64_t size() const { return static_cast<int64_t>(x.size()) / cells(); }
  std::span<const uint16_t> x_at(int64_t pair) const { return at(x, pair); }
  std::span<const uint16_t> y_at(int64_t pair) const { return at(y, pair); }
  void add(std::span<const uint16_t> from, std::span<const uint16_t> to) {
    x.insert(x.end(), from.begin(), from.end());
    y.insert(y.end(), to.begin(), to.end());
  }
  PairTable empty_like() const { return {rows, columns, values, {}, {}}; }

 private:
  std::span<const uint16_t> at(const std::vector<uint16_t>& all, int64_t pair) const {
    return {all.data() + pair * cells(), static_cast<size_t>(cells())};
  }
};

}  // namespace neo

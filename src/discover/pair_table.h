#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neo {

// What observations of categories look like to counting. A place of the grid holds one value per channel; a
// cell is one channel of one place, so that an observation is [rows, columns, channels] values.
struct CellShape {
  int64_t rows = 1, columns = 1;  // of a grid; a sequence is one row
  int64_t values = 0;             // V, every value is below
  int64_t channels = 1;
  std::vector<uint16_t>
      blank;  // [channels] the value for "nothing here" where observations are padded, else empty

  int64_t cells() const { return rows * columns * channels; }  // N
  bool operator==(const CellShape&) const = default;
};

// Pairs of categorical observations as plain numbers, for learning by counting.
struct PairTable {
  CellShape shape;
  std::vector<uint16_t> x, y;  // [B, N] each

  int64_t cells() const { return shape.cells(); }
  int64_t values() const { return shape.values; }
  int64_t size() const { return static_cast<int64_t>(x.size()) / cells(); }
  std::span<const uint16_t> x_at(int64_t pair) const { return at(x, pair); }
  std::span<const uint16_t> y_at(int64_t pair) const { return at(y, pair); }
  void add(std::span<const uint16_t> from, std::span<const uint16_t> to) {
    x.insert(x.end(), from.begin(), from.end());
    y.insert(y.end(), to.begin(), to.end());
  }
  PairTable empty_like() const { return {shape, {}, {}}; }

 private:
  std::span<const uint16_t> at(const std::vector<uint16_t>& all, int64_t pair) const {
    return {all.data() + pair * cells(), static_cast<size_t>(cells())};
  }
};

int64_t changed_cells(std::span<const uint16_t> x, std::span<const uint16_t> y);

}  // namespace neo

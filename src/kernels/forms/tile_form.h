#pragma once

#include <array>
#include <utility>

#include "kernels/forms/vector.h"
#include "kernels/tile.h"

namespace neo {

template <typename V>
class TileForm : Vectors<V> {
 public:
  static void run(const Tile& tile, int64_t images) {
    constexpr int64_t kColumns = V::kLanes * V::kVectors;
    for (int64_t first = 0; first < tile.columns; first += kColumns) {
      const Tile part = first == 0 ? tile : beginning_at(tile, first);
      if (fits_pairs(part)) {
        run_rows<PairBlock, 1>(part, images);
      } else if (2 * part.columns <= kColumns) {  // half of the registers do
        run_rows<Block, V::kVectors / 2>(part, images);
      } else {
        run_rows<Block, V::kVectors>(part, images);
      }
    }
  }

 private:
  using Value = typename V::Value;
  using Vectors<V>::load, Vectors<V>::store, Vectors<V>::all;
  static constexpr int kMostRows = 12;
  static constexpr int kPerPanel = kTileColumns / V::kLanes;  // vectors

  [[gnu::always_inline]] static Value broadcast(const float* from) {
    if constexpr (requires { V::broadcast(from); })
      return V::broadcast(from);
    else
      return all(*from);
  }

  static Tile beginning_at(const Tile& tile, int64_t column) {
    Tile part = tile;
    const int64_t panel = column / kTileColumns;
    part.panel += panel * tile.panel_stride;
    if (part.bias) part.bias += column;
    for (const float*& addend : part.addends)
      if (addend) addend += column;
    part.output += column;
    part.columns -= column;
    if (part.positive) part.positive += panel;
    if (part.keep) part.keep += panel;
    return part;
  }

  // Where a vector is as wide as a panel and half of the panel is empty.
  static bool fits_pairs(const Tile& tile) {
    return kPerPanel == 1 && 2 * tile.columns <= V::kLanes && tile.channels % 2 == 0 && tile.channel_stride == 1;
  }

  // Block<rows, Across>::run for the rows there are, the most that registers hold at a time.
  template <template <int, int> typename Kind, int Across>
  static void run_rows(const Tile& tile, int64_t images) {
    constexpr int kRows = V::kSums / Across < kMostRows ? V::kSums / Across : kMostRows;
    static constexpr auto kBlocks = blocks<Kind, Across>(std::make_index_sequence<kRows>());  // for 1 to kRows
    for (int64_t first = 0; first < images; first += kRows)
      kBlocks[static_cast<size_t>((images - first < kRows ? images - first : kRows) - 1)](tile, first);
  }
  template <template <int, int> typename Kind, int Across, size_t... Rows>
  static constexpr auto blocks(std::index_sequence<Rows...>) {
    return std::array<void (*)(const Tile&, int64_t), sizeof...(Rows)>{&Kind<Rows + 1, Across>::run...};
  }

  // What every sum begins with.
  template <int Rows, int Across>
  [[gnu::always_inline]] static void begin(const Tile& tile, int64_t first, Value (&sum)[Rows][Across]) {
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < Across; ++v) sum[r][v] = tile.bias ? load(tile.bias + V::kLanes * v) : Value{};
    for (const float* addend : tile.addends) {
      if (!addend) continue;
#pragma GCC unroll 12
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < Across; ++v)
          sum[r][v] += load(addend + (first + r) * tile.addend_stride + V::kLanes * v);
    }
  }

  template <int Rows, int Across>
  struct Block {
    static void run(const Tile& tile, int64_t first) {
      const int64_t stride = tile.input_stride, step = tile.channel_stride;
      Value sum[Rows][Across];
      begin(tile, first, sum);
      for (const Tap& tap : tile.taps) {
        const float* input = tile.input + first * stride + tap.input;
        const float* weights = tile.panel + tap.weight;
        for (int64_t k = 0; k < tile.channels; ++k, input += step, weights += kTileColumns) {
          Value weight[Across];
#pragma GCC unroll 4
          for (int v = 0; v < Across; ++v)
            weight[v] = load(weights + v / kPerPanel * tile.panel_stride + v % kPerPanel * V::kLanes);
#pragma GCC unroll 12
          for (int r = 0; r < Rows; ++r) {
            const Value value = broadcast(input + r * stride);
#pragma GCC unroll 4
            for (int v = 0; v < Across; ++v) sum[r][v] = V::multiply_add(value, weight[v], sum[r][v]);
          }
        }
      }
#pragma GCC unroll 12
      for (int r = 0; r < Rows; ++r) finish<Across>(tile, first + r, sum[r]);
    }
  };

  // Two channels at a time: even ones are summed in even lanes, odd ones in odd lanes, added up at the end.
  template <int Rows, int Across>
  struct PairBlock {
    static void run(const Tile& tile, int64_t first) {
      if constexpr (kPerPanel == 1) {
        const int64_t stride = tile.input_stride;
        Value start[Rows][Across], sum[Rows] = {};
        for (const Tap& tap : tile.taps) {
          const float* input = tile.input + first * stride + tap.input;
          const float* weights = tile.panel + tap.weight;
          for (int64_t k = 0; k < tile.channels; k += 2, input += 2, weights += 2 * kTileColumns) {
            const Value weight = V::interleave(weights, weights + kTileColumns);
#pragma GCC unroll 12
            for (int r = 0; r < Rows; ++r)
              sum[r] = V::multiply_add(V::all_pairs(input + r * stride), weight, sum[r]);
          }
        }
        begin(tile, first, start);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
          start[r][0] += V::add_pairs(sum[r]);
          finish<Across>(tile, first + r, start[r]);
        }
      }
    }
  };

  template <int Across>
  [[gnu::always_inline]] static void finish(const Tile& tile, int64_t image, Value (&sum)[Across]) {
    if (tile.positive) {
      uint16_t* words = tile.positive + image * tile.bits_stride;
#pragma GCC unroll 4
      for (int v = 0; v < Across; v += kPerPanel) {
        if (v * V::kLanes >= tile.columns) break;
        constexpr int kParts = kPerPanel < Across ? kPerPanel : Across;
        unsigned bits = 0;
#pragma GCC unroll 4
        for (int part = 0; part < kParts; ++part) bits |= V::positive(sum[v + part]) << (part * V::kLanes);
        words[v / kPerPanel] = static_cast<uint16_t>(bits);
      }
    }
    float* output = tile.output + image * tile.output_stride;
#pragma GCC unroll 4
    for (int v = 0; v < Across; ++v) {
      const int64_t left = tile.columns - v * V::kLanes;
      if (left <= 0) break;
      if (tile.relu) sum[v] = sum[v] <= 0.0f ? Value{} : sum[v];  // NaN must stay visible
      if (tile.keep) {
        const unsigned word = tile.keep[image * tile.bits_stride + v / kPerPanel];
        sum[v] = V::keep(sum[v], word >> (v % kPerPanel * V::kLanes));
      }
      if (left >= V::kLanes) {
        store(output + v * V::kLanes, sum[v]);
      } else {
        V::store_first(output + v * V::kLanes, sum[v], static_cast<int>(left));
      }
    }
  }
};

}  // namespace neo

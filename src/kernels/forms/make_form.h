#pragma once

#include "kernels/forms/attention_form.h"
#include "kernels/forms/category_form.h"
#include "kernels/forms/form.h"
#include "kernels/forms/norm_form.h"
#include "kernels/forms/peak_form.h"
#include "kernels/forms/sum_form.h"
#include "kernels/forms/tile_form.h"

namespace neo {

// V, a vector of V::kLanes floats:
//   Value                          a compiler's vector type, with its operators
//   multiply_add(a, b, sum)        a b + sum
//   positive(v)                    bit i is set where v[i] > 0
//   keep(v, bits)                  0 where the bit is clear
//   load_first(from, count)        the first `count` values, zeros behind them
//   store_first(to, v, count)      the first `count` values
//   interleave, all_pairs, add_pairs  where a vector is as wide as a panel: see TileForm::PairBlock
//   kVectors, kSums                a tile's registers: vectors side by side, sums in all
template <typename V>
constexpr Form make_form() {
  return {.columns = V::kLanes * V::kVectors,
          .tile = &TileForm<V>::run,
          .combine = &SumForm<V>::combine,
          .column_sums = &SumForm<V>::column_sums,
          .attend_row = &AttentionForm<V>::attend_row,
          .attend_row_backward = &AttentionForm<V>::attend_row_backward,
          .norm_rows = &NormForm<V>::rows,
          .norm_rows_backward = &NormForm<V>::rows_backward,
          .score_row = &CategoryForm<V>::score_row,
          .multiply_adds = &PeakForm<V>::multiply_adds,
          .multiply_adds_per_round = PeakForm<V>::kPerRound};
}

}  // namespace neo

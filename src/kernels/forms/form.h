#pragma once

#include <cstdint>

#include "kernels/attention.h"
#include "kernels/category_loss.h"
#include "kernels/conv_plan.h"
#include "kernels/instructions.h"
#include "kernels/norm.h"
#include "kernels/tile.h"

namespace neo {

// The inner loops of the kernels, compiled for one set of instructions. Templates over a vector type
// (*_form.h) are instantiated once in portable.cc, avx2.cc and avx512.cc, each with its own compiler flags.
// A header for those files must not define functions outside of templates over the vector type, or the
// linker might hand a processor instructions that it does not have.
struct Form {
  int64_t columns;  // of a tile that are computed at once: callers offer so many
  void (*tile)(const Tile& tile, int64_t images);
  void (*combine)(const ConvPlan& plan, const float* image, float* out);
  void (*column_sums)(const float* matrix, int64_t rows, int64_t columns, float* sums);
  void (*attend_row)(const AttentionTask& task, int64_t row, float* out);
  void (*attend_row_backward)(const AttentionTask& task, int64_t row, const float* upstream, float* query,
                              float* memory);
  void (*norm_rows)(const NormTask& task, int64_t begin, int64_t end, float* out);
  void (*norm_rows_backward)(const NormTask& task, int64_t begin, int64_t end, const float* upstream, float* sum,
                             float* gain, float* offset);
  bool (*score_row)(const CategoryLoss& task, int64_t row);  // whether every target was a category
  float (*multiply_adds)(int64_t rounds, float by);          // to see how fast they can be
  int64_t multiply_adds_per_round;
};

// Products of numbers rounded to bfloat16: a float of the tile's input and of its panels holds two
// neighbouring channels, so that `channels` and all strides of theirs count pairs. Bias, addends and sums are
// float32.
struct RoundedForm {
  void (*tile)(const Tile& tile, int64_t images);
  void (*round_row)(const float* from, int64_t count, float* to);  // neighbours; an even count
  void (*round_two)(const float* even, const float* odd, int64_t count, float* to);  // even[i] with odd[i]
  float (*multiply_adds)(int64_t rounds, float by);
  int64_t multiply_adds_per_round;
};

extern const Form kPortableForm;
#if defined(__x86_64__)
extern const Form kAvx2Form, kAvx512Form;
extern const RoundedForm kAvx512Bf16Form;
#endif

const Form& form_of(Instructions instructions);
inline const Form& form() { return form_of(instructions()); }
const RoundedForm& rounded_form();  // where require(Precision::bf16) has no objection

}  // namespace neo

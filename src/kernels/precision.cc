#include "kernels/precision.h"

#include <atomic>

#include "core/error.h"
#include "kernels/instructions.h"

namespace neo {
namespace {
std::atomic<Precision> precision_now = Precision::float32;
}  // namespace

Precision precision_named(std::string_view name) {
  for (const Precision precision : {Precision::float32, Precision::bf16})
    if (name == name_of(precision)) return precision;
  fail_usage("unknown precision '{}'; choose float32 or bf16", name);
}

std::string_view name_of(Precision precision) { return precision == Precision::bf16 ? "bf16" : "float32"; }

bool is_possible(Precision precision) {
  return precision == Precision::float32 || (instructions() == Instructions::avx512 && has_bf16());
}

void require(Precision precision) {
  if (is_possible(precision)) return;
  fail_usage("precision bf16 needs AVX-512-BF16, which {}; use --precision float32",
             has_bf16() ? "NEO_INSTRUCTIONS excludes" : "this processor does not have");
}

Precision precision() { return precision_now.load(std::memory_order_relaxed); }

ScopedPrecision::ScopedPrecision(Precision precision) : before_(precision_now.load()) {
  require(precision);
  precision_now = precision;
}
ScopedPrecision::~ScopedPrecision() { precision_now = before_; }

}  // namespace neo

#pragma once

#include <string_view>

namespace neo {

// What operands of a product are rounded to, where a product allows it; sums are float32. bf16 needs
// AVX-512-BF16: half of the digits, twice the products.
enum class Precision { float32, bf16 };

// "bf16" -> bf16. UsageError for a name that is unknown.
Precision precision_named(std::string_view name);
std::string_view name_of(Precision precision);
bool is_possible(Precision precision);  // on this processor, with the instructions in use
// UsageError, with the remedy, where it is not possible.
void require(Precision precision);

// float32, but while a ScopedPrecision lives.
Precision precision();

class ScopedPrecision {
 public:
  explicit ScopedPrecision(
      Precision precision);  // one that require() accepts. Not while another thread computes.
  ~ScopedPrecision();
  ScopedPrecision(const ScopedPrecision&) = delete;
  ScopedPrecision& operator=(const ScopedPrecision&) = delete;

 private:
  Precision before_;
};

}  // namespace neo

// For any processor: four floats at a time, which compilers turn into whatever it has.
#include "kernels/forms/make_form.h"

namespace neo {
namespace {

struct Portable {
  static constexpr int kLanes = 4;
  static constexpr int kVectors = 4;  // with two rows of sums, eight of SSE's sixteen registers
  static constexpr int kSums = 8;
  using Value [[gnu::vector_size(16)]] = float;

  static Value multiply_add(Value a, Value b, Value sum) { return a * b + sum; }
  static unsigned positive(Value v) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= unsigned{v[i] > 0.0f} << i;
    return bits;
  }
  static Value keep(Value v, unsigned bits) {
    for (int i = 0; i < kLanes; ++i) v[i] = bits >> i & 1 ? v[i] : 0.0f;
    return v;
  }
  static Value load_first(const float* from, int count) {
    Value v{};
    for (int i = 0; i < count; ++i) v[i] = from[i];
    return v;
  }
  static void store_first(float* to, Value v, int count) {
    for (int i = 0; i < count; ++i) to[i] = v[i];
  }
};

}  // namespace

const Form kPortableForm = make_form<Portable>();

}  // namespace neo

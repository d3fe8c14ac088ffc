#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace neo {

// While it lives, numbers below 1.2e-38 count as zero on this thread. A decoder that is sure of its values has
// gradients of such size, and computing with them is slow: they took more than half of a training step of the paper's
// grid model.
class SubnormalsAreZero {
 public:
#if defined(__SSE__)
  SubnormalsAreZero() : before_(_mm_getcsr()) {
    if ((before_ & kBoth) != kBoth) _mm_setcsr(before_ | kBoth);
  }
  ~SubnormalsAreZero() {
    if ((before_ & kBoth) != kBoth) _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned kBoth = 0x8040;  // of results, of operands
  unsigned before_;
#else
  SubnormalsAreZero() {}
#endif

 public:
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;
};

}  // namespace neo

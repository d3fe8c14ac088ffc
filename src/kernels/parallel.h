#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "kernels/subnormals.h"

namespace neo {

// How many threads in_parallel would use here.
inline int64_t threads_here() { return omp_in_parallel() ? 1 : omp_get_max_threads(); }

// f(0) ... f(count - 1), in no particular order. A thread takes the next when it has done one: fixed halves
// would wait for whichever core has something else to do. LibTorch's threads are OpenMP's too, so its setting
// holds here, and inside of f its operators run on the one thread. Subnormal numbers count as zero inside of f,
// whichever thread runs it.
template <typename F>
void in_parallel(int64_t count, const F& f) {
  const auto threads = static_cast<int>(std::min(count, threads_here()));
  if (threads <= 1) {
    const SubnormalsAreZero guard;
    for (int64_t i = 0; i < count; ++i) f(i);
    return;
  }
  std::atomic<int64_t> next{0};
  std::exception_ptr thrown;  // the first; it must not leave a parallel region by itself
#pragma omp parallel num_threads(threads)
  {
    const SubnormalsAreZero guard;
    try {
      for (int64_t i; (i = next.fetch_add(1)) < count;) f(i);
    } catch (...) {
#pragma omp critical(neo_in_parallel)
      if (!thrown) thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

// f(begin, end) over pieces of [0, count) of at least `worth` each: fewer are not worth waking a thread for.
template <typename F>
void in_pieces(int64_t count, int64_t worth, const F& f) {
  if (count == 0) return;
  const int64_t pieces = std::clamp<int64_t>(count / worth, 1, threads_here());
  in_parallel(pieces, [&](int64_t i) { f(i * count / pieces, (i + 1) * count / pieces); });
}

}  // namespace neo

#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace neo {

// f(0) ... f(count - 1), in no particular order. A thread takes the next when it has done one: fixed halves
// would wait for whichever core has something else to do.
template <typename F>
void in_parallel(int64_t count, const F& f) {
  std::atomic<int64_t> next{0};
  at::parallel_for(0, std::min<int64_t>(count, at::get_num_threads()), /*grain_size=*/1,
                   [&](int64_t begin, int64_t end) {
                     for (; begin < end; ++begin)
                       for (int64_t i; (i = next.fetch_add(1)) < count;) f(i);
                   });
}

}  // namespace neo

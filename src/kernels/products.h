#pragma once

#include <atomic>
#include <cstdint>

namespace neo {

// Multiply-adds that an algorithm needs: those of existing channels and pixels, however many a kernel rounds
// them up to. Kernels report theirs here; nothing is kept unless someone counts.
namespace internal {
extern std::atomic<bool> counting;
extern std::atomic<int64_t> products;
}  // namespace internal

inline void count_products(int64_t products) {
  if (internal::counting.load(std::memory_order_relaxed))
    internal::products.fetch_add(products, std::memory_order_relaxed);
}

// Counts, on all threads, from here until it is destroyed. One at a time.
class ProductCounter {
 public:
  ProductCounter();
  ~ProductCounter();
  ProductCounter(const ProductCounter&) = delete;
  ProductCounter& operator=(const ProductCounter&) = delete;
  int64_t count() const { return internal::products.load(); }
};

}  // namespace neo

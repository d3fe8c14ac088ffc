#include "kernels/products.h"

#include "core/error.h"

namespace neo {
namespace internal {
std::atomic<bool> counting = false;
std::atomic<int64_t> products = 0;
}  // namespace internal

ProductCounter::ProductCounter() {
  NEO_CHECK_EQ(internal::counting.exchange(true), false);
  internal::products = 0;
}
ProductCounter::~ProductCounter() { internal::counting = false; }

}  // namespace neo

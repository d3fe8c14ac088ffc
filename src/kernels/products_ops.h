#pragma once

#include <ATen/record_function.h>

#include "kernels/products.h"

namespace neo {

// Counts LibTorch's matrix products and convolutions too, by watching its operators. That slows every one of
// them down a little: count and time different passes.
class AllProductCounter {
 public:
  AllProductCounter();
  ~AllProductCounter();
  AllProductCounter(const AllProductCounter&) = delete;
  AllProductCounter& operator=(const AllProductCounter&) = delete;
  int64_t count() const { return kernels_.count(); }

 private:
  ProductCounter kernels_;
  at::CallbackHandle handle_;
};

}  // namespace neo

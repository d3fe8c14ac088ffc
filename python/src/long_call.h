#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "core/error.h"

namespace neo::python {

namespace nb = nanobind;

// For as long as it lives, loops of this thread report to `callback` (label, done, total, rate, suffix,
// finished; may be None), and Ctrl-C reaches the library as its interrupt. Made and destroyed with the GIL,
// which the library's work is done without.
class LongCall {
 public:
  explicit LongCall(nb::object callback);
  ~LongCall();
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

  // Calls `work` without the GIL. What `callback` throws ends it, and is thrown again.
  template <typename Work>
  auto run(Work&& work) {
    try {
      nb::gil_scoped_release unlocked;
      return work();
    } catch (const Error&) {
      rethrow_from_callback();
      throw;
    }
  }

 private:
  void rethrow_from_callback();
  nb::object callback_;
  std::optional<nb::python_error> thrown_;
};

}  // namespace neo::python

#include "long_call.h"

#include <nanobind/stl/string.h>

#include "core/files.h"
#include "core/progress.h"

namespace neo::python {

LongCall::LongCall(nb::object callback) : callback_(std::move(callback)) {
  set_interrupted(false);
  set_progress_listener([this](const ProgressState& state, bool finished) {
    nb::gil_scoped_acquire locked;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!callback_.is_none())
        callback_(state.label, state.done, state.total, state.rate, state.suffix, finished);
    } catch (nb::python_error& error) {
      if (!thrown_) thrown_.emplace(error);
      set_interrupted(true);  // the loop ends where nothing is lost
    }
  });
}

LongCall::~LongCall() {
  set_progress_listener({});
  set_interrupted(false);
}

void LongCall::rethrow_from_callback() {
  if (!thrown_ || thrown_->matches(PyExc_KeyboardInterrupt))
    return;  // that one has a message of the library's
  throw nb::python_error(*thrown_);
}

}  // namespace neo::python

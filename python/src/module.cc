// neo_theorizer._core: the library for the Python modules beside it, which are what users see.

#include <dlfcn.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <torch/torch.h>

#include "core/error.h"
#include "core/threads.h"
#include "core/version.h"
#include "data.h"
#include "theory.h"

namespace nb = nanobind;

namespace neo::python {
namespace {

constexpr int kInterrupted = 130;  // exit code of an Error that Ctrl-C caused

nb::object make_exception(nb::module_& m, const char* name, nb::handle bases, const char* about) {
  const std::string full = nb::cast<std::string>(m.attr("__name__")) + "." + name;
  nb::object type = nb::steal(PyErr_NewExceptionWithDoc(full.c_str(), about, bases.ptr(), nullptr));
  m.attr(name) = type;
  return type;
}

struct ErrorTypes {
  PyObject *error, *usage;
};

// The library's one-line messages, under Python's names.
void translate(const std::exception_ptr& exception, void* payload) {
  const auto* types = static_cast<const ErrorTypes*>(payload);
  try {
    std::rethrow_exception(exception);
  } catch (const UsageError& error) {
    PyErr_SetString(types->usage, error.what());
  } catch (const Error& error) {
    PyErr_SetString(error.exit_code() == kInterrupted ? PyExc_KeyboardInterrupt : types->error, error.what());
  }
}

void bind_errors(nb::module_& m) {
  const nb::object error =
      make_exception(m, "Error", nb::handle(PyExc_Exception),
                     "Bad input, a bad file or a failing environment; one line says what to do.");
  const nb::tuple bases = nb::make_tuple(error, nb::handle(PyExc_ValueError));
  const nb::object usage = make_exception(m, "UsageError", bases, "A mistake in how something was called.");
  static ErrorTypes types{error.ptr(), usage.ptr()};  // the module keeps them alive
  nb::register_exception_translator(translate, &types);
}

// The file that LibTorch was loaded from.
std::string libtorch_path() {
  Dl_info found{};
  int (*const inside)() = &at::get_num_threads;
  return dladdr(reinterpret_cast<void*>(inside), &found) != 0 ? found.dli_fname : "";
}

}  // namespace
}  // namespace neo::python

NB_MODULE(_core, m) {
  using namespace neo::python;
  torch::set_num_threads(neo::default_threads());
  m.def("version", &neo::version);
  m.def("libtorch_version", [] { return std::string(TORCH_VERSION); });
  m.def("libtorch_path", &libtorch_path);
  m.def("threads", [] { return torch::get_num_threads(); });
  m.def("set_threads", [](int count) { torch::set_num_threads(count); });
  bind_errors(m);
  bind_data(m);
  bind_theory(m);
}

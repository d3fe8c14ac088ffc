#pragma once

#include <nanobind/nanobind.h>

namespace neo::python {

void bind_theory(nanobind::module_& m);

}  // namespace neo::python

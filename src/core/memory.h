#pragma once

namespace neo {

// Bytes that this process can still allocate: what the machine, its control group and `ulimit -v` leave.
double available_memory();

}  // namespace neo

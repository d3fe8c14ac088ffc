#pragma once

#include <string>
#include <vector>

namespace neo {

// A true (hidden) program: indices into the world's primitive names, in order of execution.
using Program = std::vector<int>;

}  // namespace neo

#pragma once

#include <string>

namespace neo {

std::string version();       // "0.2.0"
std::string git_revision();  // of the source this was built from; "unknown" outside a git checkout

}  // namespace neo

#include "core/version.h"

// CMake sets both for this file only, so that a new commit recompiles nothing else.
#ifndef NEO_VERSION
#define NEO_VERSION "0.2.0"
#endif
#ifndef NEO_GIT_REVISION
#define NEO_GIT_REVISION "unknown"
#endif

namespace neo {

std::string version() { return NEO_VERSION; }
std::string git_revision() { return NEO_GIT_REVISION; }

}  // namespace neo

#include "core/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace neo {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double number_in(const char* path) {
  double value = kUnknown;
  std::ifstream file(path);
  return file >> value ? value : kUnknown;  // "max", or no such file: no limit
}

double machine_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) return 1024 * std::stod(line.substr(line.find(':') + 1));
  return kUnknown;
}

double group_memory() {
  const double most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  return most == kUnknown || used == kUnknown ? kUnknown : std::max(most - used, 0.0);
}

double address_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

double available_memory() { return std::min({machine_memory(), group_memory(), address_limit()}); }

}  // namespace neo

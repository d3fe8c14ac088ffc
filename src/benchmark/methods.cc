#include "benchmark/methods.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace neo {

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"disc-mono", "disc-mono", "Disc-Mono"},
      {"cont-mono", "cont-mono", "Cont-Mono"},
      {"cont-mono-opt", "cont-mono", "Cont-Mono-Opt"},
      {"neo", "neo", "NEO"},
  };
  return all;
}

const Method& method_named(const std::string& name) {
  const auto found = std::ranges::find(methods(), name, &Method::name);
  if (found == methods().end()) {
    std::vector<std::string> names;
    for (const Method& method : methods()) names.push_back(method.name);
    fail_usage("there is no method '{}'; one of: {}", printable(name), fmt::join(names, ", "));
  }
  return *found;
}

}  // namespace neo

#include "data/raw_pair.h"

#include <fmt/format.h>

#include "core/text.h"

namespace neo {

std::string Origin::text() const {
  std::string name = file ? printable(file->string(), 400) : "";
  if (episode >= 0) name += fmt::format(", episode {}", episode);
  return *unit ? fmt::format("{}, {} {}", name, unit, index) : name;
}

}  // namespace neo

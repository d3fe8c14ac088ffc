#pragma once

#include <string>
#include <vector>

namespace neo {

// Lines of aligned columns, two blanks apart: the first `names` of them to the left, numbers to the right. Rows may be
// shorter than the longest.
std::string aligned(const std::vector<std::vector<std::string>>& rows, size_t names = 1);

}  // namespace neo

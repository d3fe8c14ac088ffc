#include "core/table.h"

#include <algorithm>

#include "core/text.h"

namespace neo {

std::string aligned(const std::vector<std::vector<std::string>>& rows, size_t names) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], utf8_columns(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - utf8_columns(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i < names ? row[i] + blanks : blanks + row[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace neo

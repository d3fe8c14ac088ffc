#pragma once

#include <string_view>

namespace neo {

// A file that the build took into the binary, by its name: the pages of web/dist ("report.html",
// "explorer.html") and "published.json". Valid as long as the program runs.
std::string_view embedded_file(std::string_view name);

}  // namespace neo

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neo {

// A file compiled into the binary, by its name: the pages of web/dist ("report.html", "explorer.html"),
// "openapi.json", the presets ("<name>.toml"), and the published figures of a benchmark
// ("<folder>/published.json"). Valid as long as the program runs.
std::string_view embedded_file(std::string_view name);
std::vector<std::string> embedded_names();

}  // namespace neo

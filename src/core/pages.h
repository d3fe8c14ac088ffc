#pragma once

#include <string_view>

namespace neo {

// A page of web/dist as it was when the binary was built: "report" or "explorer". Valid as long as the
// program runs.
std::string_view embedded_page(std::string_view name);

}  // namespace neo

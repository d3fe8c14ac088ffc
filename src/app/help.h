#pragma once

#include <CLI/CLI.hpp>

namespace neo {

// Help in lines of 80 columns, for this command and those that are added to it afterwards.
void format_as_pages(CLI::App& app);

}  // namespace neo

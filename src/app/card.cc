#include "neo/card.h"

#include <fmt/format.h>

#include "app/execute.h"
#include "core/text.h"

namespace neo {

void execute(const CardCommand& command) {
  const nlohmann::json figures = write_card(command);
  if (command.json)
    fmt::print("{}\n", figures.dump(2));
  else
    fmt::print("wrote {}\n", printable((command.out / "README.md").string(), 400));
}

}  // namespace neo

#include <fmt/format.h>

#include "app/execute.h"
#include "core/error.h"
#include "core/files.h"
#include "neo/signature.h"

namespace neo {

void execute(const SignatureCommand& command) {
  const nlohmann::json found = recipe_signatures();
  if (command.check.empty() || command.json) fmt::print("{}\n", found.dump(2));
  if (command.check.empty()) return;
  const auto changed = signature_differences(found, nlohmann::json::parse(read_file(command.check)));
  if (!changed.empty())
    fail("{} of {} recipes learn differently than {} says: {}; if intended, update that file",
         changed.size(), found.size(), command.check.string(), fmt::join(changed, "; "));
  if (!command.json) fmt::print("{} recipes learn as {} says\n", found.size(), command.check.string());
}

}  // namespace neo

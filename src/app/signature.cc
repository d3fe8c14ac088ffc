#include <memory>

#include "app/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "neo/signature.h"

namespace neo {
namespace {

struct SignatureCommand {
  std::filesystem::path check;
  bool json = false;
};

void run_signature(const SignatureCommand& command) {
  const nlohmann::json found = recipe_signatures();
  if (command.check.empty() || command.json) fmt::print("{}\n", found.dump(2));
  if (command.check.empty()) return;
  const auto changed = signature_differences(found, nlohmann::json::parse(read_file(command.check)));
  if (!changed.empty())
    fail("{} of {} recipes learn differently than {} says: {}; if intended, update that file",
         changed.size(), found.size(), command.check.string(), fmt::join(changed, "; "));
  if (!command.json) fmt::print("{} recipes learn as {} says\n", found.size(), command.check.string());
}

}  // namespace

void setup_signature(CLI::App& app) {
  auto command = std::make_shared<SignatureCommand>();
  CLI::App* sub = app.add_subcommand(
      "signature",
      "One number per recipe: the losses of a few fixed steps on one thread; shows what a change left alone");
  sub->add_option("--check", command->check, "Compare with this file and fail where a recipe differs");
  sub->add_flag("--json", command->json, "Print the numbers also when comparing");
  sub->footer(
      "Examples:\n  neo signature --check tests/golden/signature.json\n  neo signature > tests/golden/signature.json");
  sub->callback([command] { run_signature(*command); });
}

}  // namespace neo

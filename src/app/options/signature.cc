#include <memory>

#include "app/commands.h"

namespace neo {

void setup_signature(CLI::App& app, const Act& act) {
  auto command = std::make_shared<SignatureCommand>();
  CLI::App* sub = app.add_subcommand(
      "signature",
      "One number per recipe: the losses of a few fixed steps on one thread; shows what a change left alone");
  sub->add_option("--check", command->check, "Compare with this file and fail where a recipe differs");
  sub->add_flag("--json", command->json, "Print the numbers also when comparing");
  sub->footer(
      "Examples:\n  neo signature --check tests/golden/signature.json\n  neo signature > tests/golden/signature.json");
  sub->callback([command, act] { act(*command); });
}

}  // namespace neo

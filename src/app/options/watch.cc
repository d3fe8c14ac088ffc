#include <memory>

#include "app/commands.h"

namespace neo {

void setup_watch(CLI::App& app, const Act& act) {
  auto command = std::make_shared<WatchCommand>();
  CLI::App* sub = app.add_subcommand("watch", "A training run on the terminal: loss, share explained, codes and what they do");
  sub->add_option("run", command->run, "A run folder, or its name below runs/")->required()->transform(names_theory());
  sub->add_flag("--once", command->once, "Show it once, also while it runs");
  sub->footer("Examples:\n  neo watch runs/mine\n  neo train --data pairs.h5 --watch");
  sub->callback([command, act] { act(*command); });
}

}  // namespace neo

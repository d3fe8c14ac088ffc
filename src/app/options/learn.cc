#include <memory>

#include "app/commands.h"
#include "app/settings.h"

namespace neo {

void setup_learn(CLI::App& app, const Act& act) {
  auto command = std::make_shared<LearnCommand>();
  CLI::App* learn = app.add_subcommand(
      "learn", "Learn a theory of your own pairs or recordings: import, train, evaluate, show the vocabulary");
  learn->add_option("sources", command->sources, "Anything that `neo data import` takes, or a file it made")
      ->required();
  learn->add_option("--out", command->run, "Run folder (default: runs/<name of the source>)");
  learn->add_option("--minutes", command->minutes, "Time limit in minutes (approximate; default: as long as the preset takes)")
      ->check(within(between(0.01, 1e6)));
  learn->add_option("--codes", command->codes, "Vocabulary size (default: the preset's)")->check(CLI::Range(1, 256));
  learn->add_option("--preset", command->preset, "auto (the structure that explains the pairs), or a recipe of the layout: fast")->capture_default_str();
  learn->add_option("--seed", command->seed, "Random seed")->check(is_seed())->capture_default_str();
  add_import_flags(*learn, command->import_flags);
  learn->add_flag("--json", command->json, "Print the result as one JSON object");
  learn->footer(
      "Examples:\n  neo learn pairs.npz\n  neo learn before_and_after/ --minutes 5\n"
      "  neo learn recording.hdf5 --lags 1-2 --out runs/mine\ndocs/own-data.md says more.");
  learn->callback([command, act] {
    command->import = command->import_flags.resolved();
    command->quiet = command->json;
    act(*command);
  });
}

}  // namespace neo

#include <memory>

#include "app/commands.h"

namespace neo {

void setup_card(CLI::App& app, const Act& act) {
  auto command = std::make_shared<CardCommand>();
  CLI::App* sub = app.add_subcommand("card",
                                     "A folder to publish a theory in: its weights, a model card with "
                                     "figures, and its vocabulary as a picture");
  add_theory(*sub, command->model)->required();
  sub->add_option("--out", command->out, "The folder: theory.safetensors, README.md and vocabulary.svg")
      ->required();
  sub->add_option("--data", command->data,
                  "Pairs for the figures (default: a benchmark's ID, or the theory's examples)");
  sub->add_option("--licence,--license", command->licence, "Of the theory, as Hugging Face names licences")
      ->capture_default_str();
  sub->add_flag("--json", command->json, "Print the figures as JSON");
  sub->footer(
      "Examples:\n  neo card runs/mine --data runs/mine/pairs.h5 --out my-theory --licence mit");
  sub->callback([command, act] { act(*command); });
}

}  // namespace neo

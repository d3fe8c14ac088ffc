#include <memory>

#include "app/commands.h"
#include "app/settings.h"

namespace neo {

void setup_inspect(CLI::App& app, const Act& act) {
  auto command = std::make_shared<InspectCommand>();
  InspectionOptions& options = command->options;
  CLI::App* sub = app.add_subcommand(
      "inspect", "The vocabulary of a theory: what each code does, how often it is used, how codes relate");
  add_theory(*sub, command->model)->required();
  sub->add_option(
      "--data", command->data,
      "Pairs whose inputs the codes are tried on, and which are explained (default: a benchmark's ID, or the "
      "theory's examples)");
  sub->add_option("--inputs", options.inputs, "Inputs on which relations between codes are tested")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  sub->add_option("--pairs", options.pairs, "Pairs explained to see which codes are used")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  sub->add_option("--share", options.share, "Share of inputs on which a relation must hold to be reported")
      ->check(within(between(0.01, 1)))
      ->capture_default_str();
  sub->add_option("--examples", options.examples, "Examples per code")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  sub->add_option("--png", command->pictures.png, "Draw the examples into this PNG file instead");
  sub->add_option("--svg", command->pictures.svg, "Draw the examples into this SVG file instead");
  sub->add_flag("--json", command->json, "Print everything as JSON");
  sub->footer(
      "Examples:\n  neo inspect runs/my-run\n"
      "  neo inspect runs/my-run --data my-pairs.h5 --json\n"
      "  neo inspect runs/my-run --png vocabulary.png");
  sub->callback([command, act] { act(*command); });
}

}  // namespace neo

#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "core/error.h"
#include "model/policy.h"

namespace neo {
namespace {

void add_search_options(CLI::App& app, ExplainCommand& command) {
  app.add_option("--search", command.search,
                 "greedy (what the programmer proposes) or beam (over all codes) (default: the theory's)")
      ->check(CLI::IsMember({"greedy", "beam"}));
  app.add_option("--width", command.width, "Width of the beam (default: the theory's)")->check(allowed<Policy>("width"));
  app.add_option("--steps", command.steps, "K, longest program (default: the theory's)")
      ->check(allowed<Policy>("steps"));
  app.add_option("--lambda", command.lambda,
                 "MDL coefficient: a program of k steps costs lambda^k loss (default: the theory's)")
      ->check(allowed<Policy>("lambda"));
  app.add_option("--tolerance", command.tolerance,
                 "Stop at the first step whose loss is at most this; 0: only exactly (default: the theory's)")
      ->check(allowed<Policy>("tolerance"));
  app.add_option("--alternatives", command.options.alternatives, "Number of alternatives to report")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--draws", command.draws, "Programs drawn to find them (default: the theory's)")
      ->check(allowed<Policy>("draws"));
  app.add_option(
         "--temperature", command.temperature,
         "Of the programmer's distribution, for drawing and for the posterior (default: the theory's)")
      ->check(allowed<Policy>("temperature"));
  app.add_option("--seed", command.options.seed, "Seed of the draws")->check(is_seed())->capture_default_str();
}

}  // namespace

void setup_explain(CLI::App& app, const Act& act) {
  auto command = std::make_shared<ExplainCommand>();
  CLI::App* sub = app.add_subcommand(
      "explain",
      "The program that a theory finds for a pair, step by step, why it has this length, and "
      "alternatives");
  add_theory(*sub, command->model)->required();
  auto* x = sub->add_option("--x", command->x, std::string("The observation before: ") + kObservationHelp);
  auto* y = sub->add_option("--y", command->y, "The observation after");
  sub->add_option("--query", command->queries, "Another input to run the program on; may be repeated")
      ->allow_extra_args(false)
      ->needs(x)
      ->needs(y);
  sub->add_option("--pair,--episode", command->pair,
                  "FILE:N or FILE:N,N,...: pairs, or episodes where pairs come in groups (default: the first)")
      ->excludes(x)
      ->excludes(y);
  sub->add_option("--count", command->count, "How many from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--override", command->overrides,
                  "STEP=CODE replaces a step; the remaining steps are unchanged: 2=z5, or 2=z5,3=z0");
  add_search_options(*sub, *command);
  sub->add_option("--png", command->pictures.png, "Draw into this PNG file instead of on the terminal");
  sub->add_option("--svg", command->pictures.svg, "Draw into this SVG file instead of on the terminal");
  sub->add_option("--programs", command->programs_file,
                  "Also write the programs into this file: JSON lines, or .json: S-expressions for Stitch");
  sub->add_flag("--json", command->json, "One JSON object per pair");
  sub->footer(
      "Examples:\n"
      "  neo explain numbers --x 12 --y 420 --query 7\n"
      "  neo explain runs/mine --pair pairs.h5:3 --override 2=z1\n"
      "  neo explain runs/mine --x before.png --y after.png --search beam\n"
      "  neo explain runs/mine --pair pairs.h5:0,1000,2000 --png figure.png");
  sub->callback([command, act] {
    if (command->x.empty() != command->y.empty()) fail_usage("a pair needs both --x and --y");
    act(*command);
  });
}

}  // namespace neo

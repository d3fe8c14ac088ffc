#include <memory>

#include "app/commands.h"
#include "app/settings.h"
#include "train/config.h"

namespace neo {
namespace {

void add_strategy_flags(CLI::App& command, StrategyRequest& request) {
  command
      .add_option("--search", request.search,
                  "policy (the theory's own), greedy, beam, sample (NEO-S), best-first; both: policy, greedy and "
                  "sample; all: also best-first")
      ->check(CLI::IsMember({"policy", "greedy", "beam", "sample", "best-first", "both", "all"}))
      ->capture_default_str();
  command
      .add_option(
          "--calls", request.calls,
          "Executor calls per episode at most, or several with commas for a curve (default: what NEO-S "
          "spends on 1, 2, 4, ... draws)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--draws", request.draws, "NEO-S: programs drawn per episode (default: the theory's)")
      ->check(allowed<Policy>("draws"));
  command.add_flag("--without-replacement", request.without_replacement, "NEO-S: never draw a program twice");
  command
      .add_option("--temperature", request.temperatures,
                  "Of the programmer's distribution, or several with commas for a sweep (default: the "
                  "preset's for NEO-S, 0.03 for best-first)")
      ->delimiter(',')
      ->check(allowed<Policy>("temperature"));
  command.add_flag("--stop-when-likely", request.stop_early,
                   "Best-first: stop once the programs found are likelier than all untried ones");
  command
      .add_option(
          "--choose,--vote", request.choice,
          "How the program of a pair is chosen: sequence (the most frequent or likeliest program), behaviour "
          "(the most frequent or likeliest class of programs that do the same to probe inputs) or "
          "description (the program of least description length) (default: sequence for NEO-S, "
          "description for best-first)")
      ->check(CLI::IsMember({"sequence", "behaviour", "description"}));
  command
      .add_option(
          "--probes", request.probes,
          "Number of unlabelled inputs that tell programs apart: the query's own, then those of other episodes")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_option("--seed", request.seed, "Seed of the sampling")->check(is_seed())->capture_default_str();
}

}  // namespace

void setup_eval(CLI::App& app, const Act& act) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* sub = app.add_subcommand(
      "eval", "Self-explanation, transfer, search by sampling, and the vocabulary of a theory");
  auto* theory = add_theory(*sub, command->model);
  sub->add_option("--method", command->method,
                  "How it is evaluated: cont-mono-opt refines a cont-mono theory on each support pair (default: "
                  "as it was trained)");
  sub->add_option("--data", command->data,
                  "Pair files, ours or of the official release (default: the benchmark's splits, or what was held "
                  "out of your own pairs)");
  add_strategy_flags(*sub, *command);
  sub->add_option("--episodes", command->episodes, "Most episodes or pairs per file (default: the preset's)")
      ->check(allowed<TrainConfig>("evaluated"));
  sub->add_option("--tolerance", command->tolerance,
                  "Loss at which a program ends, as it explains the pair (default: the theory's)")
      ->check(allowed<Policy>("tolerance"));
  sub->add_flag("--soft", command->soft, "Also evaluate with hard grounding inverted");
  sub->add_flag("--diagnose", command->diagnose,
                "Benchmarks: show which part fails: the executor by primitive and operand, the programmer with a "
                "perfect executor, the executor with a perfect programmer");
  sub->add_option("--examples", command->examples,
                  "Episodes per split to include in the record, with every step")
      ->check(CLI::Range(0, 100));
  sub->add_option("--predictions", command->predictions,
                  "Score the predictions of another model instead of a theory: a .npy array [n, ...] of what becomes "
                  "of each query of --data, in order (docs/otib.md)")
      ->excludes(theory);
  sub->add_option("--programs", command->programs_file,
                  "Also write the program of every pair into this file: JSON lines, or .json: S-expressions for Stitch");
  sub->add_option("--out", command->out,
                  "Where to write the record (default: eval.json in the run folder, or here)");
  sub->add_flag("--full", command->full, "Also print every search at every budget, and how codes align with primitives");
  sub->add_flag("--json", command->json, "Print the record as JSON");
  sub->footer(
      "Examples:\n  neo eval runs/my-run\n  neo eval runs/my-run --search all --calls 6,24,96,384\n"
      "  neo eval runs/my-run --data other.h5 --json\n"
      "  neo eval --predictions mine.npy --data pairs.h5");
  sub->callback([command, act] {
    if (!command->predictions.empty()) return score_predictions(*command);
    if (command->model.empty()) throw CLI::RequiredError("theory");
    command->programs = !command->programs_file.empty();
    act(*command);
  });
}

}  // namespace neo

#include "explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/commands.h"
#include "app/inputs.h"
#include "core/error.h"
#include "core/terminal.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct ExplainCommand {
  fs::path model;
  std::string episode;  // FILE:N or FILE:N,N,...
  std::string x, y;     // the user's own observations
  std::vector<std::string> queries;
  int64_t count = 1;
  std::string search = "greedy";
  std::string overrides;
  int64_t steps = 0;       // 0: the preset's
  double temperature = 0;  // 0: the preset's
  ExplainOptions options;
  PictureFiles pictures;
  bool json = false;
};

// A pair to explain, and inputs to run what was found on.
struct Question {
  InputPair pair;
  std::vector<InputPair> queries;
  std::string true_program;  // of an episode; for captions only
};

struct Answer {
  Explanation explanation;
  std::optional<Theory> counterfactual;
  std::vector<Theory> queries;
};

std::vector<Question> questions_of(const ExplainCommand& command, const LoadedTheory& theory) {
  const World& world = theory.model->world();
  std::vector<Question> questions;
  if (command.x.empty() && command.y.empty()) {
    for (const auto& [name, e, program] : given_episodes(command.episode, command.count, theory))
      questions.push_back({{name, e.support_x, e.support_y}, {{"query", e.query_x, e.query_y}}, program});
    return questions;
  }
  if (command.x.empty() || command.y.empty()) fail_usage("a pair needs both --x and --y");
  Question question{
      {"pair", given_observation(world, command.x), given_observation(world, command.y)}, {}, {}};
  for (const std::string& text : command.queries)
    question.queries.push_back({"query", given_observation(world, text), {}});
  return {question};
}

Answer answer(NeoImpl& model, const Question& question, const ExplainOptions& options,
              const std::map<int64_t, int64_t>& overrides) {
  const auto run = [&](const InputPair& pair, const std::vector<int64_t>& codes) {
    return run_program(model, pair.x, codes, options.hard_grounding, pair.y ? &*pair.y : nullptr,
                       options.executor);
  };
  Answer answer;
  answer.explanation = explain(model, question.pair.x, *question.pair.y, options);
  const auto& codes = answer.explanation.theory.codes;
  if (!overrides.empty())
    answer.counterfactual =
        run(question.pair, override_steps(codes, overrides, model.quantizer().config().codes));
  for (const InputPair& query : question.queries) answer.queries.push_back(run(query, codes));
  return answer;
}

nlohmann::json judged(const World& world, const Theory& theory, const InputPair& pair) {
  nlohmann::json record{{"theory", to_json(theory)}};
  if (!pair.y) return record;
  if (is_image(world))
    record["l1"] = l1(theory.trace.back(), *pair.y);
  else
    record["transfers"] = theory.trace.back() == *pair.y;
  return record;
}

nlohmann::json to_json(const World& world, const Question& question, const Answer& answer) {
  nlohmann::json record = to_json(answer.explanation);
  record["pair"] = question.pair.name;
  if (is_image(world)) record["l1"] = l1(answer.explanation.theory.trace.back(), *question.pair.y);
  if (answer.counterfactual) record["counterfactual"] = to_json(*answer.counterfactual);
  record["queries"] = nlohmann::json::array();
  for (size_t i = 0; i < answer.queries.size(); ++i)
    record["queries"].push_back(judged(world, answer.queries[i], question.queries[i]));
  return record;
}

// One strip for the explanation, the counterfactual below it, one for every query.
std::vector<Strip> strips_of(const World& world, const Question& question, const Answer& answer) {
  const Theory& theory = answer.explanation.theory;
  const auto& [pair, queries, truth] = question;
  std::vector<Strip> strips;
  strips.push_back(
      strip_of(fmt::format("{}: {} ({} step{}, {}{})", pair.name, program_text(theory.codes),
                           theory.codes.size(), theory.codes.size() == 1 ? "" : "s",
                           verdict(world, theory, *pair.y), truth.empty() ? "" : "; true program " + truth),
               theory, pair.y));
  if (answer.counterfactual) {
    const Theory& other = *answer.counterfactual;
    const auto steps = changed_steps(other, theory);
    const std::string which = steps.empty() ? "nothing" : fmt::format("step {}", fmt::join(steps, ", "));
    strips.push_back(strip_of(fmt::format("with {} overridden: {} ({})", which, program_text(other.codes),
                                          verdict(world, other, *pair.y)),
                              other, pair.y, steps));
  }
  for (size_t i = 0; i < queries.size(); ++i) {
    const auto& y = queries[i].y;
    const std::string remark = y ? fmt::format(" ({})", verdict(world, answer.queries[i], *y)) : "";
    strips.push_back(strip_of("the same program on another input" + remark, answer.queries[i], y));
  }
  return strips;
}

void print(const World& world, const std::vector<Strip>& strips, const Explanation& explanation,
           bool drawings) {
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  for (const Strip& strip : strips) {
    fmt::print("{}\n", strip.title);
    if (drawings) fmt::print("{}", terminal_panels(world, panels_of(strip).panels, wants_colour(), width));
    if (&strip == &strips.front())
      fmt::print("{}{}", length_text(explanation), alternatives_text(explanation));
  }
  fmt::print("\n");
}

ExplainOptions resolved(const ExplainCommand& command, const EvaluationConfig& config) {
  ExplainOptions options = command.options;
  options.steps = command.steps > 0 ? command.steps : config.length_steps;
  options.temperature = command.temperature > 0 ? command.temperature : config.temperature;
  options.hard_grounding = config.hard_grounding;
  options.beam = command.search == "beam";
  return options;
}

void run_explain(const ExplainCommand& command) {
  auto [theory, config] = open_theory(command.model);
  NeoImpl& model = *theory.model;
  const World& world = model.world();
  ExplainOptions options = resolved(command, config.evaluation);
  const auto overrides = parse_overrides(command.overrides, model.quantizer().config().codes);
  const auto executor = make_hard_executor(model);
  options.executor = executor.get();
  std::vector<PanelRow> rows;
  for (const Question& question : questions_of(command, theory)) {
    const Answer found = answer(model, question, options, overrides);
    const auto strips = strips_of(world, question, found);
    if (command.json)
      fmt::print("{}\n", to_json(world, question, found).dump());
    else
      print(world, strips, found.explanation, /*drawings=*/!command.pictures.wanted());
    for (const Strip& strip : strips) rows.push_back(panels_of(strip));
  }
  command.pictures.write(world, rows, command.json);
}

void add_search_options(CLI::App& app, ExplainCommand& command) {
  app.add_option("--search", command.search,
                 "greedy (what the programmer says) or beam (over all codes; images: over latent states)")
      ->check(CLI::IsMember({"greedy", "beam"}))
      ->capture_default_str();
  app.add_option("--width", command.options.width, "Width of the beam")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--steps", command.steps, "K, longest program (default: the preset's for length OOD)")
      ->check(CLI::Range(1, 100));
  app.add_option("--lambda", command.options.lambda,
                 "MDL coefficient: a program of k steps costs lambda^k loss")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  app.add_option("--epsilon", command.options.epsilon, "Stop at the first step whose loss is at most this")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--alternatives", command.options.alternatives, "How many other programs to tell about")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--draws", command.options.draws, "Programs drawn to find them")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option(
         "--temperature", command.temperature,
         "Of the programmer's distribution, for drawing and for the posterior (default: the preset's)")
      ->check(CLI::Range(1e-6, 1e6));
  app.add_option("--seed", command.options.seed, "Seed of the draws")->capture_default_str();
}

}  // namespace

void setup_explain(CLI::App& app) {
  auto command = std::make_shared<ExplainCommand>();
  CLI::App* sub = app.add_subcommand(
      "explain",
      "The program that a theory finds for a pair, step by step, why it is so long, and what else "
      "was possible");
  sub->add_option("model", command->model, "A run folder or a weights file")->required();
  auto* x =
      sub->add_option("--x", command->x,
                      "The observation before: a number, 100 cells, @FILE with those, or a 32x32 PNG file");
  auto* y = sub->add_option("--y", command->y, "The observation after");
  sub->add_option("--query", command->queries, "Another input to run the program on; may be repeated")
      ->allow_extra_args(false)
      ->needs(x)
      ->needs(y);
  sub->add_option("--episode", command->episode, "FILE:N or FILE:N,N,... (default: the first ID episode)")
      ->excludes(x)
      ->excludes(y);
  sub->add_option("--count", command->count, "How many episodes from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--override", command->overrides,
                  "STEP=CODE replaces a step, and the rest goes on from there: 2=z5, or 2=z5,3=z0");
  add_search_options(*sub, *command);
  sub->add_option("--png", command->pictures.png, "Draw into this PNG file instead of on the terminal");
  sub->add_option("--svg", command->pictures.svg, "Draw into this SVG file instead of on the terminal");
  sub->add_flag("--json", command->json, "One JSON object per pair");
  sub->footer(
      "Example:\n"
      "  neo explain weights/arithmetic-alpha0.33.safetensors --x 12 --y 420 --query 7\n"
      "  neo explain weights/gridworld-alpha0.33.safetensors --episode data/gridworld-alpha0.33/comp.h5:3 "
      "--override 2=z1\n"
      "  neo explain weights/imaging-alpha0.66.safetensors --x before.png --y after.png --search beam\n"
      "  neo explain runs/imaging --episode data/imaging-alpha0.33/comp.h5:0,1000,2000 --png figure.png");
  sub->callback([command] { run_explain(*command); });
}

}  // namespace neo

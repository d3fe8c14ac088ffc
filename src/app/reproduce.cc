#include <fmt/format.h>

#include "app/execute.h"
#include "benchmark/methods.h"
#include "core/error.h"
#include "neo/planned.h"
#include "report/markdown.h"
#include "report/reproduction.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

void print_tables(const ReproduceCommand& options) {
  if (!fs::exists(options.run.results)) return;
  const auto tables = make_tables(collect_records({options.run.results}), methods());
  fmt::print("\n{}\nall of it: neo report {} --out report.html\n", brief_text(tables),
             options.run.results.string());
}

}  // namespace

void execute(const ReproduceCommand& command) {
  ReproduceCommand options = command;
  if (options.episodes > 0)
    options.plan.evaluation_arguments = {"--episodes", std::to_string(options.episodes)};
  if (options.draws > 0) {
    options.plan.evaluation_arguments.push_back("--draws");
    options.plan.evaluation_arguments.push_back(std::to_string(options.draws));
  }
  options.run.program = "/proc/self/exe";  // this very program, even if its file is replaced meanwhile
  const auto plan = plan_runs(options.plan, methods());
  if (!options.dry_run) make_data_for(plan);
  Reproduction reproduction(plan, options.run, expectation_of, settings_of_run);
  if (options.json) {
    fmt::print("{}\n", reproduction.to_json().dump(2));
  } else {
    fmt::print("{}", reproduction.table());
  }
  if (options.dry_run) return;
  std::fflush(stdout);
  const int failed = reproduction.run();
  print_tables(options);
  if (failed > 0)
    fail("{} of {} runs failed; their logs say why, the same command tries again", failed, plan.size());
}

}  // namespace neo

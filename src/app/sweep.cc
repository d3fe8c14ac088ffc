#include <fmt/format.h>

#include "app/execute.h"
#include "core/error.h"
#include "neo/planned.h"
#include "report/reproduction.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
}  // namespace

void execute(const SweepCommand& command) {
  if (!command.resume && fs::exists(command.out) && !fs::is_empty(command.out))
    fail_usage("{} exists; --resume goes on with it, --out FOLDER begins another one", command.out.string());
  const auto plan = plan_sweep(command.request);
  make_data_for(plan);
  ReproductionOptions options{.program = "/proc/self/exe",
                              .runs = command.out,
                              .results = command.out / "records",
                              .jobs = command.jobs};
  options.quiet = command.json;
  Reproduction sweep(plan, options, expectation_of, settings_of_run);
  const int failed = sweep.run();
  if (command.json)
    fmt::print("{}\n", sweep_json(command.request, options.results).dump(2));
  else
    fmt::print("{}", sweep_table(command.request, options.results));
  if (failed > 0)
    fail("{} of {} runs failed; their logs in {} say why, --resume tries again", failed, plan.size(),
         command.out.string());
}

}  // namespace neo

#include <fmt/format.h>

#include "app/execute.h"
#include "neo/training.h"

namespace neo {

void execute(const TrainCommand& command) {
  const std::string run = run_training(command).string();
  fmt::print("trained: {}\nnext: neo eval {}\n", run, run);
}

}  // namespace neo

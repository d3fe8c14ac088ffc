#include <fmt/format.h>
#include <torch/torch.h>

#include <cstdlib>

#include "app/command_line.h"
#include "app/execute.h"
#include "app/handshake.h"
#include "core/threads.h"

// `neo-engine`: what `neo` becomes for the commands that need tensors. It reads the same command line.
namespace {

bool fits_front() {
  const char* front = std::getenv(neo::kFrontVariable);
  if (front == nullptr || front == neo::source_name()) return true;
  neo::complain(fmt::format("neo-engine is {}, but neo itself is {}; build or install both together",
                            neo::source_name(), front));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (!fits_front()) return 1;
  torch::set_num_threads(neo::default_threads());  // Debian's LibTorch starts with one
  return neo::run_command_line(argc, argv, [](const neo::EngineCommand& command) {
    std::visit([](const auto& chosen) { neo::execute(chosen); }, command);
  });
}

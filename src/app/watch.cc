#include "app/watch.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/execute.h"
#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/terminal.h"
#include "core/theory_files.h"
#include "neo/theory.h"
#include "report/training.h"
#include "report/watch_screen.h"
#include "train/config.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr useconds_t kInterval = 1'000'000;  // microseconds between two screens
constexpr int kUsualRows = 24;

int terminal_rows() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : kUsualRows;
}

int64_t total_steps(const fs::path& run) {
  TrainConfig config;
  load_toml(config, run_config_path(run));
  return config.steps;
}

}  // namespace

const CodeNames& RunWatch::names() {
  std::error_code none;
  const auto changed = fs::last_write_time(theory_file(run_), none);
  if (none || changed == named_) return names_;
  named_ = changed;
  const Theory theory = Theory::open(run_);
  if (theory.has_codes()) names_ = theory.names();
  return names_;
}

void RunWatch::show() {
  if (!holds_run(run_)) return;  // not begun
  const int64_t step = last_step(run_);
  const WatchedRun watched{.name = run_.string(),
                           .state = run_state_name(read_status(run_).state),
                           .step = step,
                           .total = std::max(step, total_steps(run_)),
                           .summary = training_summary(run_),
                           .names = names()};
  const bool in_place = wants_colour();
  if (in_place) fmt::print("{}", shown_ ? "\x1b[H\x1b[J" : "\x1b[2J\x1b[H");
  fmt::print("{}", watch_screen(watched, terminal_rows()));
  std::fflush(stdout);
  shown_ = true;
}

void execute(const WatchCommand& command) {
  if (!holds_run(command.run))
    fail("{} holds no run; name a run folder, as in `neo watch runs/mine`", printable(command.run.string(), 400));
  RunWatch watch(command.run);
  watch.show();
  while (!command.once && is_terminal(STDOUT_FILENO) && read_status(command.run).state == RunState::kRunning) {
    usleep(kInterval);
    if (interrupted()) return;  // the run goes on
    watch.show();
  }
}

}  // namespace neo

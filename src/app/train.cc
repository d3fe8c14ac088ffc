#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "app/execute.h"
#include "app/watch.h"
#include "core/child.h"
#include "core/error.h"
#include "core/files.h"
#include "core/terminal.h"
#include "neo/training.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr useconds_t kInterval = 500'000;  // microseconds between two screens
constexpr double kGrace = 120;             // seconds a run gets to write its checkpoint
constexpr const char* kWatch = "--watch";

// This very command, without --watch.
std::vector<std::string> unwatched_command() {
  std::vector<std::string> words;
  std::ifstream line("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(line, word, '\0');)
    if (word != kWatch) words.push_back(word);
  if (words.empty()) fail("cannot read /proc/self/cmdline; leave out --watch");
  words[0] = "/proc/self/exe";
  return words;
}

// Trains in a process of its own, so that looking at the theory cannot change what it becomes.
void train_watched(const fs::path& run) {
  fs::create_directories(run.parent_path());
  const fs::path log = run.string() + ".log";
  Child child({.arguments = unwatched_command(), .log = log});
  RunWatch watch(run);
  std::optional<int> code;
  while (!(code = child.poll())) {
    if (interrupted()) {
      child.stop();
      child.wait(kGrace);
      throw Error(fmt::format("interrupted; resume with `neo train --resume --out {}`", run.string()), 130);
    }
    if (wants_colour()) watch.show();  // elsewhere once, at the end
    usleep(kInterval);
  }
  if (*code != 0) fail("the training failed: {} (log: {})", last_line(log), log.string());
  watch.show();
  fs::remove(log);
}

}  // namespace

void execute(const TrainCommand& command) {
  const fs::path run = run_folder_of(command);
  if (command.watch)
    train_watched(run);
  else
    run_training(command);
  fmt::print("trained: {}\nnext: neo eval {}\n", run.string(), run.string());
}

}  // namespace neo

#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace neo {

// How a child process is started, and stopped: by `stop_signal`, also when its parent dies in any
// way.
struct ChildOptions {
  std::vector<std::string> arguments;  // the program first, looked up on PATH; no shell ever sees them
  std::map<std::string, std::string> environment = {};  // on top of this process's own
  std::filesystem::path input = "/dev/null";
  std::filesystem::path output = "/dev/null";  // replaced; what goes to stderr is discarded
  std::filesystem::path log = {};  // where given, output and stderr are appended to it instead
  int stop_signal = SIGTERM;
};

class Child {
 public:
  explicit Child(const ChildOptions& options);
  ~Child();  // stops it and waits a moment
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Its exit code once it has ended: 127 where there is no such program, 128 + the signal that ended it;
  // nothing while it runs.
  std::optional<int> poll();
  void stop();               // sends the signal
  int wait(double seconds);  // then kills it

 private:
  int stop_signal_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

// Runs a program to its end and returns its exit code. Ctrl-C stops it.
int run_command(const ChildOptions& options);

// Starts a program without tracking it; does nothing if there is no such program.
void start_detached(const std::vector<std::string>& arguments);

// The last non-empty line of a log; for messages about a failed child.
std::string last_line(const std::filesystem::path& log);

}  // namespace neo

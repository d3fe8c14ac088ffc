#include "core/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr int kNotFound = 127;  // as in a shell
constexpr double kPause = 0.02;  // seconds between looks at a child

void pause_briefly() { usleep(static_cast<useconds_t>(kPause * 1e6)); }

// "NAME=value" of this process with `changes` on top.
std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) merged.push_back(text);
  }
  for (const auto& [name, value] : changes) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// An open file that the child's streams are made from.
class File {
 public:
  File(const std::filesystem::path& path, int flags)
      : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail("cannot open {}: {}", path.string(), std::strerror(errno));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

Child::Child(const ChildOptions& options) : stop_signal_(options.stop_signal) {
  // Everything that allocates happens before the fork.
  auto argument_texts = options.arguments;
  auto environment_texts = merged_environment(options.environment);
  const auto argument_list = pointers(argument_texts);
  const auto environment_list = pointers(environment_texts);
  const File input(options.input, O_RDONLY);
  const bool logs = !options.log.empty();
  if (logs && options.log.has_parent_path()) std::filesystem::create_directories(options.log.parent_path());
  const File output(logs ? options.log : options.output, O_WRONLY | O_CREAT | (logs ? O_APPEND : O_TRUNC));
  const File nowhere("/dev/null", O_WRONLY);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("cannot start a process: {}", std::strerror(errno));
  if (pid_ == 0) {
    setpgid(0, 0);  // Ctrl-C reaches the parent alone, which passes it on in its own time
    prctl(PR_SET_PDEATHSIG, stop_signal_);
    if (getppid() != parent) _exit(128 + stop_signal_);  // it died before the line above
    dup2(input.descriptor(), STDIN_FILENO);
    dup2(output.descriptor(), STDOUT_FILENO);
    dup2(logs ? output.descriptor() : nowhere.descriptor(), STDERR_FILENO);
    execvpe(argument_list[0], argument_list.data(), environment_list.data());
    _exit(kNotFound);
  }
}

Child::~Child() {
  if (exit_code_) return;
  stop();
  wait(/*seconds=*/10);
}

std::optional<int> Child::poll() {
  if (exit_code_) return exit_code_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

void Child::stop() {
  if (!exit_code_) kill(pid_, stop_signal_);
}

int Child::wait(double seconds) {
  while (!poll()) {
    pause_briefly();
    seconds -= kPause;
    if (seconds < 0) kill(pid_, SIGKILL);
  }
  return *exit_code_;
}

int run_command(const ChildOptions& options) {
  Child child(options);
  for (bool stopped = false; !child.poll(); pause_briefly()) {
    if (interrupted() && !stopped) child.stop();
    stopped = interrupted();
  }
  return *child.poll();
}

void start_detached(const std::vector<std::string>& arguments) {
  auto texts = arguments;
  const auto list = pointers(texts);
  const pid_t child = fork();
  if (child < 0) return;
  if (child > 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  // A grandchild is detached from us: it need not be waited for, and Ctrl-C does not reach it.
  setsid();
  if (fork() == 0) execvp(list[0], list.data());
  _exit(0);
}

std::string last_line(const std::filesystem::path& log) {
  std::error_code error;
  if (!std::filesystem::exists(log, error)) return "";
  const std::string text = read_file(log);
  const size_t end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "";
  const size_t begin = text.find_last_of("\r\n", end);
  return printable(text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin), 200);
}

}  // namespace neo

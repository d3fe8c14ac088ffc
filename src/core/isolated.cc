#include "core/isolated.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace {

constexpr int kFinished = 0, kRefused = 3;  // how the child ends when it ends by itself

void limit(int resource, int64_t most) {
  const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

int64_t address_space() {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

void write_all(int to, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(to, bytes, count);
    if (written <= 0) return;
    bytes += written;
    count -= static_cast<size_t>(written);
  }
}

[[noreturn]] void run_as_child(const std::function<void()>& work, int answer, const IsolationLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT}) signal(signal_number, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);  // last words of libraries
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  limit(RLIMIT_AS, address_space() + limits.memory);
  try {
    work();
    _exit(kFinished);
  } catch (const Error& error) {
    const std::string text = static_cast<char>(error.exit_code()) + std::string(error.what());
    write_all(answer, text.data(), text.size());
    _exit(kRefused);
  } catch (...) {
    abort();
  }
}

std::string read_all(int from) {
  std::string text;
  char part[4096];
  for (ssize_t count = 1; count != 0;) {
    count = read(from, part, sizeof part);
    if (count > 0) text.append(part, static_cast<size_t>(count));
    if (count < 0 && (errno != EINTR || interrupted())) break;
  }
  return text;
}

}  // namespace

void run_isolated(const std::function<void()>& work, const std::string& fault,
                  const IsolationLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot start a process: {}", std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) run_as_child(work, ends[1], limits);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    fail("cannot start a process: {}", std::strerror(errno));
  }
  const std::string answer = read_all(ends[0]);
  close(ends[0]);
  if (interrupted()) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  throw_if_interrupted();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kFinished) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kRefused && !answer.empty())
    throw Error(answer.substr(1), answer[0]);
  throw Error(fault);
}

}  // namespace neo

#include "worlds/imaging/command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/files.h"

namespace neo {

int run_command(const std::vector<std::string>& arguments) {
  return run_command(arguments, "/dev/null", "/dev/null");
}

int run_command(const std::vector<std::string>& arguments, const std::filesystem::path& input,
                const std::filesystem::path& output) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return 127;
  if (error != 0) fail("cannot start {}: {}", arguments[0], std::strerror(error));

  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("lost track of {}: {}", arguments[0], std::strerror(errno));
    if (interrupted()) kill(child, SIGTERM);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace neo

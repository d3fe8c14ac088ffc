#include "core/files.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "core/error.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

std::atomic<bool> g_interrupted{false};
constexpr int kMostLinks = 40;  // as Linux has it

void sync_path(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY);
  if (fd < 0) return;
  const int result = fsync(fd);
  const int error = errno;
  close(fd);
  if (result != 0 && error != EINVAL)
    fail("cannot flush {} to disk: {}", path.string(), std::strerror(error));
}

}  // namespace

fs::path writable_target(const fs::path& target) {
  std::error_code ignored;
  fs::path path = target;
  for (int links = 0; fs::is_symlink(path, ignored); ++links) {
    if (links == kMostLinks) fail("cannot write {}: its links lead in a circle; name another file", target.string());
    path = path.parent_path() / fs::read_symlink(path, ignored);
  }
  const auto status = fs::status(path, ignored);
  if (!path.has_filename() || fs::is_directory(status))
    fail("cannot write {}: it is a folder; name a file in it", target.string());
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail("cannot write {}: it is a device or a pipe; name a regular file", target.string());
  return path;
}

void make_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    fail("cannot create folder {}: {}; choose another output folder", folder.string(), error.message());
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    fail("cannot write into {}: {}; choose another output folder", folder.string(), std::strerror(errno));
}

PendingFile::PendingFile(const fs::path& target) : target_(writable_target(target)) {
  if (target_.has_parent_path()) make_writable_folder(target_.parent_path());
  temporary_ = target_.string() + fmt::format(".tmp.{}", getpid());
}

PendingFile::~PendingFile() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void PendingFile::commit() {
  sync_path(temporary_);
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) fail("cannot move the finished file to {}: {}", target_.string(), error.message());
  committed_ = true;
  sync_path(target_.has_parent_path() ? target_.parent_path() : fs::path("."));
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  PendingFile pending(path);
  {
    std::ofstream file(pending.path(), std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.flush();
    if (!file)
      fail("cannot write {}: {}; free some space or check permissions", path.string(), std::strerror(errno));
  }
  pending.commit();
}

bool is_standard_output(const fs::path& path) { return path == "-"; }

void write_output(const fs::path& path, std::string_view content) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  const bool is_stream = fs::is_fifo(status) || fs::is_character_file(status) || fs::is_block_file(status);
  if (!is_standard_output(path) && !is_stream) return write_file_atomically(path, content);
  std::FILE* file = is_stream ? std::fopen(path.c_str(), "wb") : stdout;
  const bool is_written = file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                          std::fflush(file) == 0;
  const int error = errno;
  if (is_stream && file != nullptr) std::fclose(file);
  if (!is_written) fail("cannot write {}: {}; name another file", path.string(), std::strerror(error));
}

std::string read_file(const fs::path& path, size_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail("{} is a folder, a file is needed", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read {}: {}", path.string(), std::strerror(errno));
  file.seekg(0, std::ios::end);
  const auto end = file.tellg();
  if (end < 0) fail("cannot read {}: it is not a regular file", path.string());
  const auto size = static_cast<size_t>(end);
  if (size > limit) fail("{} has {} bytes, more than the {} allowed here", path.string(), size, limit);
  std::string content(size, '\0');
  file.seekg(0);
  file.read(content.data(), static_cast<std::streamsize>(size));
  if (static_cast<size_t>(file.gcount()) != size) fail("cannot read {} to its end", path.string());
  return content;
}

std::string name_of_path(const fs::path& path) {
  const fs::path clean = fs::absolute(path).lexically_normal();
  const fs::path last = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  const std::string name = fs::is_directory(path) ? last.string() : last.stem().string();
  return name.empty() ? "unnamed" : name;
}

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = true; };
  // Whoever reads the output may go away at every line; a write past `ulimit -f` fails like one to a full disk.
  sigaction(SIGPIPE, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the process at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // else started by nohup
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest free number is taken. Writing to what was opened for reading fails, as it should for lost output.
    const int opened = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != stream) fail("cannot open /dev/null: {}", std::strerror(errno));
  }
}

bool interrupted() { return g_interrupted; }
void set_interrupted(bool interrupted) { g_interrupted = interrupted; }

void throw_if_interrupted() {
  if (g_interrupted) throw Error("interrupted; nothing was left under a final name", 130);
}

}  // namespace neo

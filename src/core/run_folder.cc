#include "core/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/version.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* kConfig = "config.toml";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kStatus = "status";
constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kLock = ".lock";
constexpr std::array<const char*, 4> kStateNames = {"running", "finished", "interrupted", "failed"};
constexpr size_t kMaxSmallFile = size_t{1} << 24;

fs::path checkpoint_path(const fs::path& run, int64_t step) {
  return run / kCheckpoints / fmt::format("step-{:08}.safetensors", step);
}

std::optional<int64_t> checkpoint_step(const std::string& name) {
  constexpr std::string_view kPrefix = "step-";
  constexpr std::string_view kSuffix = ".safetensors";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  int64_t step = 0;
  const char* const end = name.data() + name.size() - kSuffix.size();
  const auto result = std::from_chars(name.data() + kPrefix.size(), end, step);
  if (result.ec != std::errc{} || result.ptr != end || step < 0) return std::nullopt;
  return step;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

json read_json(const fs::path& path) {
  json content = json::parse(read_file(path, kMaxSmallFile), nullptr, /*allow_exceptions=*/false);
  if (!content.is_object()) fail("{} is damaged: it is not a JSON object", path.string());
  return content;
}

// Only files that come before the manifest may be there: imported pairs, and what is left of a start that was killed.
void check_empty(const fs::path& path) {
  if (holds_run(path)) {
    fail_usage("{} already holds a run; continue it with --resume or choose another folder with --out",
               path.string());
  }
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (name != kLock && !name.starts_with(kRunPairs) && !name.starts_with(kConfig) && !name.starts_with(kManifest)) {
      fail_usage("{} is not empty ({} is in it); choose another folder with --out", path.string(), name);
    }
  }
}

void require_run(const fs::path& path) {
  if (holds_run(path)) return;
  if (fs::exists(path / kCheckpoints))
    fail("{} has lost its {}, which says what was asked for; put it back, or train again with another --out",
         path.string(), kManifest);
  fail_usage("{} holds no run to resume; start it without --resume", path.string());
}

// A process killed inside PendingFile leaves `<name>.tmp.<pid>` behind.
void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().find(".tmp.") != std::string::npos) fs::remove(entry.path(), error);
  }
}

}  // namespace

RunManifest current_manifest(std::vector<std::string> command, int64_t seed,
                             std::map<std::string, std::string> data) {
  return {std::move(command), version(), git_revision(), std::move(data), seed, utc_now(), nullptr, ""};
}

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  lock_ = open((path_ / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) fail("cannot write in {}: {}", path_.string(), std::strerror(errno));
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(lock_);
  if (error == EWOULDBLOCK) {
    fail("another process is training in {}; wait for it, or choose another folder with --out",
         path_.string());
  }
  fail("cannot lock {}: {}; choose a folder on a local disk", path_.string(), std::strerror(error));
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);  // this releases it; the file stays, since removing it would be a race
}

RunFolder RunFolder::create(const fs::path& path, const std::string& config_toml,
                            const RunManifest& manifest) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    fail("cannot create folder {}: {}; choose another one with --out", path.string(), error.message());
  RunFolder run(path);
  check_empty(path);
  write_file_atomically(run_config_path(path), config_toml);
  const json content = {
      {"command", manifest.command}, {"version", manifest.version}, {"git_revision", manifest.git_revision},
      {"data", manifest.data},       {"seed", manifest.seed},       {"started", manifest.started},
      {"options", manifest.options}, {"instructions", manifest.instructions}};
  write_file_atomically(path / kManifest, content.dump(2) + "\n");  // last: from here on it is a run
  run.set_status(RunState::kRunning, 0);
  return run;
}

RunFolder RunFolder::resume(const fs::path& path) {
  require_run(path);
  RunFolder run(path);
  remove_leftovers(path);
  remove_leftovers(path / kCheckpoints);
  return run;
}

// Without this, what is written next would make half a folder anew.
void RunFolder::require_still_there(int64_t step) const {
  if (!holds_run(path_))
    fail("{} was removed or emptied while it was trained in, at step {}; train again with another --out",
         path_.string(), step);
}

void RunFolder::set_status(RunState state, int64_t step) const {
  require_still_there(step);
  const json content = {{"state", run_state_name(state)}, {"step", step}};
  write_file_atomically(path_ / kStatus, content.dump() + "\n");
}

void RunFolder::save_checkpoint(int64_t step, const TensorFile& content, size_t keep) const {
  require_still_there(step);
  try {
    write_safetensors(checkpoint_path(path_, step), content);
  } catch (const Error&) {
    require_still_there(step);  // it may have gone meanwhile, which explains more
    throw;
  }
  const auto files = list_checkpoints(path_);
  for (size_t i = 0; i + keep < files.size(); ++i) {
    std::error_code ignored;  // one checkpoint too many does no harm
    fs::remove(files[i].path, ignored);
  }
}

bool holds_run(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / kManifest, ignored);
}

bool is_locked(const fs::path& run) {
  const int lock = open((run / kLock).c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return false;
  const bool free = flock(lock, LOCK_SH | LOCK_NB) == 0;
  close(lock);
  return !free;
}

fs::path run_config_path(const fs::path& run) { return run / kConfig; }

std::string run_state_name(RunState state) { return kStateNames.at(static_cast<size_t>(state)); }

RunManifest read_manifest(const fs::path& run) {
  require_run(run);
  const json content = read_json(run / kManifest);
  try {
    return {content.at("command"), content.at("version"), content.at("git_revision"),
            content.at("data"),    content.at("seed"),    content.at("started"), content.value("options", json()),
            content.value("instructions", "")};
  } catch (const json::exception&) {
    fail("{} is damaged: an entry is missing or of the wrong type", (run / kManifest).string());
  }
}

RunStatus read_status(const fs::path& run) {
  if (!fs::exists(run / kStatus)) return {};  // killed right after its manifest was written
  const json content = read_json(run / kStatus);
  try {
    const auto found =
        std::find(kStateNames.begin(), kStateNames.end(), content.at("state").get<std::string>());
    if (found != kStateNames.end()) {
      const auto state = static_cast<RunState>(found - kStateNames.begin());
      const bool killed = state == RunState::kRunning && !is_locked(run);
      return {killed ? RunState::kInterrupted : state, content.at("step").get<int64_t>()};
    }
  } catch (const json::exception&) {
  }
  fail("{} is damaged: it should read {{\"state\":\"running\",\"step\":1}}", (run / kStatus).string());
}

std::vector<CheckpointFile> list_checkpoints(const fs::path& run) {
  std::vector<CheckpointFile> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / kCheckpoints, error)) {
    if (const auto step = checkpoint_step(entry.path().filename().string()))
      files.push_back({*step, entry.path()});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return files;
}

std::optional<Checkpoint> newest_checkpoint(const fs::path& run) {
  auto files = list_checkpoints(run);
  std::vector<std::string> damaged;
  for (; !files.empty(); files.pop_back()) {
    try {
      return Checkpoint{files.back().step, read_safetensors(files.back().path), damaged};
    } catch (const Error& error) {
      damaged.push_back(error.what());
    }
  }
  if (!damaged.empty())
    fail("no checkpoint in {} can be read; the newest: {}", run.string(), damaged.front());
  return std::nullopt;
}

}  // namespace neo

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.h"

namespace neo {

// A run folder holds everything about one training run:
//
//   config.toml      the resolved config
//   manifest.json    how it was started: command, version, git revision, data digests, seed, time,
//                    instructions that it computes with
//   metrics.jsonl    one record per step and per epoch (json_lines.h)
//   checkpoints/     step-00001000.safetensors, ...
//   status           {"state":"running","step":1000}
//   .lock            held by the process that trains in it
//   pairs.h5         what it learns from, where that was imported for it
//
// RunFolder is for that process; the functions below it are for readers, which need no lock.

inline constexpr const char* kRunPairs = "pairs.h5";

struct RunManifest {
  std::vector<std::string> command;         // argv; human-readable
  std::string version;                      // of neo
  std::string git_revision;                 // of neo's source
  std::map<std::string, std::string> data;  // data file -> digest
  int64_t seed = 0;
  std::string started;  // UTC, "2026-01-31T12:00:00Z"
  nlohmann::json options = nullptr;  // as requested, for --resume
  std::string instructions;          // the form of the kernels; empty where a run is older than this entry
};
// Version, revision and time filled in.
RunManifest current_manifest(std::vector<std::string> command, int64_t seed,
                             std::map<std::string, std::string> data);

enum class RunState { kRunning, kFinished, kInterrupted, kFailed };
struct RunStatus {
  RunState state = RunState::kInterrupted;
  int64_t step = 0;
};

class RunFolder {
 public:
  // Starts a run. UsageError when `path` already holds one, or other files.
  static RunFolder create(const std::filesystem::path& path, const std::string& config_toml,
                          const RunManifest& manifest);
  // Continues the run in `path` and removes what a killed process left half-written.
  static RunFolder resume(const std::filesystem::path& path);

  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path metrics_path() const { return path_ / "metrics.jsonl"; }
  void set_status(RunState state, int64_t step) const;
  // Both are Errors where the folder is gone. On disk when it returns. `keep` newest ones stay; two is the least that survives a damaged newest one.
  void save_checkpoint(int64_t step, const TensorFile& content, size_t keep = 2) const;

 private:
  void require_still_there(int64_t step) const;
  explicit RunFolder(std::filesystem::path path);  // takes the lock; Error when another process has it
  std::filesystem::path path_;
  int lock_ = -1;
};

bool holds_run(const std::filesystem::path& path);
bool is_locked(const std::filesystem::path& run);  // a process trains in it
RunManifest read_manifest(const std::filesystem::path& run);
// A run that says it is running while no process holds its lock was killed: interrupted.
RunStatus read_status(const std::filesystem::path& run);
std::string run_state_name(RunState state);  // "running", ...
std::filesystem::path run_config_path(const std::filesystem::path& run);

struct CheckpointFile {
  int64_t step = 0;
  std::filesystem::path path;
};
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& run);  // oldest first

struct Checkpoint {
  int64_t step = 0;
  TensorFile content;
  std::vector<std::string> damaged;  // what was wrong with newer ones, to warn about
};
// The newest checkpoint that reads without error; nullopt when there are none at all, Error when all are
// damaged.
std::optional<Checkpoint> newest_checkpoint(const std::filesystem::path& run);

}  // namespace neo

#include "core/run_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

const std::string kConfigText = "seed = 42\n";

RunManifest manifest() {
  RunManifest made = current_manifest({"neo", "train", "gridworld"}, 42, {{"train.h5", "abc"}});
  made.instructions = "avx2";
  return made;
}

TensorFile checkpoint(uint8_t value) {
  TensorFile file;
  file.tensors["w"] = {"U8", {1}, {value}};
  return file;
}

void truncate(const fs::path& path) { fs::resize_file(path, fs::file_size(path) - 1); }

TEST(RunFolder, CreateWritesConfigManifestAndStatus) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "runs/a", kConfigText, manifest());
  EXPECT_EQ(read_file(run_config_path(run.path())), kConfigText);
  const RunManifest read = read_manifest(run.path());
  EXPECT_EQ(read.command, (std::vector<std::string>{"neo", "train", "gridworld"}));
  EXPECT_EQ(read.data.at("train.h5"), "abc");
  EXPECT_EQ(read.seed, 42);
  EXPECT_EQ(read.instructions, "avx2");
  EXPECT_EQ(read.started.size(), std::string("2026-01-31T12:00:00Z").size());
  EXPECT_EQ(read_status(run.path()).state, RunState::kRunning);
}

TEST(RunFolder, RefusesToOverwriteARun) {
  const testing::TemporaryFolder folder;
  RunFolder::create(folder / "a", kConfigText, manifest());
  EXPECT_CONTAINS(error_of([&] { RunFolder::create(folder / "a", "other", manifest()); }),
                  "a already holds a run; continue it with --resume or choose another folder with --out");
  EXPECT_EQ(read_file(folder / "a/config.toml"), kConfigText);
}

TEST(RunFolder, RefusesFoldersWithOtherFiles) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "thesis.tex") << "x";
  EXPECT_CONTAINS(error_of([&] { RunFolder::create(folder.path(), kConfigText, manifest()); }),
                  "thesis.tex is in it");
}

TEST(RunFolder, StartsAgainWhereAStartWasKilled) {
  const testing::TemporaryFolder folder;
  fs::create_directories(folder / "a");
  std::ofstream(folder / "a/.lock");
  std::ofstream(folder / "a/config.toml.tmp.123") << "half";
  EXPECT_CONTAINS(error_of([&] { RunFolder::resume(folder / "a"); }), "start it without --resume");
  RunFolder::create(folder / "a", kConfigText, manifest());
  EXPECT_TRUE(holds_run(folder / "a"));
}

TEST(RunFolder, ResumeRemovesHalfWrittenFiles) {
  const testing::TemporaryFolder folder;
  RunFolder::create(folder / "a", kConfigText, manifest()).save_checkpoint(1, checkpoint(1));
  std::ofstream(folder / "a/status.tmp.9") << "half";
  std::ofstream(folder / "a/checkpoints/step-00000002.safetensors.tmp.9") << "half";
  const RunFolder run = RunFolder::resume(folder / "a");
  EXPECT_FALSE(fs::exists(folder / "a/status.tmp.9"));
  EXPECT_FALSE(fs::exists(folder / "a/checkpoints/step-00000002.safetensors.tmp.9"));
  EXPECT_EQ(list_checkpoints(run.path()).size(), 1u);
}

TEST(RunFolder, OnlyOneProcessTrainsInIt) {
  const testing::TemporaryFolder folder;
  {
    const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
    EXPECT_CONTAINS(error_of([&] { RunFolder::resume(folder / "a"); }), "another process is training in");
    EXPECT_TRUE(is_locked(folder / "a"));
  }
  EXPECT_FALSE(is_locked(folder / "a"));
  EXPECT_EQ(error_of([&] { RunFolder::resume(folder / "a"); }), "");
}

TEST(RunFolder, KilledProcessReleasesTheLock) {
  const testing::TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_status(folder / "a").state, RunState::kInterrupted);
  EXPECT_EQ(error_of([&] { RunFolder::resume(folder / "a"); }), "");
}

TEST(RunFolder, StatusRoundTripsEveryState) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
  for (RunState state :
       {RunState::kRunning, RunState::kFinished, RunState::kInterrupted, RunState::kFailed}) {
    run.set_status(state, 123);
    EXPECT_EQ(read_status(run.path()).state, state);
    EXPECT_EQ(read_status(run.path()).step, 123);
  }
  EXPECT_EQ(read_file(run.path() / "status"), "{\"state\":\"failed\",\"step\":123}\n");
}

TEST(RunFolder, DamagedStatusAndManifestAreErrors) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
  for (const char* text :
       {"", "[]", "{}", R"({"state":"bored","step":1})", R"({"state":"failed","step":"x"})"}) {
    write_file_atomically(run.path() / "status", text);
    EXPECT_CONTAINS(error_of([&] { read_status(run.path()); }), "damaged") << text;
  }
  write_file_atomically(run.path() / "manifest.json", R"({"command":3})");
  EXPECT_CONTAINS(error_of([&] { read_manifest(run.path()); }), "damaged");
  EXPECT_CONTAINS(error_of([&] { read_manifest(folder / "none"); }), "holds no run");
}

TEST(RunFolder, ListsCheckpointsByStepAndKeepsTheNewest) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
  EXPECT_FALSE(newest_checkpoint(run.path()));
  for (uint8_t step : {9, 10, 100}) run.save_checkpoint(step, checkpoint(step), /*keep=*/2);
  std::ofstream(run.path() / "checkpoints/step-x.safetensors") << "not one of ours";
  const auto files = list_checkpoints(run.path());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].step, 10);
  EXPECT_EQ(files[1].step, 100);
  EXPECT_EQ(newest_checkpoint(run.path())->content, checkpoint(100));
}

TEST(RunFolder, FallsBackWhenTheNewestCheckpointIsDamaged) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
  for (uint8_t step : {1, 2}) run.save_checkpoint(step, checkpoint(step));
  truncate(run.path() / "checkpoints/step-00000002.safetensors");
  const auto found = newest_checkpoint(run.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 1);
  ASSERT_EQ(found->damaged.size(), 1u);
  EXPECT_CONTAINS(found->damaged[0], "step-00000002.safetensors");
  truncate(run.path() / "checkpoints/step-00000001.safetensors");
  EXPECT_CONTAINS(error_of([&] { newest_checkpoint(run.path()); }), "no checkpoint in");
}

TEST(RunFolder, FullDiskKeepsTheLastCheckpoint) {
  const testing::TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "a", kConfigText, manifest());
  run.save_checkpoint(1, checkpoint(1));
  {
    const testing::FullDisk full(64);
    EXPECT_CONTAINS(error_of([&] { run.save_checkpoint(2, checkpoint(2)); }), "free some space");
  }
  EXPECT_EQ(newest_checkpoint(run.path())->step, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(run.path() / "checkpoints"), {}), 1);
}

}  // namespace
}  // namespace neo

#include "report/learned.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/testing.h"
#include "data/import.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr const char* kLearned =
    R"({"run": "/secret", "data": "/secret", "space": {}, "structure": "local", "trials": [], "vocabulary": [], "explained": 0.9, "pairs": 3})";

TEST(CollectLearned, FindsRunsAndFoldersOfRunsAndTellsNoPaths) {
  testing::TemporaryFolder folder;
  fs::create_directories(folder / "runs" / "mine");
  fs::create_directories(folder / "runs" / "other");  // of another kind
  write_file_atomically(folder / "runs" / "mine" / "learned.json", kLearned);
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{\"x\": [1, " + std::to_string(i % 4) + "], \"y\": [" + std::to_string(i % 4) + ", 1]}\n";
  write_file_atomically(folder / "a.jsonl", text);
  import_pairs({.sources = {folder / "a.jsonl"}, .out = folder / "runs" / "mine" / "pairs.h5", .is_quiet = true});
  for (const fs::path& place : {folder / "runs", folder / "runs" / "mine"}) {
    const auto found = collect_learned({place});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["name"], "mine");
    EXPECT_FALSE(found[0]["examples"].empty());
    EXPECT_EQ(found[0].dump().find("/secret"), std::string::npos);
  }
}

TEST(CollectLearned, WhatIsNoneIsAnError) {
  testing::TemporaryFolder folder;
  for (const char* bad : {"", "[]", "{\"space\": {}}", "{"}) {
    write_file_atomically(folder / "learned.json", bad);
    EXPECT_THROW(collect_learned({folder.path()}), Error) << bad;
  }
}

}  // namespace
}  // namespace neo

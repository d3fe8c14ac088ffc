#include "neo/learn.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/testing.h"
#include "neo/signature.h"

namespace neo {
namespace {

// 5x5 grids with one cell that moves left or right.
void write_pairs(const std::filesystem::path& path) {
  std::ofstream file(path);
  for (int i = 0; i < 300; ++i) {
    const int row = i % 5, column = 1 + i / 5 % 3, to = column + (i % 2 == 0 ? 1 : -1);
    const auto grid = [&](int at) {
      nlohmann::json rows = nlohmann::json::array();
      for (int r = 0; r < 5; ++r) {
        rows.push_back(nlohmann::json::array());
        for (int c = 0; c < 5; ++c) rows.back().push_back(r == row && c == at ? 1 + i % 3 : 0);
      }
      return rows;
    };
    file << nlohmann::json{{"x", grid(column)}, {"y", grid(to)}, {"program", i % 2 == 0 ? "right" : "left"}}.dump()
         << "\n";
  }
}

class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& path) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  ~InFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST(Learn, GoesFromAFileToANamedVocabulary) {
  testing::TemporaryFolder folder;
  const InFolder inside(folder.path());
  write_pairs("moves.jsonl");
  LearnOptions options{.sources = {"moves.jsonl"}, .minutes = 0.1, .quiet = true};
  const LearnResult result = learn(options);
  EXPECT_EQ(result.run, std::filesystem::path("runs/moves"));
  EXPECT_EQ(result.structure, "local");
  EXPECT_TRUE(result.held_out);
  EXPECT_GT(result.score.explained, 0.9);
  ASSERT_TRUE(result.primitiveness.has_value());
  EXPECT_GT(*result.primitiveness, 0.9);
  const Theory theory = Theory::open(result.run);
  EXPECT_EQ(theory.benchmark(), nullptr);
  EXPECT_FALSE(theory.info().examples.empty());
  const nlohmann::json json = result.json();
  for (const char* key : {"space", "structure", "codes", "explained", "error", "length", "transfer",
                          "primitiveness", "seconds"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_CONTAINS(testing::error_of([&] { learn(options); }), "already holds a run");
}

TEST(Signature, DifferencesNameTheRecipe) {
  const nlohmann::json known{{"a", 1.0}, {"b", 2.0}, {"c", 3.0}};
  const nlohmann::json found{{"a", 1.0005}, {"b", 2.1}, {"d", 4.0}};
  EXPECT_EQ(signature_differences(found, known),
            (std::vector<std::string>{"b was 2, is 2.1", "d is new", "c is gone"}));
}

}  // namespace
}  // namespace neo

#include "neo/card.h"

#include <gtest/gtest.h>

#include "benchmark/split_files.h"
#include "core/files.h"
#include "core/testing.h"
#include "neo/theory.h"

namespace neo {
namespace {

TEST(Card, AShareHasWilsonsInterval) {
  const auto [low, high] = share_interval(0.9, 100);
  EXPECT_NEAR(low, 0.8256, 1e-4);
  EXPECT_NEAR(high, 0.9448, 1e-4);
  EXPECT_EQ(share_interval(0.5, 0), (std::pair<double, double>{0, 1}));
  EXPECT_NEAR(share_interval(1, 50).second, 1, 1e-12);
}

TEST(Card, TheFolderHoldsTheTheoryItsCardAndItsVocabulary) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path weights = NEO_SOURCE_DIR "/weights/arithmetic-alpha0.33.safetensors";
  const Theory theory = Theory::open(weights);
  {
    PairWriter writer(folder / "pairs.h5", {.space = theory.space(), .source = "a few | products"});
    for (uint64_t i = 0; i < 12; ++i) writer.add(pairs_of(*theory.benchmark(), theory.benchmark()->sample(1, i), -1).first);
    writer.finish();
  }
  const auto figures = write_card(
      {.model = weights, .data = folder / "pairs.h5", .out = folder / "card", .licence = "cc-by-4.0"});
  EXPECT_EQ(figures.at("episodes"), 12);
  const std::string card = read_file(folder / "card" / "README.md");
  for (const char* part : {"---\nlicense: cc-by-4.0\n", "# arithmetic-alpha0.33\n", "number of 6 digits", "## Figures",
                           "On 12 pairs of pairs", "(vocabulary.svg)", "| z4 | \\*5 |", "## Limits"})
    EXPECT_CONTAINS(card, part);
  EXPECT_CONTAINS(read_file(folder / "card" / "vocabulary.svg"), "</svg>");
  EXPECT_EQ(Theory::open(folder / "card" / "theory.safetensors").space(), theory.space());
}

}  // namespace
}  // namespace neo

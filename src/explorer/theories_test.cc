#include "explorer/theories.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "core/testing.h"
#include "serve/api.h"
#include "serve/schema.h"

namespace neo {
namespace {
using nlohmann::json;

// Shipped theories behind the API, one of each benchmark.
class TheoriesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path weights = NEO_SOURCE_DIR "/weights";
    theories_ = new Theories(named_theories({weights / "gridworld-alpha0.33.safetensors",
                                             weights / "arithmetic-alpha0.33.safetensors",
                                             weights / "imaging-alpha0.66.safetensors"}));
  }
  static void TearDownTestSuite() { delete theories_; }

  // The answer, which is as the document says.
  static json ask(const std::string& path, const json& body) {
    const Answer answer = Api(*theories_).answer("POST", path, body.dump());
    EXPECT_EQ(answer.status, 200) << answer.json;
    const json parsed = json::parse(answer.json);
    const json& responses = openapi_document()["paths"][path]["post"]["responses"];
    EXPECT_EQ(
        schema_error(parsed, responses["200"]["content"]["application/json"]["schema"], openapi_document()),
        "");
    return parsed;
  }
  static json sample_of(const ModelInfo& model, int length, int seed) {
    return ask("/api/sample", {{"model", model.id}, {"length", length}, {"seed", seed}});
  }
  static bool is_image(const ModelInfo& model) { return model.space.layout == Layout::image; }

  static Theories* theories_;
};
Theories* TheoriesTest::theories_ = nullptr;

TEST_F(TheoriesTest, ExplanationsTransferToTheQuery) {
  for (const ModelInfo& model : theories_->models()) {
    if (is_image(model)) continue;  // never met exactly
    for (int seed = 0; seed < 5; ++seed) {
      const json sample = sample_of(model, 2, seed);
      const json theory =
          ask("/api/explain",
              {{"model", model.id}, {"x", sample["x"]}, {"y", sample["y"]}})["explanation"]["run"];
      EXPECT_TRUE(theory["exact"].get<bool>()) << model.id;
      EXPECT_EQ(theory["trace"].front(), sample["x"]);
      EXPECT_EQ(theory["trace"].back(), sample["y"]);
      const json moved =
          ask("/api/transfer",
              {{"model", model.id}, {"program", theory["codes"]}, {"inputs", {sample["query_x"]}}});
      EXPECT_EQ(moved["runs"][0]["trace"].back(), sample["query_y"]) << model.id;
    }
  }
}

TEST_F(TheoriesTest, ImagesAreExplainedNearly) {
  const ModelInfo& model = theories_->models()[2];
  const json sample = sample_of(model, 1, 3);
  const json answer =
      ask("/api/explain", {{"model", model.id}, {"x", sample["x"]}, {"y", sample["y"]}, {"steps", 2}});
  const json& theory = answer["explanation"]["run"];
  EXPECT_EQ(theory["trace"].size(), theory["codes"].size() + 1);
}

TEST_F(TheoriesTest, OverriddenStepsGiveAnotherTrace) {
  for (const ModelInfo& model : theories_->models()) {
    const json sample = sample_of(model, 1, 4);
    const json plain = ask("/api/explain", {{"model", model.id}, {"x", sample["x"]}, {"y", sample["y"]}});
    const json& codes = plain["explanation"]["run"]["codes"];
    const json& active = model.about["active"];
    const json other = active[0] == codes[0] ? active[1] : active[0];
    const json answer = ask("/api/explain", {{"model", model.id},
                                             {"x", sample["x"]},
                                             {"y", sample["y"]},
                                             {"override", {{{"step", 1}, {"code", other}}}}});
    EXPECT_EQ(answer["counterfactual"]["codes"][0], other);
    EXPECT_EQ(answer["counterfactual"]["trace"].size(), codes.size() + 1);
    EXPECT_EQ(answer["explanation"], plain["explanation"]);
  }
}

TEST_F(TheoriesTest, SearchTellsEveryStateThatItVisits) {
  for (const ModelInfo& model : theories_->models()) {
    const json sample = sample_of(model, 2, 5);
    const json answer =
        ask("/api/search", {{"model", model.id}, {"x", sample["x"]}, {"y", sample["y"]}, {"calls", 60}});
    EXPECT_EQ(answer["edges"].size(), answer["calls"].get<size_t>());
    EXPECT_LE(answer["calls"].get<int>(), 60);
    EXPECT_EQ(answer["nodes"][0]["observation"], sample["x"]);
    for (size_t i = 1; i < answer["nodes"].size(); ++i)
      EXPECT_LT(answer["nodes"][i]["parent"].get<size_t>(), i);
    if (!is_image(model)) {
      EXPECT_TRUE(answer["found"].get<bool>()) << model.id;
      EXPECT_EQ(answer["best"]["trace"].back(), sample["y"]);
    }
  }
}

TEST_F(TheoriesTest, VocabularyShowsEveryCodeInUse) {
  for (const ModelInfo& model : theories_->models()) {
    const json answer = ask("/api/vocabulary", {{"model", model.id}});
    EXPECT_EQ(answer["codes"].size(), model.about["active"].size()) << model.id;
    for (const json& code : answer["codes"])
      EXPECT_FALSE(code["examples"].empty() && code["name"] != "no-op");
  }
}

TEST_F(TheoriesTest, AnyObservationIsExplainedSomehow) {  // even an implausible one
  RngStream random(1, "noise");
  for (const ModelInfo& model : theories_->models()) {
    for (int i = 0; i < 5; ++i) {
      const auto noise = [&] {
        Observation o(static_cast<size_t>(model.space.size()));
        for (uint8_t& value : o)
          value = static_cast<uint8_t>(random.below(static_cast<uint64_t>(model.space.most_values())));
        return o;
      };
      const json answer =
          theories_->explain({.model = model.id, .x = noise(), .y = noise(), .alternatives = 3});
      EXPECT_FALSE(answer["explanation"]["run"]["exact"].get<bool>());
    }
  }
}

TEST(NamedTheories, SameNamesAreToldApart) {
  const auto files = named_theories({"a/model.safetensors", "b/model.safetensors"});
  EXPECT_EQ(files[0].id, "model");
  EXPECT_EQ(files[1].id, "model (2)");
}

TEST(NamedTheories, RunsAreNamedByTheirFolder) {
  testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "mine");
  const auto files = named_theories({folder / "mine/"});
  EXPECT_EQ(files[0].id, "mine");
  EXPECT_EQ(files[0].path.filename(), "best.safetensors");
}

}  // namespace
}  // namespace neo

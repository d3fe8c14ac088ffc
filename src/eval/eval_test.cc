#include <gtest/gtest.h>

#include "core/testing.h"
#include "eval/diagnosis.h"
#include "worlds/generate.h"

namespace neo {
namespace {

// An untrained theory of numbers: no code executes anything but by chance.
Neo untrained() {
  torch::manual_seed(5);
  NeoConfig config;
  config.observation = {.kind = "tokens", .tokens = 6, .width = 8};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = {.kind = "recurrent", .hidden = 8};
  config.quantizer = {.codes = 4, .width = 4};
  Neo model(config, arithmetic());
  model->eval();
  model->observation().freeze();
  return model;
}

// Episodes of doubling, written out.
EpisodeSet doublings() {
  EpisodeSet set;
  set.name = "doublings";
  set.world = &arithmetic();
  set.longest_program = 1;
  const auto digits = [](int64_t number) {
    std::vector<int64_t> out(6);
    for (size_t i = 6; i-- > 0; number /= 10) out[i] = number % 10;
    return torch::tensor(out).to(torch::kUInt8).unsqueeze(0);
  };
  std::vector<torch::Tensor> x, y;
  for (int64_t n : {0, 3, 41, 500, 99999}) {
    x.push_back(digits(n));
    y.push_back(digits(2 * n));
    set.programs.push_back({0});
  }
  set.support_x = set.query_x = torch::cat(x);
  set.support_y = set.query_y = torch::cat(y);
  return set;
}

TEST(Episodes, AreTheFirstOnesOrEvenlySpreadWhereProgramsComeOneAfterTheOther) {
  const testing::TemporaryFolder folder;
  const auto chosen = [&](const std::string& name, const std::vector<Program>& programs) {
    EpisodeWriter writer(folder / name, arithmetic(), "id", 1.0);
    for (const Program& program : programs) {
      const Observation one{0, 0, 0, 0, 0, 1}, after = *arithmetic().run(program, one);
      writer.add({one, after, one, after, program});
    }
    writer.finish();
    return load_episodes(folder / name, 2).programs;
  };
  EXPECT_EQ(chosen("mixed.h5", {{0}, {1}, {0}, {1}}), (std::vector<Program>{{0}, {1}}));
  EXPECT_EQ(chosen("sorted.h5", {{0}, {0}, {1}, {1}}), (std::vector<Program>{{0}, {1}}));
}

TEST(Diagnosis, AnUntrainedExecutorFailsAtEveryLength) {
  Neo model = untrained();
  const Diagnosis d = diagnose(*model, doublings(), {.steps = 2});
  EXPECT_LE(d.perfect_programmer, 0.2);  // zero doubled may come out by chance
  ASSERT_EQ(d.executor.at("*2").size(), 4u);
  EXPECT_EQ(d.executor.at("*2").front().length, 1);
  EXPECT_EQ(d.executor.at("*2").front().inputs, 2);  // 0 and 3
  EXPECT_EQ(d.executor.at("*2").back().length, 5);
  EXPECT_EQ(d.executor.at("*2").back().exact, 0.0);
}

TEST(Diagnosis, ItsRecordHasAllItsParts) {
  Neo model = untrained();
  const auto record = to_json(diagnose(*model, doublings(), {.steps = 2}));
  for (const char* key : {"name", "executor", "transfer", "perfect_executor", "perfect_programmer"})
    EXPECT_TRUE(record.contains(key)) << key;
}

}  // namespace
}  // namespace neo

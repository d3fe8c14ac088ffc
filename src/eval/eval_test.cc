#include <gtest/gtest.h>

#include "core/testing.h"
#include "eval/diagnosis.h"
#include "model/testing.h"

namespace neo {
namespace {

// An untrained theory of numbers: no code executes anything but by chance.
Neo untrained() {
  torch::manual_seed(5);
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 8};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = {.kind = "recurrent", .hidden = 8};
  config.quantizer = {.codes = 4, .width = 4};
  Neo model(config, testing::number_space());
  model->eval();
  model->observation().freeze();
  return model;
}

// Episodes of doubling, written out.
Episodes doublings() {
  Episodes set{.name = "doublings", .space = testing::number_space(), .benchmark = "arithmetic"};
  const auto digits = [](int64_t number) {
    std::vector<int64_t> out(6);
    for (size_t i = 6; i-- > 0; number /= 10) out[i] = number % 10;
    return torch::tensor(out).to(torch::kUInt8).unsqueeze(0);
  };
  std::vector<torch::Tensor> x, y;
  for (int64_t n : {0, 3, 41, 500, 99999}) {
    x.push_back(digits(n));
    y.push_back(digits(2 * n));
    set.programs.push_back("*2");
  }
  set.support_x = set.query_x = torch::cat(x);
  set.support_y = set.query_y = torch::cat(y);
  return set;
}

// A pair of numbers, x and y the same.
Pair same_number(uint8_t digit, int32_t group, const std::string& program) {
  const Observation number{0, 0, 0, 0, 0, digit};
  return {number, number, group, program};
}

std::vector<int64_t> last_digits(const torch::Tensor& numbers) {
  const auto column = numbers.select(1, 5).to(torch::kLong).contiguous();
  return {column.data_ptr<int64_t>(), column.data_ptr<int64_t>() + column.size(0)};
}

TEST(Episodes, AreTheFirstOnesOrEvenlySpreadWhereProgramsComeOneAfterTheOther) {
  const testing::TemporaryFolder folder;
  const auto chosen = [&](const std::string& name, const std::vector<std::string>& programs) {
    PairWriter writer(folder / name, {.space = testing::number_space(), .split = "id", .grouped = true});
    for (size_t i = 0; i < programs.size(); ++i) {
      for (int copy = 0; copy < 2; ++copy) writer.add(same_number(1, static_cast<int32_t>(i), programs[i]));
    }
    writer.finish();
    return episodes_of(load_pairs(folder / name, Part::main, 2)).programs;
  };
  EXPECT_EQ(chosen("mixed.h5", {"a", "b", "a", "b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(chosen("sorted.h5", {"a", "a", "b", "b"}), (std::vector<std::string>{"a", "b"}));
}

TEST(Episodes, WithinAGroupEveryOtherPairIsSupport) {
  const Pairs pairs = to_pairs(
      "mixed", testing::number_space(),
      {same_number(0, 7, "a b"), same_number(1, 8, "c"), same_number(2, 7, "a b"), same_number(3, 7, "a b"),
       same_number(4, -1, "d"), same_number(5, 8, "c"), same_number(6, 7, "a b"), same_number(9, 9, "e")});
  const Episodes episodes = episodes_of(pairs);
  EXPECT_EQ(last_digits(episodes.support_x), (std::vector<int64_t>{0, 1, 3}));
  EXPECT_EQ(last_digits(episodes.query_x), (std::vector<int64_t>{2, 5, 6}));
  EXPECT_EQ(episodes.programs, (std::vector<std::string>{"a b", "c", "a b"}));
  EXPECT_EQ(episodes.longest_program(), 2);
  EXPECT_EQ(episodes.name, "mixed");
  EXPECT_EQ(episodes.space, testing::number_space());
  const Episodes last = narrow(episodes, 2, 1);
  EXPECT_EQ(last_digits(last.support_x), std::vector<int64_t>{3});
  EXPECT_EQ(last_digits(last.query_x), std::vector<int64_t>{6});
  EXPECT_EQ(last.programs, std::vector<std::string>{"a b"});
}

TEST(Episodes, WithoutGroupsEveryPairStandsForItself) {
  const Episodes episodes =
      episodes_of(to_pairs("own", testing::number_space(), {same_number(3, -1, ""), same_number(4, -1, "")}));
  EXPECT_EQ(episodes.size(), 2);
  EXPECT_FALSE(episodes.has_queries());
  EXPECT_FALSE(narrow(episodes, 0, 1).has_queries());
  EXPECT_EQ(episodes.longest_program(), 0);
}

TEST(Episodes, GroupsOfOnePairAreAsGoodAsNone) {
  const Pairs pairs =
      to_pairs("own", testing::number_space(), {same_number(3, 0, ""), same_number(4, 1, "")});
  EXPECT_EQ(episodes_of(pairs).size(), 2);
  EXPECT_FALSE(episodes_of(pairs).has_queries());
}

TEST(Diagnosis, AnUntrainedExecutorFailsAtEveryLength) {
  Neo model = untrained();
  const Diagnosis d = diagnose(*model, doublings(), {.steps = 2}, benchmark_named("arithmetic"));
  EXPECT_LE(d.perfect_programmer, 0.2);  // zero doubled may come out by chance
  ASSERT_EQ(d.executor.at("*2").size(), 4u);
  EXPECT_EQ(d.executor.at("*2").front().length, 1);
  EXPECT_EQ(d.executor.at("*2").front().inputs, 2);  // 0 and 3
  EXPECT_EQ(d.executor.at("*2").back().length, 5);
  EXPECT_EQ(d.executor.at("*2").back().exact, 0.0);
}

TEST(Diagnosis, ItsRecordHasAllItsParts) {
  Neo model = untrained();
  const auto record = to_json(diagnose(*model, doublings(), {.steps = 2}, benchmark_named("arithmetic")));
  for (const char* key : {"name", "executor", "transfer", "perfect_executor", "perfect_programmer"})
    EXPECT_TRUE(record.contains(key)) << key;
}

}  // namespace
}  // namespace neo

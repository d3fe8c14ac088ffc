#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "core/error.h"

// For tests only.
namespace neo::testing {

// The smallest benchmark that has everything: strings of four letters a to d, turned by one place, mirrored,
// or stepped to the next letter. One class, listed with ScopedBenchmark and nowhere else.
class ToyBenchmark : public Benchmark {
 public:
  std::string_view name() const override { return "toy"; }
  std::string_view title() const override { return "Toy"; }
  const Space& space() const override {
    static const Space letters{.kind = Kind::categorical,
                               .layout = Layout::sequence,
                               .shape = {4},
                               .values = {4},
                               .symbols = {"a", "b", "c", "d"}};
    return letters;
  }
  const std::vector<std::string>& primitives() const override {
    static const std::vector<std::string> names{"turn", "mirror", "next"};
    return names;
  }
  std::optional<Observation> apply(int primitive, ObservationView input) const override {
    Observation output(input.begin(), input.end());
    if (primitive == 0) std::rotate(output.begin(), output.begin() + 1, output.end());
    if (primitive == 1) std::ranges::reverse(output);
    if (primitive != 2) return output;
    for (uint8_t& letter : output) {
      if (++letter == 4) return std::nullopt;  // there is none after d
    }
    return output;
  }

  void generate(const DataRequest& request, const OpenSplit& open) const override {
    check_request(request);
    const int64_t episodes = request.episodes > 0 ? request.episodes : 50;
    std::vector<std::string> wanted{"train", "id", "comp"};
    if (request.profile == "length") wanted = {"length"};
    if (request.profile == "pretraining") wanted = {"pretrain", "pretrain-test"};
    for (const std::string& split : wanted) {
      if (split == "comp" && request.alpha == 1.0) continue;
      const EpisodeSink sink = open(split, episodes);
      if (!sink) continue;
      RngStream seeds(1, "toy " + split);
      const int64_t length = split == "length" ? 3 : split == "comp" ? 2 : 1;
      for (int64_t i = 0; i < episodes; ++i) sink(sample(length, seeds.next64()));
    }
  }

  int64_t longest_sample() const override { return 3; }
  std::vector<Program> sample_programs(int64_t length) const override {
    std::vector<Program> programs{{}};
    for (int64_t i = 0; i < length; ++i) {
      std::vector<Program> longer;
      for (const Program& program : programs) {
        for (int primitive = 0; primitive < 3; ++primitive) {
          longer.push_back(program);
          longer.back().push_back(primitive);
        }
      }
      programs = longer;
    }
    return programs;
  }
  Observation sample_input(RngStream& random) const override {
    Observation letters(4);
    for (uint8_t& letter : letters) letter = static_cast<uint8_t>(random.below(4));
    return letters;
  }
  std::vector<Program> training_programs(double) const override { return sample_programs(1); }
};

}  // namespace neo::testing

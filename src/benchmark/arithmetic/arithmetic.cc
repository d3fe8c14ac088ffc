#include "benchmark/arithmetic/arithmetic.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmark/arithmetic/generator.h"
#include "benchmark/arithmetic/programs.h"
#include "core/embedded.h"
#include "core/error.h"

namespace neo {
namespace {

constexpr int64_t kDigits = 6;

class Arithmetic : public Benchmark {
 public:
  std::string_view name() const override { return "arithmetic"; }
  std::string_view title() const override { return "Arithmetic"; }
  const Space& space() const override {
    static const Space number{
        .kind = Kind::categorical, .layout = Layout::number, .shape = {kDigits}, .values = {10}};
    return number;
  }

  const std::vector<std::string>& primitives() const override {
    static const std::vector<std::string> names{"*2", "*3", "*5", "*7"};
    return names;
  }
  std::optional<Observation> apply(int primitive, ObservationView digits) const override {
    const int64_t product = digits_to_number(digits) * kFactors[primitive];
    if (product > kLargestNumber) return std::nullopt;
    return number_to_digits(product);
  }

  void generate(const DataRequest& request, const OpenSplit& open) const override {
    generate_arithmetic(request, open);
  }
  Protocol protocol(const std::string& split) const override {
    return {.steps = split == "length" ? 6 : 3, .lambda = std::nullopt};
  }
  // int64 LE in0, out0, in1, out1.
  void add_to_digest(const Episode& episode, Sha256& hash) const override {
    for (const auto* o : {&episode.support_x, &episode.support_y, &episode.query_x, &episode.query_y})
      hash.update_le(digits_to_number(*o));
  }

  int64_t longest_sample() const override { return 6; }
  std::vector<Program> sample_programs(int64_t length) const override {
    return arithmetic_programs(static_cast<int>(length), static_cast<int>(length));
  }
  // Small enough that a few factors keep it within six digits, of one to four digits alike.
  Observation sample_input(RngStream& random) const override {
    int64_t limit = 10;
    for (uint64_t digits = random.below(4); digits > 0; --digits) limit *= 10;
    return number_to_digits(1 + static_cast<int64_t>(random.below(static_cast<uint64_t>(limit - 1))));
  }

  const nlohmann::json& published() const override {
    static const auto figures = nlohmann::json::parse(embedded_file("arithmetic/published.json"));
    return figures;
  }
  std::optional<std::string> temperature_sweep_split() const override { return "length"; }
  int64_t paper_batch() const override { return 512; }
  std::vector<Program> training_programs(double alpha) const override {
    const auto held_out = held_out_arithmetic_programs(alpha);
    auto all = arithmetic_programs(1, 3);
    std::erase_if(all, [&](const Program& p) { return std::ranges::find(held_out, p) != held_out.end(); });
    return all;
  }
  // Large factors have fewer inputs whose result fits.
  std::optional<double> mean_training_length(double) const override { return std::nullopt; }
};

}  // namespace

const Benchmark& arithmetic() {
  static const Arithmetic benchmark;
  return benchmark;
}

int64_t digits_to_number(ObservationView digits) {
  int64_t number = 0;
  for (uint8_t digit : digits) number = number * 10 + digit;
  return number;
}

Observation number_to_digits(int64_t number) {
  if (number < 0 || number > kLargestNumber)
    fail("{} is outside 0..{}: numbers have at most six digits", number, kLargestNumber);
  Observation digits(kDigits);
  for (size_t i = digits.size(); i-- > 0; number /= 10) digits[i] = static_cast<uint8_t>(number % 10);
  return digits;
}

}  // namespace neo

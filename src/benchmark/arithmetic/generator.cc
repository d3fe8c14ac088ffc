#include "benchmark/arithmetic/generator.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "benchmark/arithmetic/arithmetic.h"
#include "benchmark/arithmetic/programs.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr uint32_t kSeed = 42;
constexpr int64_t kEpisodesPerProgram = 11000;  // 10,000 for training and a tenth more for the ID test
constexpr int64_t kLengthEpisodesPerProgram = 100;

struct Row {
  std::array<int32_t, 2> inputs;  // support, query
  int32_t program;                // index into the list sampled from
};

int64_t product_of(const Program& program) {
  int64_t product = 1;
  for (int factor : program) product *= kFactors[static_cast<size_t>(factor)];
  return product;
}

// For each program: all inputs whose result fits, shuffled, taken two at a time.
std::vector<Row> sample_rows(NumpyRandom& random, const std::vector<Program>& programs, int64_t per_program) {
  std::vector<Row> rows;
  for (size_t p = 0; p < programs.size(); ++p) {
    std::vector<int32_t> inputs(static_cast<size_t>(kLargestNumber / product_of(programs[p]) + 1));
    std::iota(inputs.begin(), inputs.end(), 0);
    random.shuffle(inputs);
    const auto episodes = std::min(static_cast<size_t>(per_program), inputs.size() / 2);
    for (size_t i = 0; i < episodes; ++i)
      rows.push_back({{inputs[2 * i], inputs[2 * i + 1]}, static_cast<int32_t>(p)});
  }
  return rows;
}

void shuffle_rows(NumpyRandom& random, std::vector<Row>& rows) {
  const auto order = random.permutation(static_cast<int64_t>(rows.size()));
  std::vector<Row> shuffled;
  shuffled.reserve(rows.size());
  for (int64_t index : order) shuffled.push_back(rows[static_cast<size_t>(index)]);
  rows = std::move(shuffled);
}

void emit(const std::string& split, std::span<const Row> rows, const std::vector<Program>& programs,
          int64_t limit, const OpenSplit& open) {
  if (limit > 0) rows = rows.first(std::min(rows.size(), static_cast<size_t>(limit)));
  const EpisodeSink sink = open(split, static_cast<int64_t>(rows.size()));
  if (!sink) return;
  for (const Row& row : rows) {
    const Program& program = programs[static_cast<size_t>(row.program)];
    const int64_t product = product_of(program);
    sink({number_to_digits(row.inputs[0]), number_to_digits(row.inputs[0] * product),
          number_to_digits(row.inputs[1]), number_to_digits(row.inputs[1] * product), program});
  }
}

void generate_pretraining(int64_t limit, const OpenSplit& open) {
  const auto put = [&](const std::string& split, const std::vector<int64_t>& numbers) {
    const auto all = static_cast<int64_t>(numbers.size() / 4);
    const int64_t episodes = limit > 0 ? std::min(limit, all) : all;
    const EpisodeSink sink = open(split, episodes);
    if (!sink) return;
    for (int64_t i = 0; i < episodes; ++i) {
      const auto digits = [&](int64_t k) {
        return number_to_digits(numbers[static_cast<size_t>(4 * i + k)]);
      };
      sink({digits(0), digits(1), digits(2), digits(3), {}});
    }
  };
  std::vector<int64_t> numbers(10000);
  std::iota(numbers.begin(), numbers.end(), 0);
  put("pretrain", numbers);
  RngStream random(kSeed, "arithmetic pretraining test");
  numbers.resize(1000);
  for (int64_t& number : numbers) number = static_cast<int64_t>(random.below(kLargestNumber + 1));
  put("pretrain-test", numbers);
}

}  // namespace

void generate_arithmetic(const DataRequest& request, const OpenSplit& open) {
  check_request(request);
  if (request.profile == "pretraining") return generate_pretraining(request.episodes, open);
  NumpyRandom random(kSeed);
  if (request.profile == "length") {
    // The released settings keep 1,514 rows of the 15,317 published; 100 episodes per program gives 15,318.
    const auto programs = arithmetic_programs(4, 6);
    auto rows = sample_rows(random, programs, kLengthEpisodesPerProgram);
    shuffle_rows(random, rows);
    return emit("length", rows, programs, request.episodes, open);
  }
  const auto held_out = held_out_arithmetic_programs(request.alpha);
  std::vector<Program> regular;
  std::vector<Program> compositional;
  for (const Program& program : arithmetic_programs(1, 3)) {
    const bool is_held_out = std::find(held_out.begin(), held_out.end(), program) != held_out.end();
    (is_held_out ? compositional : regular).push_back(program);
  }
  auto rows = sample_rows(random, regular, kEpisodesPerProgram);
  auto held_out_rows = sample_rows(random, compositional, kEpisodesPerProgram);
  shuffle_rows(random, rows);
  shuffle_rows(random, held_out_rows);
  const size_t test = rows.size() / 11;
  const std::span<const Row> all(rows);
  emit("train", all.first(rows.size() - test), regular, request.episodes, open);
  emit("id", all.last(test), regular, request.episodes, open);
  if (!compositional.empty()) emit("comp", held_out_rows, compositional, request.episodes, open);
}

}  // namespace neo

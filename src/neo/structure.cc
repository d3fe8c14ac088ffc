#include "neo/structure.h"

#include <algorithm>

#include "core/error.h"
#include "model/discovered_executor.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {
// Enough for some hundred transformations; of large observations fewer, since a pair of them says more and costs more.
constexpr int64_t kMostCountedPairs = 4000, kLeastCountedPairs = 500, kCountedCells = 1000000;
constexpr int64_t kJudgedPairs = 500;

Pairs counted(const Pairs& pairs) {
  const int64_t fitting = kCountedCells / std::max<int64_t>(pairs.space.cells(), 1);
  return subsample(pairs, std::clamp(fitting, kLeastCountedPairs, kMostCountedPairs));
}

CellShape shape_of(const Space& space) {
  CellShape shape{space.rows(), space.columns(), space.most_values(), space.channels(), {}};
  for (int64_t channel = 0; channel < space.channels() && space.padded; ++channel)
    shape.blank.push_back(static_cast<uint16_t>(space.values_at(channel) - 1));
  return shape;
}

}  // namespace

std::optional<PairTable> count_table(const Pairs& pairs) {
  const Space& space = pairs.space;
  if (!space.is_categorical() || space.element() != Element::u8) return {};
  PairTable table{shape_of(space), {}, {}};
  const auto numbers = [](const torch::Tensor& observations) {
    const auto plain = observations.contiguous();
    const auto* first = plain.data_ptr<uint8_t>();
    return std::vector<uint16_t>(first, first + plain.numel());
  };
  table.x = numbers(pairs.x);
  table.y = numbers(pairs.y);
  return table;
}

std::optional<Discovery> discover_operations(const Pairs& pairs, const Pairs& held_out, uint64_t seed) {
  const auto learned = count_table(counted(pairs));
  const auto judged = count_table(subsample(held_out, kJudgedPairs));
  if (!learned || !judged) return {};
  return discover(*learned, *judged, seed);
}

std::vector<std::string> settings_of(const Discovery& found, const Space& space) {
  const auto codes = found.vocabulary.size();
  return {"model.executor.kind=discovered",
          fmt::format("model.executor.values={}", space.most_values()),
          fmt::format("model.executor.channels={}", space.channels()),
          fmt::format("model.executor.words={}", DiscoveredExecutor::words_of(found.vocabulary, shape_of(space))),
          fmt::format("model.executor.noise={}", found.noise),
          fmt::format("model.quantizer.codes={}", codes),
          fmt::format("model.quantizer.width={}", codes),
          "model.quantizer.initial=orthogonal",
          "optimizer.codebook_scale=0",
          "optimizer.decay=0",
          "wake_sleep.search=shortest",
          "wake_sleep.lambda=1",
          "wake_sleep.wake_steps=0",
          "wake_sleep.dream_start=0",
          "wake_sleep.dream_shift=0",
          "wake_sleep.prune=0",
          "resets.every=0",
          "resets.hold_until_solved=0"};
}

void set_operations(NeoImpl& model, const std::vector<Operation>& operations) {
  auto* executor = dynamic_cast<DiscoveredExecutor*>(&model.executor());
  auto* observation = dynamic_cast<TokenEmbedding*>(&model.observation());
  if (!executor || !observation)
    fail_usage("an executor of kind discovered needs model.observation.kind = tokens");
  const auto codes = model.quantizer().config().codes;
  if (static_cast<int64_t>(operations.size()) != codes)
    fail_usage("these pairs have {} operations; set model.quantizer.codes and .width to that", operations.size());
  executor->set(operations, shape_of(model.space()), model.quantizer().vectors(torch::arange(codes)),
                observation->vectors());
}

}  // namespace neo

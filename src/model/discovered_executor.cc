#include "model/discovered_executor.h"

#include <ATen/Parallel.h>

#include "core/error.h"

namespace neo {
namespace {

constexpr int64_t kObservationsPerTask = 64;  // observations worth another thread

// Every operation after its own length.
std::vector<int32_t> to_words(const std::vector<Operation>& operations, const CellShape& shape) {
  std::vector<int32_t> words{static_cast<int32_t>(shape.rows), static_cast<int32_t>(shape.columns),
                             static_cast<int32_t>(shape.values)};
  for (size_t channel = 0; channel < static_cast<size_t>(shape.channels); ++channel)
    words.push_back(shape.blank.empty() ? -1 : shape.blank[channel]);
  for (const Operation& operation : operations) {
    const auto own = operation.words();
    words.push_back(static_cast<int32_t>(own.size()));
    words.insert(words.end(), own.begin(), own.end());
  }
  return words;
}

[[noreturn]] void fail_damaged() {
  fail("executor.words: not operations; the weights are damaged, train them again");
}

// What to_words wrote; nothing in it is trusted.
std::vector<Operation> from_words(std::span<const int32_t> words, int64_t tokens, int64_t channels,
                                  int64_t values) {
  const auto header = static_cast<size_t>(3 + channels);
  if (words.size() < header) fail_damaged();
  CellShape shape{words[0], words[1], words[2], channels, {}};
  if (words[0] < 1 || words[1] < 1 || shape.rows * shape.columns != tokens || shape.values != values)
    fail_damaged();
  for (size_t channel = 0; channel < static_cast<size_t>(channels) && words[3] >= 0; ++channel) {
    const int32_t blank = words[3 + channel];
    if (blank < 0 || blank >= values) fail_damaged();
    shape.blank.push_back(static_cast<uint16_t>(blank));
  }
  std::vector<Operation> operations;
  for (size_t at = header; at < words.size();) {
    const int32_t length = words[at++];
    if (length < 1 || static_cast<size_t>(length) > words.size() - at) fail_damaged();
    auto operation = Operation::from_words(words.subspan(at, static_cast<size_t>(length)), shape);
    if (!operation) fail_damaged();
    operations.push_back(std::move(*operation));
    at += static_cast<size_t>(length);
  }
  return operations;
}

}  // namespace

DiscoveredExecutor::DiscoveredExecutor(const ExecutorConfig& config, const StateShape& state,
                                       int64_t action_width)
    : channels_(config.channels), state_(state) {
  if (config.values < 1 || config.words < 1)
    fail_usage(
        "an executor of kind discovered is made by `neo learn`, or by `neo train --data` without "
        "model.executor.values and .words");
  if (config.channels < 1 || state.width % config.channels != 0)
    fail_usage("model.executor.channels is {}; a state of width {} cannot be shared by so many",
               config.channels, state.width);
  // As many codes as dimensions: every code has a direction of its own.
  codes_ = register_buffer("codes", torch::zeros({action_width, action_width}));
  values_ = register_buffer("values", torch::zeros({config.values, state.width / config.channels}));
  words_ = register_buffer("words", torch::zeros({config.words}, torch::kInt));
}

int64_t DiscoveredExecutor::words_of(const std::vector<Operation>& operations, const CellShape& shape) {
  return static_cast<int64_t>(to_words(operations, shape).size());
}

void DiscoveredExecutor::set(const std::vector<Operation>& operations, const CellShape& shape,
                             const torch::Tensor& codes, const torch::Tensor& values) {
  torch::NoGradGuard no_grad;
  codes_.copy_(codes);
  values_.copy_(values);
  auto words = to_words(operations, shape);
  words_.copy_(torch::from_blob(words.data(), {static_cast<int64_t>(words.size())}, torch::kInt));
}

const std::vector<Operation>& DiscoveredExecutor::operations() const {
  const std::lock_guard lock(mutex_);
  if (version_ != words_._version()) {
    const std::span words(words_.data_ptr<int32_t>(), static_cast<size_t>(words_.numel()));
    operations_ = from_words(words, state_.tokens, channels_, values_.size(0));
    if (static_cast<int64_t>(operations_.size()) != codes_.size(0)) fail_damaged();
    version_ = words_._version();
  }
  return operations_;
}

torch::Tensor DiscoveredExecutor::next_values(const torch::Tensor& observations, const torch::Tensor& source,
                                              const torch::Tensor& codes) const {
  const std::vector<Operation>& known = operations();
  const int64_t count = source.size(0), cells = observations.size(1);
  const auto inputs = observations.to(torch::kInt).contiguous();
  const auto from = source.contiguous(), code = codes.contiguous();
  auto out = torch::empty({count, cells}, torch::kInt);
  at::parallel_for(0, count, kObservationsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<uint16_t> x(static_cast<size_t>(cells)), y(x.size());
    for (int64_t i = begin; i < end; ++i) {
      const auto* input = inputs.data_ptr<int32_t>() + from.data_ptr<int64_t>()[i] * cells;
      std::copy(input, input + cells, x.begin());
      known[static_cast<size_t>(code.data_ptr<int64_t>()[i])].apply(x, y);
      std::copy(y.begin(), y.end(), out.data_ptr<int32_t>() + i * cells);
    }
  });
  return out;
}

torch::Tensor DiscoveredExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const auto vectors = state.reshape({state.size(0), -1, values_.size(1)});  // [B, N, D]
  const auto observations = vectors.matmul(values_.t()).argmax(-1);
  const auto codes = action.matmul(codes_.t()).argmax(-1);
  const auto next = next_values(observations, torch::arange(state.size(0)), codes);
  return values_.index_select(0, next.flatten().to(torch::kLong)).view_as(state);
}

}  // namespace neo

#include "model/suffix_table.h"

#include "kernels/category_ops.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {
constexpr int64_t kTail = 3;  // tokens that are tabulated
constexpr size_t kSuffixesAtOnce = 2048;
constexpr int64_t kMostSuffixes = 1 << 14;

class SuffixExecutor : public HardExecutor {
 public:
  SuffixExecutor(NeoImpl& model, RecurrentExecutor& executor, TokenEmbedding& observation)
      : model_(model),
        executor_(executor),
        observation_(observation),
        values_(observation.readout().classes()) {
    torch::NoGradGuard no_grad;
    tabulate();
  }

  Reading step(const StepBatch& batch) override {
    torch::NoGradGuard no_grad;
    const Rows rows{batch.observations.contiguous(), batch.targets.contiguous(), batch.source.contiguous(),
                    batch.codes.contiguous()};
    const int64_t count = batch.source.size(0);
    Reading reading{torch::empty({count}), torch::empty({count}),
                    torch::empty({count, rows.observations.size(1)}, torch::kByte),
                    torch::zeros({count}, torch::kBool)};
    const auto limits = batch.limit.defined() ? batch.limit.contiguous() : torch::Tensor();
    std::vector<int64_t> going_on, entry;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = read_tail(rows, i, reading);
      const float loss = reading.loss.data_ptr<float>()[i];
      const float least = batch.last ? loss : std::min(loss, reading.self_loss.data_ptr<float>()[i]);
      if (limits.defined() && least > limits.data_ptr<float>()[i]) continue;  // given up
      going_on.push_back(i);
      entry.push_back(at);
    }
    for (size_t begin = 0; begin < going_on.size(); begin += kSuffixesAtOnce) {
      const size_t count_now = std::min(going_on.size() - begin, kSuffixesAtOnce);
      read_head(rows, std::span(going_on).subspan(begin, count_now),
                std::span(entry).subspan(begin, count_now), reading);
    }
    return reading;
  }

 private:
  struct Rows {
    torch::Tensor observations, targets, source, codes;  // of StepBatch, contiguous
    const uint8_t* observation(int64_t i) const {
      return observations.data_ptr<uint8_t>() + source.data_ptr<int64_t>()[i] * observations.size(1);
    }
    const uint8_t* target(int64_t i) const {
      return targets.data_ptr<uint8_t>() + source.data_ptr<int64_t>()[i] * targets.size(1);
    }
  };

  // Looks up the last tokens of step i; the other tokens are left as they are for now. Returns the
  // row of the tables.
  int64_t read_tail(const Rows& rows, int64_t i, Reading& reading) const {
    const int64_t tokens = rows.observations.size(1);
    const int64_t head = tokens - kTail;
    const uint8_t* o = rows.observation(i);
    const uint8_t* y = rows.target(i);
    auto* hard = reading.hard.data_ptr<uint8_t>() + i * tokens;
    std::copy(o, o + head, hard);
    int64_t suffix = 0;
    for (int64_t t = head; t < tokens; ++t) suffix = suffix * values_ + o[t];
    const int64_t at = rows.codes.data_ptr<int64_t>()[i] * suffixes_ + suffix;
    float total = 0;
    for (int64_t t = 0; t < kTail; ++t) {
      total += losses_.data_ptr<float>()[(at * kTail + t) * values_ + y[head + t]];
      hard[head + t] = best_.data_ptr<uint8_t>()[at * kTail + t];
    }
    reading.loss.data_ptr<float>()[i] = total / static_cast<float>(tokens);
    reading.self_loss.data_ptr<float>()[i] = self_loss_.data_ptr<float>()[at] / static_cast<float>(tokens);
    return at;
  }

  // States and losses after the last 1, 2, ... kTail tokens, for every code.
  void tabulate() {
    const int64_t codes = model_.quantizer().config().codes;
    const auto vectors = model_.quantizer().vectors(torch::arange(codes));
    const auto tokens = observation_.vectors();
    gates_ = executor_.gates(tokens.repeat({codes, 1}), vectors.repeat_interleave(values_, 0));  // [Z V, 3H]
    auto hidden = torch::zeros({codes, 1, executor_.hidden()});
    std::vector<torch::Tensor> logits;
    int64_t known = 1;  // suffixes so far
    for (int64_t t = 0; t < kTail; ++t) {
      const auto gates = gates_.view({codes, values_, 1, -1}).expand({-1, -1, known, -1});
      const auto before = hidden.unsqueeze(1).expand({-1, values_, -1, -1});
      hidden =
          executor_.advance(gates.flatten(0, 2), before.flatten(0, 2)).view({codes, values_ * known, -1});
      known *= values_;
      logits.push_back(observation_.decode(executor_.emit(hidden)));  // [Z, V^(t+1), V]
    }
    suffixes_ = known;
    std::vector<torch::Tensor> by_position;  // of every full suffix
    const auto number = torch::arange(suffixes_);
    int64_t shorter = suffixes_;
    for (int64_t t = kTail - 1; t >= 0; --t, shorter /= values_)
      by_position.push_back(logits[static_cast<size_t>(t)].index_select(1, number.remainder(shorter)));
    const auto all = torch::stack(by_position, 2);  // [Z, suffixes, kTail, V]
    losses_ = (-torch::log_softmax(all, -1)).contiguous();
    best_ = all.argmax(-1).to(torch::kByte).contiguous();
    self_loss_ = std::get<0>(losses_.min(-1)).sum(-1).contiguous();
    hidden_ = hidden.flatten(0, 1).contiguous();
  }

  // The tokens before the suffix, for some of the steps.
  void read_head(const Rows& rows, std::span<const int64_t> some, std::span<const int64_t> entry,
                 Reading& reading) const {
    const auto count = static_cast<int64_t>(some.size());
    const int64_t tokens = rows.observations.size(1);
    const int64_t head = tokens - kTail;
    const auto index = [](std::span<const int64_t> v) {
      return torch::tensor(at::ArrayRef<int64_t>(v.data(), v.size()), torch::kLong);
    };
    const auto chosen = index(some);
    const auto source = rows.source.index_select(0, chosen);
    const auto first_gate = rows.codes.index_select(0, chosen) * values_;
    const auto digits = rows.observations.index_select(0, source).to(torch::kLong);
    auto hidden = hidden_.index_select(0, index(entry));
    std::vector<torch::Tensor> states(static_cast<size_t>(head));
    for (int64_t t = head - 1; t >= 0; --t) {
      hidden = executor_.advance(gates_.index_select(0, first_gate + digits.select(1, t)), hidden);
      states[static_cast<size_t>(t)] = hidden;
    }
    const auto logits = observation_.decode(executor_.emit(torch::stack(states, 1)));
    const auto wanted = rows.targets.index_select(0, source).narrow(1, 0, head).contiguous();
    const CategoryScores scores = category_scores(logits, wanted, values_);
    const float share = static_cast<float>(head) / static_cast<float>(tokens);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = some[static_cast<size_t>(i)];
      reading.loss.data_ptr<float>()[at] += share * scores.loss.data_ptr<float>()[i];
      reading.self_loss.data_ptr<float>()[at] += share * scores.own.data_ptr<float>()[i];
      auto* hard = reading.hard.data_ptr<uint8_t>() + at * tokens;
      std::copy_n(scores.best.data_ptr<uint8_t>() + i * head, head, hard);
      reading.exact.data_ptr<bool>()[at] = std::equal(hard, hard + tokens, rows.target(at));
    }
  }

  NeoImpl& model_;
  RecurrentExecutor& executor_;
  TokenEmbedding& observation_;
  int64_t values_;
  int64_t suffixes_ = 0;
  torch::Tensor gates_;      // [Z V, 3H] of every code and value
  torch::Tensor hidden_;     // [Z suffixes, H]
  torch::Tensor losses_;     // [Z, suffixes, kTail, V] -log p
  torch::Tensor best_;       // [Z, suffixes, kTail]
  torch::Tensor self_loss_;  // [Z, suffixes] summed over the tail
};

}  // namespace

std::unique_ptr<HardExecutor> make_suffix_executor(NeoImpl& model) {
  auto* executor = dynamic_cast<RecurrentExecutor*>(&model.executor());
  auto* observation = dynamic_cast<TokenEmbedding*>(&model.observation());
  const Space& space = model.space();
  if (!executor || !observation || space.rows() > 1 || space.channels() > 1 ||
      space.element() != Element::u8 || space.size() <= kTail)
    return nullptr;
  int64_t suffixes = model.quantizer().config().codes;
  for (int64_t t = 0; t < kTail; ++t) suffixes *= observation->readout().classes();
  if (suffixes > kMostSuffixes) return nullptr;
  return std::make_unique<SuffixExecutor>(model, *executor, *observation);
}

}  // namespace neo

#include "eval/scores.h"

#include "search/latent_beam.h"

namespace neo {
namespace {

constexpr int64_t kRowsAtOnce = 2048;
constexpr int64_t kBeamRowsAtOnce = 128;  // times width, codes and D floats

// The sum over rows: how many are exact, or the error where nothing ever is.
double total_score(const Readout& readout, const torch::Tensor& prediction, const torch::Tensor& target) {
  return readout.is_categorical() ? exact_rows(prediction, target).sum().item<double>()
                                  : readout.error(prediction, target).sum().item<double>();
}

int64_t calls_of(NeoImpl& model, const Policy& policy) {
  if (policy.search == "beam" && model.has_codes()) return beam_calls(model, policy.steps, policy.width);
  // Refining: before, after every step, and the chosen one.
  return policy.steps * (policy.refine ? policy.refine_steps + 2 : 1);
}

// What an error has to be compared with.
void add_baselines(NeoImpl& model, const Episodes& episodes, SplitScore& score) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  if (readout.is_categorical()) return;
  const auto& x = episodes.has_queries() ? episodes.query_x : episodes.support_x;
  const auto& y = episodes.has_queries() ? episodes.query_y : episodes.support_y;
  for (int64_t begin = 0; begin < episodes.size(); begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, episodes.size() - begin);
    const auto target = y.narrow(0, begin, count);
    score.identity += readout.error(x.narrow(0, begin, count), target).sum().item<double>();
    const auto again = readout.harden(observation.decode(observation.encode(target)));
    score.floor += readout.error(again, target).sum().item<double>();
  }
  score.identity /= static_cast<double>(episodes.size());
  score.floor /= static_cast<double>(episodes.size());
}

}  // namespace

torch::Tensor exact_rows(const torch::Tensor& prediction, const torch::Tensor& target) {
  return (prediction == target).all(1);
}

nlohmann::json to_json(const SplitScore& s) {
  nlohmann::json record{{"name", s.name},
                        {"episodes", s.episodes},
                        {"method", s.method},
                        {"search", s.search},
                        {"temperature", s.temperature},
                        {"budget", s.budget},
                        {"steps", s.steps},
                        {"calls", s.calls},
                        {"hard_grounding", s.hard_grounding},
                        {"self", s.self},
                        {"explained", s.explained},
                        {"error", s.error},
                        {"mean_length", s.mean_length}};
  if (s.transfer) {
    record["transfer"] = *s.transfer;
    record["pass"] = s.pass;
  }
  if (!s.choice.empty()) {
    record["choice"] = s.choice;
    record["query_probe"] = s.query_probe;
    record["calls_used"] = s.calls_used;
    record["probe_calls"] = s.probe_calls;
  }
  if (s.floor > 0) {
    record["identity"] = s.identity;
    record["floor"] = s.floor;
  }
  return record;
}

SplitScore evaluate_policy(NeoImpl& model, const Episodes& episodes, const Policy& policy, Progress* progress) {
  const bool beam = policy.search == "beam" && model.has_codes();
  SplitScore score{.name = episodes.name,
                   .episodes = episodes.size(),
                   .method = beam ? "neo-s" : "neo",
                   .search = beam ? "beam" : "greedy",
                   .budget = beam ? policy.width : 1,
                   .steps = policy.steps,
                   .calls = calls_of(model, policy),
                   .hard_grounding = policy.hard_grounding};
  const Readout readout = model.observation().readout();
  const auto executor = model.has_codes() && policy.hard_grounding ? make_hard_executor(model) : nullptr;
  const int64_t at_once = beam ? kBeamRowsAtOnce : kRowsAtOnce;
  double self = 0, solved = 0, error = 0, transfer = 0, length = 0;
  for (int64_t begin = 0; begin < episodes.size(); begin += at_once) {
    const Episodes part = narrow(episodes, begin, std::min(at_once, episodes.size() - begin));
    const Explanations found = explain_pairs(model, part.support_x, part.support_y, policy, executor.get());
    self += total_score(readout, found.ends, part.support_y);
    solved += found.solved.sum().item<double>();
    error += readout.error(found.ends, part.support_y).sum().item<double>();
    length += found.programs.lengths.sum().item<double>();
    if (progress) progress->advance(part.size());
    if (!part.has_queries()) continue;
    const auto predicted = apply_programs(model, part.query_x, found.programs, policy, executor.get());
    transfer += readout.is_categorical()
                    ? exact_rows(predicted, part.query_y).logical_and(found.solved).sum().item<double>()
                    : total_score(readout, predicted, part.query_y);
  }
  const auto n = static_cast<double>(episodes.size());
  score.self = self / n;
  score.explained = solved / n;
  score.error = error / n;
  score.mean_length = length / n;
  if (episodes.has_queries()) score.transfer = score.pass = transfer / n;
  add_baselines(model, episodes, score);
  return score;
}

}  // namespace neo

#include "search/distinct_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/shared_nodes.h"

namespace neo {
namespace {
// A program of one pair as far as it is drawn.
struct Draw {
  int64_t node = 0;  // where it is
  std::vector<int64_t> codes;
  double log_probability = 0;
  double key = 0;  // log-probability plus Gumbel noise: the greatest keys are the sample
  bool solves = false;
};
using Beam = std::vector<Draw>;  // of one pair, greatest key first

double gumbel(RngStream& random) {
  const double u = std::max(random.uniform(), std::numeric_limits<double>::min());
  return -std::log(-std::log(u));
}

// Shifts the keys of siblings so that the greatest becomes `most`, the key of their parent: their keys,
// conditioned on that maximum. In a form that does not overflow.
void condition(std::vector<double>& keys, double most) {
  const double greatest = *std::max_element(keys.begin(), keys.end());
  for (double& key : keys) {
    const double gap = key - greatest;  // log(1 - e^gap) below
    const double v =
        most - key + (gap < 0 ? std::log(-std::expm1(gap)) : -std::numeric_limits<double>::infinity());
    key = most - std::max(0.0, v) - std::log1p(std::exp(-std::abs(v)));
  }
}

// Every draw by one more code; the `width` greatest keys stay. log_probability: of every code, [U, Z].
Beam extend(const Beam& beam, const std::vector<int64_t>& active, const torch::Tensor& log_probability,
            int64_t width, RngStream& random) {
  Beam next;
  for (const Draw& draw : beam) {
    if (draw.solves) {
      next.push_back(draw);
      continue;
    }
    const float* p = log_probability.data_ptr<float>() + draw.node * log_probability.size(1);
    std::vector<double> keys;
    for (int64_t code : active) keys.push_back(draw.log_probability + p[code] + gumbel(random));
    condition(keys, draw.key);
    for (size_t i = 0; i < active.size(); ++i) {
      next.push_back({draw.node, draw.codes, draw.log_probability + p[active[i]], keys[i], false});
      next.back().codes.push_back(active[i]);
    }
  }
  std::stable_sort(next.begin(), next.end(), [](const Draw& a, const Draw& b) { return a.key > b.key; });
  if (static_cast<int64_t>(next.size()) > width) next.resize(static_cast<size_t>(width));
  return next;
}

// The draws of a few pairs, all by one code at a time.
std::vector<Beam> draw_chunk(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x,
                             const torch::Tensor& y, const SamplingOptions& options, RngStream& random) {
  std::vector<RngStream> streams;  // by pair, so that batches do not matter
  std::vector<Beam> beams;
  for (int64_t pair = 0; pair < x.size(0); ++pair) {
    streams.emplace_back(random.next64(), "draws without replacement");
    beams.push_back({{.node = pair}});
  }
  const auto active = model.quantizer().active();
  const auto target = model.programmer().encode_target_observation(model.observation(), y);
  Nodes nodes = starts(x);
  for (int64_t k = 0; k < options.steps; ++k) {
    const auto p =
        torch::log_softmax(-code_distances(model, nodes, target) / options.temperature, -1).contiguous();
    std::vector<Draw*> extended;
    std::vector<NodeStep> steps;
    for (size_t pair = 0; pair < beams.size(); ++pair) {
      beams[pair] = extend(beams[pair], active, p, options.draws, streams[pair]);
      for (Draw& draw : beams[pair]) {
        if (draw.solves) continue;
        extended.push_back(&draw);
        steps.emplace_back(draw.node, draw.codes.back());
      }
    }
    if (extended.empty()) break;
    NodeStepResults results = run_steps(executor, nodes, y, steps);
    for (size_t i = 0; i < extended.size(); ++i) {
      extended[i]->node = results.node[i];
      extended[i]->solves = results.exact[i];
    }
    nodes = std::move(results.nodes);
  }
  return beams;
}

}  // namespace

Candidates draw_distinct(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                         const SamplingOptions& options, RngStream& random) {
  torch::NoGradGuard no_grad;
  const int64_t pairs = x.size(0);
  Candidates all{
      torch::zeros({pairs, options.draws, options.steps}, torch::kLong),
      torch::zeros({pairs, options.draws}, torch::kLong),
      torch::full({pairs, options.draws}, -std::numeric_limits<double>::infinity(), torch::kDouble)};
  auto codes = all.codes.accessor<int64_t, 3>();
  auto lengths = all.lengths.accessor<int64_t, 2>();
  auto log_probability = all.log_probability.accessor<double, 2>();
  const auto executor = make_hard_executor(model);
  const int64_t at_once = std::max<int64_t>(1, kDrawsAtOnce / options.draws);
  for (int64_t begin = 0; begin < pairs; begin += at_once) {
    const int64_t count = std::min(at_once, pairs - begin);
    const auto beams =
        draw_chunk(model, *executor, x.narrow(0, begin, count), y.narrow(0, begin, count), options, random);
    for (int64_t i = 0; i < count; ++i) {
      const Beam& beam = beams[static_cast<size_t>(i)];
      for (size_t b = 0; b < beam.size(); ++b) {
        const auto draw = static_cast<int64_t>(b);
        std::copy(beam[b].codes.begin(), beam[b].codes.end(), codes[begin + i][draw].data());
        log_probability[begin + i][draw] = beam[b].log_probability;
        if (beam[b].solves) lengths[begin + i][draw] = static_cast<int64_t>(beam[b].codes.size());
      }
    }
    if (options.progress) options.progress->advance(count);
  }
  return all;
}

}  // namespace neo

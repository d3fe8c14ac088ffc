#include "search/sampling.h"

#include "search/shared_nodes.h"

namespace neo {
namespace {

int64_t pick_code(const float* cumulative, int64_t codes, float uniform) {
  int64_t code = 0;
  while (code + 1 < codes && cumulative[code] < uniform) ++code;
  return code;
}

// Draws for a few pairs at once and fills in their rows of the candidates.
void draw_chunk(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x, const torch::Tensor& y,
                const SamplingOptions& options, RngStream& random, const Candidates& out) {
  torch::NoGradGuard no_grad;
  const int64_t pairs = x.size(0);
  const int64_t rows = pairs * options.draws;
  const int64_t codes = model.quantizer().config().codes;
  const auto flat = out.codes.view({rows, options.steps});
  auto chosen = flat.accessor<int64_t, 2>();
  auto* length = out.lengths.data_ptr<int64_t>();
  std::vector<float> uniforms(static_cast<size_t>(rows * options.steps));
  for (float& u : uniforms) u = static_cast<float>(random.uniform());

  const auto target = model.programmer().encode_target_observation(model.observation(), y);
  Nodes nodes = starts(x);
  std::vector<int64_t> drawing, at;  // rows not yet solved, and the node each one is at
  for (int64_t row = 0; row < rows; ++row) {
    drawing.push_back(row);
    at.push_back(row / options.draws);
  }
  for (int64_t k = 0; k < options.steps && !drawing.empty(); ++k) {
    const auto distance = code_distances(model, nodes, target);
    const auto cumulative = torch::softmax(-distance / options.temperature, -1).cumsum(-1).contiguous();
    std::vector<NodeStep> steps;
    for (size_t i = 0; i < drawing.size(); ++i) {
      const int64_t code = pick_code(cumulative.data_ptr<float>() + at[i] * codes, codes,
                                     uniforms[static_cast<size_t>(drawing[i] * options.steps + k)]);
      chosen[drawing[i]][k] = code;
      steps.emplace_back(at[i], code);
    }
    NodeStepResults results = run_steps(executor, nodes, y, steps);
    std::vector<int64_t> still, where;
    for (size_t i = 0; i < drawing.size(); ++i) {
      if (results.exact[i]) {
        length[drawing[i]] = k + 1;
      } else {
        still.push_back(drawing[i]);
        where.push_back(results.node[i]);
      }
    }
    nodes = std::move(results.nodes);
    drawing = std::move(still);
    at = std::move(where);
  }
}
}  // namespace

Candidates draw_candidates(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const SamplingOptions& options, RngStream& random) {
  const int64_t episodes = x.size(0);
  Candidates all{torch::zeros({episodes, options.draws, options.steps}, torch::kLong),
                 torch::zeros({episodes, options.draws}, torch::kLong)};
  const auto executor = make_hard_executor(model);
  const int64_t at_once = std::max<int64_t>(1, kDrawsAtOnce / options.draws);
  for (int64_t begin = 0; begin < episodes; begin += at_once) {
    const int64_t count = std::min(at_once, episodes - begin);
    draw_chunk(model, *executor, x.narrow(0, begin, count), y.narrow(0, begin, count), options, random,
               {all.codes.narrow(0, begin, count), all.lengths.narrow(0, begin, count)});
    if (options.progress) options.progress->advance(count);
  }
  return all;
}

}  // namespace neo

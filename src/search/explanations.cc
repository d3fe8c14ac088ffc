#include "search/explanations.h"

#include "search/beam.h"
#include "search/latent_beam.h"

namespace neo {
namespace {

// Fills in programs, and what their lengths were chosen from.
void search_beam(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const Policy& policy,
                 HardExecutor* executor, Explanations& out) {
  if (!policy.hard_grounding) {
    const LatentBeamResult found = latent_beam(model, x, y, policy);
    out.programs = found.programs;
    out.tried_losses = found.losses;
    out.tried_exact = torch::zeros(found.losses.sizes(), torch::kBool);
    return;
  }
  const auto own = executor ? nullptr : make_hard_executor(model);
  const BeamResult found =
      beam_search(executor ? *executor : *own, model.quantizer().active(), x, y,
                  {.depth = policy.steps, .width = policy.width, .rule = length_rule(policy)});
  out.programs = found.programs;
  out.tried_losses = found.losses;
  out.tried_exact = found.matches;
}

torch::Tensor at_lengths(const torch::Tensor& steps, const torch::Tensor& lengths) {  // [B, K], [B] -> [B]
  return steps.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1);
}

}  // namespace

Explanations explain_pairs(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const Policy& policy, HardExecutor* executor) {
  torch::NoGradGuard no_grad;
  const RolloutOptions rollout{.hard_grounding = policy.hard_grounding,
                               .executor = policy.hard_grounding ? executor : nullptr};
  Explanations out;
  if (policy.search == "beam" && model.has_codes()) {
    search_beam(model, x, y, policy, rollout.executor, out);
    out.trajectory = run_programs(model, x, y, out.programs, rollout);
  } else {
    const Refinement refinement{policy.refine ? policy.refine_steps : 0, policy.refine_rate};
    out.trajectory = induce(model, x, y, {rollout, policy.steps, {}, refinement});
    out.programs = {out.trajectory.codes,
                    choose_lengths(out.trajectory.losses, out.trajectory.exact, length_rule(policy)),
                    out.trajectory.vectors};
    out.tried_losses = out.trajectory.losses;
    out.tried_exact = out.trajectory.exact;
  }
  out.ends = out.trajectory.ends(out.programs.lengths);
  out.losses = at_lengths(out.trajectory.losses, out.programs.lengths);
  out.exact = at_lengths(out.trajectory.exact, out.programs.lengths);
  out.solved = explained(out.losses, out.exact, policy.tolerance);
  return out;
}

torch::Tensor apply_programs(NeoImpl& model, const torch::Tensor& x, const Programs& programs,
                             const Policy& policy, HardExecutor* executor) {
  return run_programs(model, x, {}, programs,
                      {.hard_grounding = policy.hard_grounding,
                       .executor = policy.hard_grounding ? executor : nullptr})
      .ends(programs.lengths);
}

}  // namespace neo

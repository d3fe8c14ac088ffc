#include "neo/pretraining.h"

#include <map>

#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/error.h"
#include "eval/episodes.h"
#include "model/weights.h"
#include "neo/training.h"
#include "observe/tensors.h"
#include "train/presets.h"

namespace neo {
namespace {

torch::Tensor singles(const Pairs& pairs) { return torch::cat({pairs.x, pairs.y}); }

// At most `most` of the rows, evenly spread; 0: all.
torch::Tensor subsample(const torch::Tensor& rows, int64_t most) {
  return most <= 0 ? rows : evenly_spread(rows, most);
}

torch::Device device_for(const std::string& name, const std::string& kind) {
  if (name == "cpu") return torch::kCPU;
  // The kernels that read categorical predictions, and the closed form of the linear model, are for the CPU.
  if (kind != "residual-vae")
    fail_usage("the observation model '{}' trains on the CPU, in minutes; leave out --device", kind);
  if (!torch::cuda::is_available())
    fail(
        "this LibTorch finds no CUDA device; use --device cpu, or a CUDA build of LibTorch on a machine with "
        "an NVIDIA GPU");
  return torch::kCUDA;
}

std::vector<std::pair<int64_t, double>> errors_by_length(ObservationModel& model, const Pairs& pairs, int64_t most) {
  std::vector<std::pair<int64_t, double>> errors{{0, reconstruction(model, subsample(pairs.x, most))}};
  std::map<int64_t, std::vector<int64_t>> rows;
  for (size_t i = 0; i < pairs.program.size(); ++i)
    rows[program_length(pairs.program[i])].push_back(static_cast<int64_t>(i));
  for (const auto& [length, some] : rows) {
    const auto chosen = subsample(torch::tensor(some, torch::kLong), most);
    errors.emplace_back(length, reconstruction(model, pairs.y.index_select(0, chosen)));
  }
  return errors;
}

}  // namespace

PretrainingResult run_pretraining(const PretrainingOptions& options) {
  const Benchmark& benchmark = benchmark_named(options.benchmark);
  const TrainConfig config = load_preset(options.benchmark, options.preset);
  const std::string& kind = config.model.observation.kind;
  const torch::Device device = device_for(options.device, kind);
  PretrainConfig pretraining = default_pretraining(kind);
  for (const std::string& setting : options.settings) set_assignment(pretraining, setting);
  const auto train = singles(load_pairs(ensure_split(benchmark, 1.0, "pretrain")));
  const Pairs test = load_pairs(ensure_split(benchmark, 1.0, "pretrain-test"));
  torch::manual_seed(options.seed);
  const auto model = make_observation_model(config.model.observation, benchmark.space());
  model->to(device);
  pretrain(*model, train, pretraining, options.seed);
  const auto held_out = subsample(singles(test), pretraining.held_out);
  PretrainingResult result{options.out.empty() ? observation_weights_path(options.benchmark, config) : options.out,
                           held_out.size(0),
                           benchmark.space().is_categorical(),
                           reconstruction(*model, held_out),
                           {}};
  save_observation_model(result.path, *model, config.model.observation);
  if (!result.exact) result.by_length = errors_by_length(*model, test, pretraining.held_out);
  return result;
}

}  // namespace neo

#include "benchmark/imaging/generator.h"

#include <algorithm>
#include <thread>

#include "benchmark/imaging/programs.h"
#include "core/error.h"

namespace neo {
namespace {

constexpr int64_t kMaxEpisodes = 1'000'000'000;  // keeps every product of it far from overflow

// Rounded up, so that a small request leaves no split empty.
int64_t share(int64_t episodes, int64_t divisor) { return (episodes + divisor - 1) / divisor; }

std::vector<ImagingPlan> plan_otib(const DataRequest& request) {
  const bool full = request.alpha == 1.0;
  const ImagingSplit split = split_imaging_programs(request.alpha);
  const int64_t episodes = request.episodes > 0 ? request.episodes : full ? 15'000 : 20'000;
  const uint32_t seed = full ? 42 : 43;
  std::vector<ImagingPlan> plans{
      {.split = "train", .programs = split.in_distribution, .episodes = episodes, .exact_seed = seed},
      {.split = "id",
       .programs = split.in_distribution,
       .episodes = share(episodes, 5),
       .test_images = true,
       .exact_seed = seed + 1}};
  if (!split.compositional.empty()) {
    plans.push_back(
        {.split = "comp", .programs = split.compositional, .episodes = episodes, .exact_seed = seed + 100});
  }
  return plans;
}

std::vector<ImagingPlan> plan_length(const DataRequest& request) {
  return {{.split = "length",
           .programs = imaging_length_programs(),
           .episodes = request.episodes > 0 ? request.episodes : 1'000,
           .exact_seed = 42,
           .draws = 1}};
}

std::vector<ImagingPlan> plan_pretraining(const DataRequest& request) {
  const auto programs = imaging_programs(1, 2);
  // Four images each, half of them transformed: the paper's 1.74 million.
  const int64_t episodes = request.episodes > 0 ? request.episodes : 11'154;
  return {
      {.split = "pretrain", .programs = programs, .episodes = episodes},
      {.split = "pretrain-test", .programs = programs, .episodes = share(episodes, 10), .test_images = true}};
}

}  // namespace

std::vector<ImagingPlan> plan_imaging(const DataRequest& request) {
  check_request(request);
  if (request.episodes > kMaxEpisodes) {
    fail_usage("{} episodes per program are asked for; choose 1 to {}, or 0 for the paper's number",
               request.episodes, kMaxEpisodes);
  }
  if (request.profile == "otib") return plan_otib(request);
  if (request.profile == "length") return plan_length(request);
  return plan_pretraining(request);
}

void generate_imaging(const DataRequest& request, const OpenSplit& open) {
  const auto plans = plan_imaging(request);
  // Both sets before the first split is opened: a missing file should not cost minutes of work.
  const ImageSet train = load_cifar10_train(request.pictures);
  const ImageSet test = load_cifar10_test(request.pictures);
  if (std::min(train.count(), test.count()) < 2) {
    fail("the CIFAR-10 files in {} hold too few images; run `neo data fetch cifar10 --out {}`",
         request.pictures.string(), request.pictures.string());
  }
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (const ImagingPlan& plan : plans) {
    const ImageSet& images = plan.test_images ? test : train;
    const auto expected = static_cast<int64_t>(plan.programs.size()) * plan.episodes;
    const EpisodeSink sink = open(plan.split, expected);
    if (!sink) continue;
    if (request.fast_sampling || request.profile == "pretraining") {
      sample_fast(images, plan, request.seed, threads, sink);
    } else {
      sample_exact(images, plan, sink);
    }
  }
}

}  // namespace neo

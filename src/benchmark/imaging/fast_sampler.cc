#include <algorithm>
#include <deque>
#include <future>
#include <optional>

#include "benchmark/imaging/sampler.h"
#include "benchmark/imaging/visibility.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"

namespace neo {
namespace {

// Episodes are made in blocks, each with its own random stream, so that any thread may make any block.
constexpr int64_t kBlock = 128;

struct Block {
  size_t program;
  int64_t begin, end;  // episodes of that program
};

// The benchmark draws a pair of different images until the program shows on both. Drawing the first until it
// shows on that, then the second, gives the same distribution for far fewer edits.
std::vector<Episode> make_block(const ImageSet& images, const ImagingPlan& plan, uint64_t seed,
                                const Block& block) {
  constexpr int kTries = 1000;  // for one image: as many as the benchmark allows an episode
  const Program& program = plan.programs[block.program];
  RngStream rng(seed, fmt::format("imaging {} {} {}", plan.split, block.program, block.begin));
  VisibleRun editor;
  const auto draw = [&](std::optional<int64_t> other) -> std::optional<int64_t> {
    for (int i = 0; i < kTries; ++i) {
      const auto index = static_cast<int64_t>(rng.below(static_cast<uint64_t>(images.count())));
      if (index != other && editor.run(program, images.image(index))) return index;
    }
    return std::nullopt;
  };
  const auto copy = [&](int64_t index) {
    const ObservationView image = images.image(index);
    return Observation(image.begin(), image.end());
  };

  std::vector<Episode> episodes;
  for (int64_t i = block.begin; i < block.end && !interrupted(); ++i) {
    const auto support = draw(std::nullopt);
    if (!support) continue;
    Observation support_y = editor.output();
    const auto query = draw(support);
    if (!query) continue;
    episodes.push_back({copy(*support), std::move(support_y), copy(*query), editor.output(), program});
  }
  return episodes;
}

}  // namespace

void sample_fast(const ImageSet& images, const ImagingPlan& plan, uint64_t seed, int threads,
                 const EpisodeSink& sink) {
  NEO_CHECK_LE(2, images.count());
  // A window of blocks is under way, the oldest is handed on: order and memory stay fixed.
  std::deque<std::future<std::vector<Episode>>> window;
  const auto hand_on = [&] {
    const auto episodes = window.front().get();
    window.pop_front();
    throw_if_interrupted();
    for (const Episode& episode : episodes) sink(episode);
  };
  for (size_t program = 0; program < plan.programs.size(); ++program) {
    for (int64_t begin = 0; begin < plan.episodes; begin += kBlock) {
      if (window.size() > static_cast<size_t>(threads)) hand_on();
      const Block block{program, begin, std::min(begin + kBlock, plan.episodes)};
      window.push_back(std::async(std::launch::async, [&images, &plan, seed, block] {
        return make_block(images, plan, seed, block);
      }));
    }
  }
  while (!window.empty()) hand_on();
}

}  // namespace neo

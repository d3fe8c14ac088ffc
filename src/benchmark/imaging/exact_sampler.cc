#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "benchmark/imaging/pair_draws.h"
#include "benchmark/imaging/sampler.h"
#include "benchmark/imaging/visibility.h"
#include "core/files.h"

namespace neo {
namespace {

// PairDraws on its own thread, a bounded way ahead.
class DrawsAhead {
 public:
  DrawsAhead(uint32_t seed, int64_t count) : draws_(seed, count), worker_([this] { work(); }) {}
  ~DrawsAhead() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_one();
    worker_.join();
  }
  DrawsAhead(const DrawsAhead&) = delete;
  DrawsAhead& operator=(const DrawsAhead&) = delete;

  ImagePair next() {
    if (position_ == batch_.size()) take_batch();
    return batch_[position_++];
  }

 private:
  static constexpr size_t kBatch = 64;
  static constexpr size_t kAhead = 64;  // batches

  void take_batch() {
    throw_if_interrupted();
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !queue_.empty(); });
    batch_ = std::move(queue_.front());
    queue_.pop_front();
    position_ = 0;
    room_.notify_one();
  }

  void work() {
    while (true) {
      std::vector<ImagePair> batch(kBatch);
      for (ImagePair& pair : batch) pair = draws_.next();
      std::unique_lock lock(mutex_);
      room_.wait(lock, [this] { return stop_ || queue_.size() < kAhead; });
      if (stop_) return;
      queue_.push_back(std::move(batch));
      filled_.notify_one();
    }
  }

  PairDraws draws_;  // the worker's alone
  std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable room_;
  std::deque<std::vector<ImagePair>> queue_;
  bool stop_ = false;
  std::vector<ImagePair> batch_;  // the consumer's
  size_t position_ = 0;
  std::thread worker_;  // last: starts when all else is there
};

class ExactSampler {
 public:
  ExactSampler(const ImageSet& images, const ImagingPlan& plan)
      : images_(images), plan_(plan), draws_(plan.exact_seed, images.count()) {}

  void sample(const Program& program, const EpisodeSink& sink) {
    episode_.program = program;
    int64_t made = 0;
    for (int64_t attempt = 0; made < plan_.episodes && attempt < kAttempts * plan_.episodes; ++attempt) {
      if (!attempt_episode()) continue;
      sink(episode_);
      ++made;
    }
  }

 private:
  static constexpr int64_t kAttempts = 10;  // per wanted episode

  bool attempt_episode() {
    for (int draw = 0; draw < plan_.draws; ++draw) {
      const ImagePair pair = draws_.next();
      if (edit(pair.first, episode_.support_x, episode_.support_y) &&
          edit(pair.second, episode_.query_x, episode_.query_y)) {
        return true;
      }
    }
    return false;
  }

  bool edit(int64_t index, Observation& x, Observation& y) {
    const ObservationView image = images_.image(index);
    if (!editor_.run(episode_.program, image)) return false;
    x.assign(image.begin(), image.end());
    y = editor_.output();
    return true;
  }

  const ImageSet& images_;
  const ImagingPlan& plan_;
  DrawsAhead draws_;
  VisibleRun editor_;
  Episode episode_;
};

}  // namespace

void sample_exact(const ImageSet& images, const ImagingPlan& plan, const EpisodeSink& sink) {
  ExactSampler sampler(images, plan);
  for (const Program& program : plan.programs) sampler.sample(program, sink);
}

}  // namespace neo

#include "neo/growth.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>

#include "core/table.h"
#include "core/text.h"
#include "eval/scores.h"
#include "neo/training.h"

namespace neo {
namespace {

constexpr int64_t kPairs = 64;        // per step, and in all, unless pairs are what doubles
constexpr int64_t kImagePairs = 256;  // enough for states of some dimensions
constexpr int64_t kRepeats = 3;  // the best of them counts: whatever else the machine does only adds to a time
constexpr int64_t kSide = 16, kValues = 6;
constexpr double kTolerated = 1.5;         // times the work's growth: caches end, and single runs differ
constexpr double kWorthMentioning = 0.02;  // milliseconds per pair

Space grid(int64_t side) {
  return {.kind = Kind::categorical, .layout = Layout::grid, .shape = {side, side}, .values = {kValues}};
}
Space image(int64_t side) {
  return {.kind = Kind::pixels, .layout = Layout::image, .shape = {side, side, 3}};
}

// Values that move by one place along an axis, or are stepped on: as much as a theory of them needs.
Pairs made_pairs(const Space& space, int64_t count) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(1);
  const int64_t side = space.rows(), most = space.most_values();
  Pairs pairs{.name = "growth", .space = space};
  const auto x = torch::randint(most, {count, side, side, space.channels()}, generator, torch::kByte);
  const auto steps = (x.to(torch::kShort) + 1).remainder(most).to(torch::kByte);
  const auto kind = (torch::arange(count) % 3).view({count, 1, 1, 1});
  const auto y = torch::where(kind == 0, x.roll(1, 1), torch::where(kind == 1, x.roll(1, 2), steps));
  pairs.x = x.view({count, -1});
  pairs.y = y.reshape({count, -1}).contiguous();
  return pairs;
}

template <typename F>
double seconds_of(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Resident memory since it was made, at its peak. Linux forgets an earlier peak when asked to.
class MemoryPeak {
 public:
  MemoryPeak() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
    before_ = kilobytes("VmRSS:");
    if (const auto peak = kilobytes("VmHWM:"); peak && before_) knows_ = *peak < *before_ * 1.01;
  }
  std::optional<double> since() const {
    const auto peak = kilobytes("VmHWM:");
    if (!knows_ || !peak) return std::nullopt;
    return *peak - *before_;
  }

 private:
  static std::optional<double> kilobytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      double value = 0;
      if (word == name && status >> value) return value;
    }
    return std::nullopt;
  }
  std::optional<double> before_;
  bool knows_ = false;
};

TrainConfig config_of(const GrowthCase& of) {
  // No resets, and both phases in every step where that is possible: steps are alike.
  std::vector<std::string> settings{"resets.every=0",
                                    "wake_sleep.wake_steps=0",
                                    "wake_sleep.dream_start=0",
                                    "latent_wake_sleep.wake_steps=100",
                                    "latent_wake_sleep.coarse_share=0.5",
                                    fmt::format("batch={}", of.batch)};
  settings.insert(settings.end(), of.settings.begin(), of.settings.end());
  return resolve_config(std::string(layout_name(of.space.layout)), "fast", 1.0, {}, settings, of.pairs);
}

double per_pair(double seconds, int64_t pairs) { return 1e3 * seconds / static_cast<double>(pairs); }

}  // namespace

std::vector<GrowthCase> growth_cases() {
  std::vector<GrowthCase> cases;
  const auto add = [&](std::string what, int64_t size, double work, const Space& space) -> GrowthCase& {
    if (cases.empty() || cases.back().what != what) work = 1;
    cases.push_back({std::move(what), size, work, space, kPairs, kPairs, {}});
    return cases.back();
  };
  for (int64_t pairs = 2 * kPairs; pairs <= 32 * kPairs; pairs *= 2)
    add("pairs", pairs, 1, grid(kSide)).pairs = pairs;
  for (int64_t side = 8; side <= 64; side *= 2) add("side", side, 4, grid(side));
  for (int64_t codes = 4; codes <= 64; codes *= 2)
    add("codes", codes, 2, grid(kSide)).settings = {fmt::format("model.quantizer.codes={}", codes),
                                                    fmt::format("model.quantizer.width={}", codes)};
  for (int64_t length = 2, before = 2; length <= 12;
       before = length, length = length < 8 ? 2 * length : length + 4)
    add("length", length, static_cast<double>(length) / static_cast<double>(before), grid(kSide)).settings = {
        fmt::format("wake_sleep.depth={}", length), fmt::format("wake_sleep.dream_length={}", length),
        fmt::format("policy.steps={}", length)};
  for (int64_t side = 32; side <= 128; side *= 2) {
    GrowthCase& of = add("image", side, 4, image(side));
    of.pairs = of.batch = kImagePairs;
  }
  return cases;
}

GrowthPoint measure_growth(const GrowthCase& of) {
  torch::manual_seed(1);
  const TrainConfig config = config_of(of);
  const MemoryPeak memory;
  const Pairs pairs = made_pairs(of.space, of.pairs);
  GrowthPoint point{.what = of.what, .size = of.size, .work = of.work};
  TrainRequest request;
  request.config = config;
  request.seed = 1;
  const auto fit = observation_from({}, config.model.observation, pairs, 1);
  request.prepare_observation = [&](ObservationModel& model) {
    point.fit = per_pair(seconds_of([&] { fit(model); }), of.pairs);
  };
  Training training(request, pairs);
  const int64_t steps = of.pairs / of.batch;
  double train = 1e9, explain = 1e9;
  for (int64_t i = 0; i < steps; ++i) training.advance();  // the first steps also make room
  for (int64_t round = 0; round < kRepeats; ++round)
    train = std::min(train, seconds_of([&] {
                       for (int64_t i = 0; i < steps; ++i) training.advance();
                     }));
  training.model().eval();
  const Episodes episodes = episodes_of(pairs);
  for (int64_t round = 0; round < kRepeats; ++round) {
    training.model().observation().freeze();  // forgets what it has encoded
    explain =
        std::min(explain, seconds_of([&] { evaluate_policy(training.model(), episodes, config.policy); }));
  }
  point.train = per_pair(train, of.pairs);
  point.explain = per_pair(explain, of.pairs);
  if (const auto kilobytes = memory.since()) point.kilobytes = *kilobytes / static_cast<double>(of.pairs);
  return point;
}

namespace {

struct Cost {
  std::string_view name;
  double (*of)(const GrowthPoint&);  // NaN where it is unknown
};
const std::array<Cost, 4> kCosts{{{"fit", [](const GrowthPoint& p) { return p.fit; }},
                                  {"train", [](const GrowthPoint& p) { return p.train; }},
                                  {"explain", [](const GrowthPoint& p) { return p.explain; }},
                                  {"KiB", [](const GrowthPoint& p) { return p.kilobytes.value_or(NAN); }}}};

// How many times the cost of the row above; NaN where there is none.
double factor(const Cost& cost, const GrowthPoint* last, const GrowthPoint& now) {
  return last ? cost.of(now) / cost.of(*last) : NAN;
}

const GrowthPoint* before(const std::vector<GrowthPoint>& points, size_t i) {
  return i > 0 && points[i - 1].what == points[i].what ? &points[i - 1] : nullptr;
}

}  // namespace

nlohmann::json to_json(const GrowthPoint& p) {
  nlohmann::json json{{"what", p.what},
                      {"size", p.size},
                      {"work", p.work},
                      {"fit_ms_per_pair", p.fit},
                      {"train_ms_per_pair", p.train},
                      {"explain_ms_per_pair", p.explain},
                      {"kilobytes_per_pair", nullptr}};
  if (p.kilobytes) json["kilobytes_per_pair"] = *p.kilobytes;
  return json;
}

std::string table(const std::vector<GrowthPoint>& points) {
  std::vector<std::vector<std::string>> rows{{"", "size", "work"}};
  for (const Cost& cost : kCosts) rows.front().insert(rows.front().end(), {std::string(cost.name), "x"});
  for (size_t i = 0; i < points.size(); ++i) {
    const GrowthPoint* last = before(points, i);
    const auto times = [&](double factor) { return last ? fmt::format("x{:.1f}", factor) : ""; };
    std::vector<std::string> row{last ? "" : points[i].what, std::to_string(points[i].size),
                                 times(points[i].work)};
    for (const Cost& cost : kCosts) {
      const double now = cost.of(points[i]), times_last = factor(cost, last, points[i]);
      row.push_back(std::isnan(now) ? "?" : fmt::format("{:.3g}", now));
      row.push_back(std::isfinite(times_last) ? times(times_last) : "");
    }
    rows.push_back(std::move(row));
  }
  std::string text = aligned(rows) +
                     wrapped(
                         "Milliseconds and memory per pair, and how many times those of the row above: "
                         "fitting the observation model, a training step, explaining. Work is what "
                         "should grow.") +
                     "\n";
  for (const std::string& line : faster_than_work(points)) text += wrapped(line) + "\n";
  return text;
}

std::vector<std::string> faster_than_work(const std::vector<GrowthPoint>& points) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < points.size(); ++i) {
    const GrowthPoint* last = before(points, i);
    if (!last) continue;
    for (const Cost& cost : kCosts) {
      const double times_last = factor(cost, last, points[i]);
      const bool is_faster = times_last >= kTolerated * points[i].work;
      if (!is_faster || cost.of(points[i]) < kWorthMentioning) continue;
      lines.push_back(fmt::format(
          "Faster than its work: {} of {} {} ({:.1f} times that of {}, for {:.1f} times the work)", cost.name,
          points[i].what, points[i].size, times_last, last->size, points[i].work));
    }
  }
  return lines;
}

}  // namespace neo

#include "benchmark/gridworld/generator.h"

#include <algorithm>
#include <optional>

#include "benchmark/gridworld/gridworld.h"
#include "benchmark/gridworld/programs.h"
#include "benchmark/gridworld/shape_pool.h"
#include "core/error.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr uint32_t kSeed = 1127;
constexpr uint32_t kCleanSeed = 20261004;  // of id-clean, which is ours
constexpr int64_t kPretraining = 500000, kPretrainingTest = 5000;
constexpr int kTries = 50;  // of programs per episode, rounds per program, candidates per example

struct Phenomenon {
  Observation x, y;
};

// The path of a program as its extremes, so that one comparison per side tells whether it stays inside.
struct Path {
  int up = 0, down = 0, left = 0, right = 0;  // furthest excursion to each side
  int dy = 0, dx = 0;                         // where it ends
};

Path path_of(const Program& program) {
  Path path;
  for (int move : program) {
    path.dy += kMoveStep[static_cast<size_t>(move)].first;
    path.dx += kMoveStep[static_cast<size_t>(move)].second;
    path.up = std::max(path.up, -path.dy);
    path.down = std::max(path.down, path.dy);
    path.left = std::max(path.left, -path.dx);
    path.right = std::max(path.right, path.dx);
  }
  return path;
}

class EpisodeStream {
 public:
  explicit EpisodeStream(std::vector<Program> programs)
      : programs_(std::move(programs)), seen_(programs_.size() * kKeysPerProgram) {
    for (const Program& program : programs_) paths_.push_back(path_of(program));
  }

  // `allowed`: indices into the constructor's programs.
  Episode next(const std::vector<int>& allowed) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const int program = random_.choice(allowed);
      if (auto episode = try_program(program)) return *episode;
    }
    fail("no GridWorld episode found after {} programs; ask for fewer episodes", kTries);
  }

  // Other random numbers from here on; what was drawn before still counts as seen.
  void reseed(uint32_t seed) { random_ = PythonRandom(seed); }

 private:
  static constexpr size_t kKeysPerProgram = size_t{kGridColours} * 1000 * kGridSide * kGridSide;

  // Both lists outlive a round: a round that fails to find its support leaves the next one to supply it, and
  // a query list that grows to two can never shrink, so this program attempt is doomed. The benchmark's data
  // depend on it.
  std::optional<Episode> try_program(int program) {
    std::vector<Phenomenon> support;
    std::vector<Phenomenon> query;
    for (int round = 0; round < kTries; ++round) {
      for (int example = 0; example < 2; ++example) {
        for (int candidate = 0; candidate < kTries; ++candidate) {
          if (auto phenomenon = draw(program)) {
            (support.empty() ? support : query).push_back(std::move(*phenomenon));
            break;
          }
        }
      }
      if (support.size() == 1 && query.size() == 1) {
        return Episode{support[0].x, support[0].y, query[0].x, query[0].y,
                       programs_[static_cast<size_t>(program)]};
      }
    }
    return std::nullopt;
  }

  // One random placement; nothing when the path leaves the grid or the phenomenon was drawn before.
  std::optional<Phenomenon> draw(int program) {
    const auto colour = static_cast<int>(random_.below(kGridColours)) + 1;
    const size_t shape_index = random_.below(static_cast<uint32_t>(shape_pool().size()));
    const Shape& shape = shape_pool()[shape_index];
    const int height = shape.back().first + 1;  // sorted by y
    const int width = std::max_element(shape.begin(), shape.end(),
                                       [](const Cell& a, const Cell& b) { return a.second < b.second; })
                          ->second +
                      1;
    const auto y = static_cast<int>(random_.randint(0, kGridSide - height));
    const auto x = static_cast<int>(random_.randint(0, kGridSide - width));
    const Path& path = paths_[static_cast<size_t>(program)];
    const bool inside = y >= path.up && y + height + path.down <= kGridSide && x >= path.left &&
                        x + width + path.right <= kGridSide;
    const bool moves = path.dy != 0 || path.dx != 0;
    if (!inside || !moves || !mark_new(program, colour, shape_index, y, x)) return std::nullopt;
    return Phenomenon{drawn(shape, colour, y, x), drawn(shape, colour, y + path.dy, x + path.dx)};
  }

  bool mark_new(int program, int colour, size_t shape, int y, int x) {
    const size_t key =
        (((static_cast<size_t>(program) * kGridColours + static_cast<size_t>(colour - 1)) * 1000 + shape) *
             kGridSide +
         static_cast<size_t>(y)) *
            kGridSide +
        static_cast<size_t>(x);
    if (seen_[key]) return false;
    seen_[key] = true;
    return true;
  }

  static Observation drawn(const Shape& shape, int colour, int y, int x) {
    Observation grid(kGridSide * kGridSide, 0);
    for (const auto& [cy, cx] : shape)
      grid[static_cast<size_t>((y + cy) * kGridSide + x + cx)] = static_cast<uint8_t>(colour);
    return grid;
  }

  PythonRandom random_{kSeed};
  std::vector<Program> programs_;
  std::vector<Path> paths_;
  std::vector<bool>
      seen_;  // per (program, colour, shape, y, x): a bit, so that a profile costs 24-122 bits x 800,000
};

struct Split {
  std::string name;  // empty: drawn but not kept
  int64_t episodes;
  const std::vector<Program>* programs;
};

std::vector<int> indices_of(const std::vector<Program>& chosen, const std::vector<Program>& all) {
  std::vector<int> indices;
  for (const Program& program : chosen) {
    indices.push_back(static_cast<int>(std::find(all.begin(), all.end(), program) - all.begin()));
  }
  return indices;
}

// At alpha 1 the benchmark draws from the same stream and programs as for pretraining: its ID split is
// pretraining episodes 50,000 to 54,999. So here is another one: the stream runs on to the end of
// pretraining, which marks every pair of it as seen, and continues from another seed.
void generate_clean(EpisodeStream& stream, const std::vector<Program>& all, int64_t most,
                    const OpenSplit& open) {
  constexpr int64_t kDrawn = 55000, kEpisodes = 5000;
  const int64_t kept = most > 0 ? std::min(most, kEpisodes) : kEpisodes;
  const EpisodeSink sink = open("id-clean", kept);
  if (!sink) return;
  const auto allowed = indices_of(all, all);
  for (int64_t i = kDrawn; i < kPretraining + kPretrainingTest; ++i) stream.next(allowed);
  stream.reseed(kCleanSeed);
  for (int64_t i = 0; i < kept; ++i) sink(stream.next(allowed));
}

}  // namespace

void generate_gridworld(const DataRequest& request, const OpenSplit& open) {
  check_request(request);
  const bool length = request.profile == "length";
  const auto all = canonical_grid_programs(length ? 4 : 1, length ? 8 : 3);
  const ProgramSplit alpha = split_grid_programs(request.alpha);
  std::vector<Split> splits;
  if (length) {
    splits = {{"", 100, &all}, {"length", 10000, &all}};
  } else if (request.profile == "pretraining") {
    splits = {{"pretrain", kPretraining, &all}, {"pretrain-test", kPretrainingTest, &all}};
  } else {
    splits = {{"train", 50000, &alpha.train}, {"id", 5000, &alpha.train}};
    if (!alpha.held_out.empty()) splits.push_back({"comp", 5000, &alpha.held_out});
  }
  EpisodeStream stream(all);
  for (const Split& split : splits) {
    // Later splits continue the stream, so even what is not kept has to be drawn.
    const int64_t kept = request.episodes > 0 ? std::min(request.episodes, split.episodes) : split.episodes;
    const auto allowed = indices_of(*split.programs, all);
    const EpisodeSink sink = split.name.empty() ? EpisodeSink() : open(split.name, kept);
    for (int64_t i = 0; i < split.episodes; ++i) {
      const Episode episode = stream.next(allowed);
      if (sink && i < kept) sink(episode);
    }
  }
  if (request.profile == "otib" && alpha.held_out.empty())
    generate_clean(stream, all, request.episodes, open);
}

}  // namespace neo

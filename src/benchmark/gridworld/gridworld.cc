#include "benchmark/gridworld/gridworld.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "benchmark/gridworld/generator.h"
#include "benchmark/gridworld/programs.h"
#include "benchmark/gridworld/shape_pool.h"
#include "core/embedded.h"
#include "core/error.h"

namespace neo {
namespace {

template <typename T>
std::vector<uint8_t> widened(ObservationView values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const T wide = values[i];
    std::memcpy(bytes.data() + i * sizeof(T), &wide, sizeof(T));
  }
  return bytes;
}

class GridWorld : public Benchmark {
 public:
  std::string_view name() const override { return "gridworld"; }
  std::string_view title() const override { return "GridWorld"; }
  const Space& space() const override {
    static const Space grid{.kind = Kind::categorical,
                            .layout = Layout::grid,
                            .shape = {kGridSide, kGridSide},
                            .values = {kGridColours + 1}};
    return grid;
  }

  const std::vector<std::string>& primitives() const override {
    static const std::vector<std::string> names{"move_up", "move_right", "move_down", "move_left"};
    return names;
  }
  std::optional<Observation> apply(int primitive, ObservationView grid) const override {
    const auto [dy, dx] = kMoveStep.at(static_cast<size_t>(primitive));
    Observation moved(grid.size(), 0);
    for (int y = 0; y < kGridSide; ++y) {
      for (int x = 0; x < kGridSide; ++x) {
        const uint8_t colour = grid[static_cast<size_t>(y * kGridSide + x)];
        if (colour == 0) continue;
        const int ny = y + dy;
        const int nx = x + dx;
        if (ny < 0 || ny >= kGridSide || nx < 0 || nx >= kGridSide) return std::nullopt;
        moved[static_cast<size_t>(ny * kGridSide + nx)] = colour;
      }
    }
    return moved;
  }

  void generate(const DataRequest& request, const OpenSplit& open) const override {
    generate_gridworld(request, open);
  }
  std::vector<std::string> splits(double alpha) const override {
    if (alpha < 1.0) return Benchmark::splits(alpha);
    return {"id", "id-clean", "length"};
  }
  Protocol protocol(const std::string& split) const override {
    return {.steps = split == "length" ? 10 : 4, .lambda = std::nullopt};
  }
  // int32 LE grids (support x, support y, query x), int64 LE query y, the release's `transitions` text, "\n".
  void add_to_digest(const Episode& episode, Sha256& hash) const override {
    for (const auto* grid : {&episode.support_x, &episode.support_y, &episode.query_x})
      hash.update(widened<int32_t>(*grid));
    hash.update(widened<int64_t>(episode.query_y));
    std::vector<std::string> quoted;
    for (int move : episode.program)
      quoted.push_back(fmt::format("'{}'", primitives().at(static_cast<size_t>(move))));
    hash.update(fmt::format("[[{}], []]\n", fmt::join(quoted, ", ")));
  }

  int64_t longest_sample() const override { return 8; }
  std::vector<Program> sample_programs(int64_t length) const override {
    return canonical_grid_programs(static_cast<int>(length), static_cast<int>(length));
  }
  Observation sample_input(RngStream& random) const override {
    const Shape& shape = shape_pool()[random.below(shape_pool().size())];
    const auto colour = static_cast<uint8_t>(1 + random.below(kGridColours));
    int height = 0;
    int width = 0;
    for (const auto& [y, x] : shape) {
      height = std::max(height, y + 1);
      width = std::max(width, x + 1);
    }
    const int top = static_cast<int>(random.below(static_cast<uint64_t>(kGridSide - height + 1)));
    const int left = static_cast<int>(random.below(static_cast<uint64_t>(kGridSide - width + 1)));
    Observation grid(kGridSide * kGridSide, 0);
    for (const auto& [y, x] : shape) grid[static_cast<size_t>((top + y) * kGridSide + left + x)] = colour;
    return grid;
  }

  const nlohmann::json& published() const override {
    static const auto figures = nlohmann::json::parse(embedded_file("gridworld/published.json"));
    return figures;
  }
  // The paper's table: its own architecture, and `fast`'s trained by the paper's objective.
  std::vector<Ablation> ablations() const override {
    std::vector<Ablation> all;
    for (const std::string preset : {"fast-rollout", "paper"}) {
      const auto add = [&](const std::string& name, const std::string& title, const std::vector<std::string>& settings) {
        all.push_back({name, title + (preset == "paper" ? ", paper's architecture" : ""), preset, 0.33, settings});
      };
      const auto codes_36 = [](const std::string& lambda) -> std::vector<std::string> {
        return {"model.quantizer.codes=36", "rollout.lambda_start=" + lambda, "rollout.lambda_end=" + lambda};
      };
      add("base", preset == "paper" ? "NEO" : "NEO (rollout)", {});
      add("no-grounding", "no grounding", {"rollout.grounding=0"});
      add("codes-36", "|E| = 36", {"model.quantizer.codes=36"});
      add("codes-36-lambda-1.2", "|E| = 36, lambda = 1.2", codes_36("1.2"));
      add("codes-36-lambda-1.0", "|E| = 36, lambda = 1.0", codes_36("1.0"));
      add("codes-36-lambda-0.8", "|E| = 36, lambda = 0.8", codes_36("0.8"));
      if (preset != "paper") add("resets", "codebook resets", {"resets.every=50"});
    }
    return all;
  }
  std::vector<std::string> notes() const override {
    return {
        "At α = 1.00 the benchmark's GridWorld ID split also consists of pairs that the observation model "
        "was pretrained on; *ID, clean* is a split without any of them."};
  }
  int64_t paper_batch() const override { return 128; }
  std::vector<Program> training_programs(double alpha) const override {
    return split_grid_programs(alpha).train;
  }
};

}  // namespace

const Benchmark& gridworld() {
  static const GridWorld benchmark;
  return benchmark;
}

}  // namespace neo

#include "worlds/gridworld/gridworld.h"

#include "core/error.h"
#include "worlds/world.h"

namespace neo {
namespace {

// A 10x10 grid with one object; a primitive moves every coloured cell by one.
class GridWorld : public World {
 public:
  std::string_view name() const override { return "gridworld"; }
  std::vector<int64_t> shape() const override { return {kGridSide, kGridSide}; }
  int values() const override { return kGridColours + 1; }
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
};

}  // namespace

const World& gridworld() {
  static const GridWorld world;
  return world;
}

}  // namespace neo

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "worlds/program.h"

namespace neo {

// One raw observation, row-major: a 10x10 grid of colours 0..8, six digits (most significant first), or a
// 32x32 RGB image. All three worlds share this type, and so does a user's own data.
using Observation = std::vector<uint8_t>;
using ObservationView = std::span<const uint8_t>;

// What a world is: the form of its observations and its true primitives. The primitives serve data making
// and diagnostics (primitiveness, alignment) only; no model ever sees them.
class World {
 public:
  virtual ~World() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<int64_t> shape() const = 0;                  // {10,10}, {6}, {32,32,3}
  virtual int values() const = 0;                                  // each element is in [0, values)
  virtual const std::vector<std::string>& primitives() const = 0;  // names, in index order
  // One true primitive; nullopt where the result leaves the world (off the grid, over six digits).
  virtual std::optional<Observation> apply(int primitive, ObservationView input) const = 0;

  int64_t size() const;  // elements per observation
  std::optional<Observation> run(const Program& program, ObservationView input) const;
  std::string program_text(const Program& program) const;  // "move_up move_left"
  Program parse_program(std::string_view text) const;      // the inverse; throws Error
};

const World& gridworld();
const World& arithmetic();
const World& imaging();
// "gridworld", "arithmetic" or "imaging"; a UsageError lists them otherwise.
const World& world_named(std::string_view name);
std::vector<std::string> world_names();

}  // namespace neo

#include "worlds/world.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <sstream>

#include "core/error.h"
#include "core/text.h"

namespace neo {

int64_t World::size() const {
  const auto dims = shape();
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

std::optional<Observation> World::run(const Program& program, ObservationView input) const {
  std::optional<Observation> state(Observation(input.begin(), input.end()));
  for (int primitive : program) {
    state = apply(primitive, *state);
    if (!state) return std::nullopt;
  }
  return state;
}

std::string World::program_text(const Program& program) const {
  std::string text;
  for (int primitive : program) {
    if (!text.empty()) text += ' ';
    text += primitives().at(static_cast<size_t>(primitive));
  }
  return text;
}

Program World::parse_program(std::string_view text) const {
  Program program;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto found = std::find(primitives().begin(), primitives().end(), word);
    if (found == primitives().end()) {
      fail("{} has no primitive called '{}'; it has: {}", name(), printable(word),
           fmt::join(primitives(), ", "));
    }
    program.push_back(static_cast<int>(found - primitives().begin()));
  }
  return program;
}

std::vector<std::string> world_names() { return {"gridworld", "arithmetic", "imaging"}; }

const World& world_named(std::string_view name) {
  for (const World* world : {&gridworld(), &arithmetic(), &imaging()}) {
    if (world->name() == name) return *world;
  }
  fail_usage("unknown world '{}'; the worlds are: {}", printable(name), fmt::join(world_names(), ", "));
}

}  // namespace neo

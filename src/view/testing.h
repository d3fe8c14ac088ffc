#pragma once

#include "data/space.h"

// Spaces and observations for tests.
namespace neo::testing {

inline Space grid_space(int64_t rows, int64_t columns, int64_t values) {
  return {.kind = Kind::categorical, .layout = Layout::grid, .shape = {rows, columns}, .values = {values}};
}
inline Space sequence_space(int64_t tokens, int64_t values) {
  return {.kind = Kind::categorical, .layout = Layout::sequence, .shape = {tokens}, .values = {values}};
}
inline Space number_space(int64_t digits, int64_t base = 10) {
  return {.kind = Kind::categorical, .layout = Layout::number, .shape = {digits}, .values = {base}};
}
inline Space image_space(int64_t rows, int64_t columns, int64_t channels) {
  return {.kind = Kind::pixels, .layout = Layout::image, .shape = {rows, columns, channels}};
}
inline Space vector_space(int64_t numbers) {
  return {.kind = Kind::real, .layout = Layout::vector, .shape = {numbers}};
}
// Tokens that are written "a", "b", ...; `values` of them, and one for padding.
inline Space letter_space(int64_t tokens, int64_t values) {
  Space space = sequence_space(tokens, values + 1);
  space.padded = true;
  for (int64_t i = 0; i < values; ++i) space.symbols.emplace_back(1, static_cast<char>('a' + i));
  space.symbols.emplace_back("");
  return space;
}

// Elements that look random and are not: the same for the same seed.
inline Observation sample_observation(const Space& space, uint64_t seed) {
  std::vector<double> values;
  uint64_t state = seed * 2 + 1;
  for (int64_t i = 0; i < space.size(); ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto draw = static_cast<int64_t>(state >> 33);
    values.push_back(space.kind == Kind::real     ? static_cast<double>(draw % 20001 - 10000) / 777.0
                     : space.kind == Kind::pixels ? static_cast<double>(draw % 256)
                                                  : static_cast<double>(draw % space.values_at(i)));
  }
  return observation_of(space, values);
}

}  // namespace neo::testing

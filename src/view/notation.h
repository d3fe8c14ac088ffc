#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/space.h"

namespace neo {

// The words of a text between any of the separators.
std::vector<std::string_view> words_of(std::string_view text, std::string_view separators);

// A number written in decimal, and nothing else.
std::optional<int64_t> whole_number(std::string_view word);
std::optional<double> real_number(std::string_view word);

// A digit or letter for each of the first 62 values: 0-9a-zA-Z.
inline constexpr int64_t kCharacterValues = 62;
char value_character(int64_t value);
std::optional<int64_t> character_value(char c);

// The elements of a categorical observation.
std::vector<int64_t> integers_of(const Space& space, ObservationView observation);
Observation observation_of_integers(const Space& space, const std::vector<int64_t>& values);

// How the values of a categorical space are written where that is not by number.
class Symbols {
 public:
  explicit Symbols(const Space& space);
  bool empty() const { return symbols_.empty(); }
  // Each is one character, so that none needs a separator.
  bool are_characters() const { return are_characters_; }
  std::optional<int64_t> find(std::string_view symbol) const;
  const std::string& operator[](int64_t value) const { return symbols_[static_cast<size_t>(value)]; }
  // Some of them, for messages: "a, b, c, ...".
  std::string examples() const;
  // The separators that are not symbols themselves.
  std::string usable(std::string_view separators) const;

 private:
  std::vector<std::string> symbols_;  // without that of the padding value
  std::map<std::string, int64_t, std::less<>> values_;
  bool are_characters_ = false;
};

}  // namespace neo

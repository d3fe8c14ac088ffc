#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "data/raw_pair.h"

namespace neo {

// A number with the place where it was found.
struct Seen {
  double value = 0;
  std::string where;
};

// What is common to the arrays of numbers seen so far.
struct ArrayProfile {
  std::vector<int64_t> first, other;  // the first shape, and the first that differs from it
  std::string first_where, other_where;
  std::vector<int64_t> most;  // of each dimension
  std::string most_where;     // the last that made one larger
  Seen lowest, highest;
  std::vector<double> channel_highest;  // where there are three dimensions
  bool is_whole = true;                 // no fractions
  bool is_stored_real = false;          // some are floating point
  bool all_bytes = true, all_pictures = true;
  std::array<bool, 1024> used{};  // which values occur

  // An Error where numbers are not finite, none or too many, or the count of dimensions differs.
  void add(const std::vector<int64_t>& shape, const std::vector<double>& values, const RawValue& from,
           const char* side);
  bool is_uniform() const { return other.empty(); }
  bool is_category() const { return is_whole && lowest.value >= 0; }
  int64_t rank() const { return static_cast<int64_t>(most.size()); }
  int64_t numbers() const;  // of the largest

 private:
  void add_used(const std::vector<double>& values, double high);
  void add_channels(const std::vector<int64_t>& shape, const std::vector<double>& values, double high);
};

// What is common to the texts seen so far.
struct TextProfile {
  bool all_digits = true;  // 0 to 9
  bool all_based = true;   // digits of the base
  bool all_numbers = true, all_lists = true;
  int largest_digit = 0;   // in any base; 36 where some text is no number in any
  std::string comma_text;  // the first that may be one number, written with a comma
  std::string no_digits_where, no_list_where, not_finite_where;
  bool others_are_numbers = true;  // beside those that are not finite
  int64_t most_digits = 1;
  std::string longest_where;
  ArrayProfile lists;
  int64_t least_tokens = -1, most_tokens = 0;
  std::string most_tokens_where;
  std::set<std::string> alphabet;
  std::string alphabet_where;  // what made it larger than `most_alphabet`

  // Where the first text stands that is no number, if most others are; empty otherwise.
  std::string stray_text() const;
  // `base`: of numbers. An Error where a text is not UTF-8.
  void add(const RawValue& value, const char* side, int64_t base, size_t most_alphabet);

 private:
  void add_number(const RawValue& value, const char* side, int64_t base);
  void add_digits(std::string_view text, const RawValue& value, const char* side, int64_t base);
  void add_tokens(const RawValue& value, const char* side, size_t most_alphabet);
  struct Side {
    int64_t texts = 0, numbers = 0;  // or lists of numbers
    std::string other_where;         // the first that is neither
  };
  std::array<Side, 2> sides_;  // x, y
  std::bitset<128> ascii_;  // of the alphabet, to look up quickly
};

std::string place_of(const RawValue& value, const char* side);  // "pairs.csv, line 12, x"

}  // namespace neo

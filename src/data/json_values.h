#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/raw_pair.h"

namespace neo {

// Builds one observation from the events of a JSON parser: a number, a text, a list of texts or nested lists
// of numbers, which must be rectangular.
class JsonValueBuilder {
 public:
  // Each returns an error message; empty: none.
  std::string start_list();
  std::string end_list();
  std::string number(double value, std::string_view token, bool is_real);
  std::string text(std::string& text);
  bool has_begun() const { return began_; }
  bool is_complete() const { return depth_ == 0 && began_; }
  RawValue take();  // and starts again

 private:
  RawValue value_;
  std::vector<int64_t> counts_;  // entries so far of each open list
  size_t depth_ = 0;
  bool began_ = false;
};

}  // namespace neo

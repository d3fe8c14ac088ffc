#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/raw_pair.h"
#include "data/space.h"

namespace neo {

// How text represents an observation.
enum class TextForm {
  digits,      // one number: its digits
  characters,  // every character is a token
  list,        // numbers with blanks between them
};

// How raw observations become observations of a space.
struct Encoding {
  Space space;
  TextForm text = TextForm::characters;
  bool is_exact = false;                    // they are already observations of the space, padding included
  bool is_scaled = false;                   // real numbers from 0 to 1 become bytes
  std::map<std::string, int64_t> token_of;  // of a space with symbols

  // Shorter sequences and smaller grids are filled up at the end, bottom and right with the last value;
  // numbers with zeros in front. An Error says what is wrong with the value, not where it was found.
  Observation encode(const RawValue& value) const;
};

// The tokens of a text or of a list of texts: "abc" are three. An Error where it is not UTF-8.
std::vector<std::string> tokens_of(const RawValue& value);

}  // namespace neo

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// Where in a user's files something was found.
struct Origin {
  const std::filesystem::path* file = nullptr;  // owned by the source
  const char* unit = "";                        // "row", "line", "step"; empty: the file as a whole
  int64_t index = 0;                            // counted from 1
  int64_t episode = -1;                         // its number; -1: none
  std::string text() const;                     // "pairs.csv, line 12"
};

// One observation as read, before anything is known about the others. A single number is text: it may have
// any number of digits.
struct RawValue {
  std::vector<int64_t> shape;  // of an array of numbers; empty: text
  std::vector<double> values;  // row-major
  std::string text;
  std::vector<std::string> tokens;  // of a list of texts, instead of `text`
  bool is_real = false;             // stored as floating point
  bool is_byte = false;             // stored as unsigned bytes
  bool is_picture = false;          // decoded from a picture file
  Origin at;

  bool is_text() const { return shape.empty(); }
  void clear() { *this = {}; }
};

struct RawPair {
  RawValue x, y;
  std::string group;        // empty: none
  std::string program;      // empty: unknown
  int64_t source = 0;       // number of its file
  int64_t trajectory = -1;  // number of its trajectory within the source; -1: none
};

using PairVisitor = std::function<void(RawPair&)>;  // may move from the pair

// Pairs in one of the formats. Streams: memory is bounded by some blocks, however large the files are.
class PairSource {
 public:
  virtual ~PairSource() = default;
  // Calls `visitor` with every pair, in the same order each time. An Error names file, row and remedy.
  virtual void visit(const PairVisitor& visitor) = 0;
  // Everything that visit() reads.
  virtual std::vector<std::filesystem::path> files() const = 0;
  // What observations are, where the file itself says so.
  virtual std::optional<Space> space() const { return std::nullopt; }
  // What was chosen or ignored, one line each; complete after a visit.
  virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace neo

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// One pair: an observation before and after. Independent of all others, except that pairs of a `group` are
// known to share their hidden program; training ignores groups unless --grouped is given.
struct Pair {
  Observation x, y;
  int32_t group = -1;   // -1: none
  std::string program;  // the names of its hidden primitives, "up up left"; empty: unknown. For scoring only.
};

// The description of a file.
struct PairFileInfo {
  Space space;
  std::string split;                  // "train", "id", ...; empty: a user's own
  std::string source;                 // what it was made from; human-readable
  std::string benchmark;              // whose split it is; empty: a user's own data
  double alpha = 1.0;                 // of a benchmark's split
  bool grouped = false;               // it has a group column
  std::vector<std::string> programs;  // the distinct hidden programs that are known
  int64_t pairs = 0;                  // in Part::main
  int64_t held_out = 0;               // in Part::held_out: to evaluate on, never to train on
  std::string digest;                 // SHA-256 of everything in it, see PairDigest
};

enum class Part { main, held_out };

// Some pairs of a file.
struct PairBlock {
  int64_t count = 0;
  std::vector<uint8_t> x, y;     // [count, Space::bytes()]
  std::vector<int32_t> group;    // [count]; -1: none
  std::vector<int32_t> program;  // [count] index into PairFileInfo::programs; -1: unknown
};

// Which group and which program every pair of a part is of.
struct PairLabels {
  std::vector<int32_t> group;    // -1: none
  std::vector<int32_t> program;  // index into PairFileInfo::programs; -1: unknown
};

// Writes pairs to a compact HDF5 file, chunked, compressed and checksummed. Streams: memory is bounded by a
// few blocks. The file appears under its final name only when finish() returns.
class PairWriter {
 public:
  // Of `about`: space, split, source, benchmark, alpha and grouped.
  PairWriter(const std::filesystem::path& path, PairFileInfo about);
  ~PairWriter();
  void add(const Pair& pair, Part part = Part::main);
  PairFileInfo finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Reads such files, whose content must have the digest that they claim, and the official release's layout (one group of two pairs per sample), told apart by
// their content. Everything read is checked: shapes, ranges, indices.
class PairReader {
 public:
  explicit PairReader(const std::filesystem::path& path);  // throws Error on anything that is not one
  ~PairReader();
  PairReader(PairReader&&) noexcept;
  const PairFileInfo& info() const;
  int64_t count(Part part) const;
  PairBlock read(Part part, int64_t begin, int64_t count);
  PairLabels labels(Part part);  // without their observations
  Pair pair(Part part, int64_t index);  // an Error where there is none
  std::string content_digest();         // as in PairFileInfo; reads everything

 private:
  struct Impl;
  void verify();
  std::unique_ptr<Impl> impl_;
};

}  // namespace neo

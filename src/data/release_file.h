#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "data/pair_file.h"

namespace neo {

// The official release's layout: one group `sample_<i>` per episode of two pairs, with `grids` (support x, support
// y, query x, and in images query y) and `answer` (query y), and the program as a text attribute. What the
// observations are follows from their shape.
class ReleaseFile {
 public:
  ReleaseFile(hid_t file, std::string path);  // throws Error when the file has another layout
  const PairFileInfo& info() const { return info_; }
  PairBlock read(int64_t begin, int64_t count) const;
  PairLabels labels() const;

 private:
  void recognise_space();
  void read_programs();
  std::vector<int64_t> read_sample(int64_t index) const;  // [4, N]
  [[noreturn]] void corrupt(int64_t sample, const std::string& why) const;

  hid_t file_;
  std::string path_;
  std::vector<int64_t> grids_;  // the shape of `grids`
  int64_t samples_ = 0;
  PairFileInfo info_;
  std::vector<int32_t> programs_;  // [samples]
};

}  // namespace neo

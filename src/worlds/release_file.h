#pragma once

#include <hdf5.h>

#include <map>
#include <string>
#include <vector>

#include "worlds/episode_file.h"

namespace neo {

// The official release's layout: one group `sample_<i>` per episode with `grids` and `answer`, and the
// program as a text attribute. The world is recognised by the shape of the first sample.
class ReleaseFile {
 public:
  ReleaseFile(hid_t file, std::string path);  // throws Error when the file has another layout
  const World& world() const { return *world_; }
  EpisodeFileInfo info() const { return info_; }
  std::vector<uint8_t> observations(int64_t begin, int64_t count) const;
  std::vector<int32_t> program_indices(int64_t begin, int64_t count) const;

 private:
  void recognise_world();
  void read_programs();
  void read_sample(int64_t index, uint8_t* out) const;
  [[noreturn]] void corrupt(int64_t sample, const std::string& why) const;

  hid_t file_;
  std::string path_;
  const World* world_ = nullptr;
  EpisodeFileInfo info_;
  std::vector<int32_t> indices_;
};

}  // namespace neo

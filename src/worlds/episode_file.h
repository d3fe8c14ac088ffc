#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worlds/program.h"
#include "worlds/world.h"

namespace neo {

// One OTIB episode: two phenomena (x, y) made by the same hidden program.
struct Episode {
  Observation support_x, support_y, query_x, query_y;
  Program program;
};

// Where generators put what they make, in order.
using EpisodeSink = std::function<void(const Episode&)>;

struct EpisodeFileInfo {
  std::string world;  // "gridworld", ...
  std::string split;  // "train", "id", "comp", "length", "pretrain", "pretrain-test"
  double alpha = 1.0;
  int64_t episodes = 0;
  std::string generator;          // what made it, with version ("otib-1", "release", "own")
  std::string digest;             // SHA-256 of the content as in episode_digest.h; empty when unknown
  std::vector<Program> programs;  // distinct programs, indexed by `program` of each episode
};

// Appends episodes to a compact HDF5 file: observations uint8 [N, 4, ...] and a program index per episode,
// chunked and compressed. Streams: memory is bounded by one block. The file appears under its final name
// only when finish() returns.
class EpisodeWriter {
 public:
  EpisodeWriter(const std::filesystem::path& path, const World& world, const std::string& split,
                double alpha);
  ~EpisodeWriter();
  void add(const Episode& episode);
  EpisodeFileInfo finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Reads our compact files and the official release's layout (one group per sample), told apart by content.
class EpisodeReader {
 public:
  explicit EpisodeReader(const std::filesystem::path& path);  // throws Error on anything that is not one
  ~EpisodeReader();
  const EpisodeFileInfo& info() const;
  const World& world() const;
  // Observations of episodes [begin, begin+count): uint8 [count, 4, ...] in the order support x, support y,
  // query x, query y.
  std::vector<uint8_t> observations(int64_t begin, int64_t count);
  std::vector<int32_t> program_indices(int64_t begin, int64_t count);
  Episode episode(int64_t index);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neo

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"

namespace neo {

// The two pairs of an episode, as they go into a file: support, query.
std::pair<Pair, Pair> pairs_of(const Benchmark& benchmark, const Episode& episode, int32_t group);

// Makes every split of a request as <folder>/<split>.h5, with a progress bar each; `finished` is called for
// every file.
struct MadeSplit {
  std::filesystem::path path;
  PairFileInfo info;
  std::string golden;  // SHA-256 of the episodes as the official release's content is hashed
};
void make_splits(const Benchmark& benchmark, const DataRequest& request, const std::filesystem::path& folder,
                 const std::function<void(const MadeSplit&)>& finished);

// The profile that a split comes from: "otib", "length" or "pretraining".
std::string profile_of(const std::string& split);
// Where splits go by default: data/<benchmark>-alpha<A>, or data/<benchmark>-<profile> for profiles other
// than otib.
std::filesystem::path data_folder(const Benchmark& benchmark, const DataRequest& request);
std::filesystem::path split_path(const Benchmark& benchmark, double alpha, const std::string& split);
// The file of a split, generated first if it does not exist. An Error where the benchmark has no such split.
std::filesystem::path ensure_split(const Benchmark& benchmark, double alpha, const std::string& split);
// The episodes of one split, in memory.
std::vector<Episode> generate_split(const Benchmark& benchmark, const DataRequest& request,
                                    const std::string& split);

// The benchmark whose split a file holds; a file of the official release is recognised by its observations
// and the names of its primitives. Null: own data.
const Benchmark* benchmark_of(const PairFileInfo& info);
// Every episode of a benchmark's file, in order. An Error where pairs do not come two by two.
void for_each_episode(const Benchmark& benchmark, PairReader& reader,
                      const std::function<void(const Episode&)>& visit);
// SHA-256 of the episodes of a file; the same for our own and the release's layout.
std::string golden_digest(const Benchmark& benchmark, PairReader& reader);

}  // namespace neo

#include "report/learned.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "data/pair_file.h"
#include "view/view.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kLearned = "learned.json";
constexpr size_t kMostBytes = 4 << 20;
constexpr int64_t kShownPairs = 8;

json judged_pairs(const fs::path& file) {
  json list = json::array();
  if (!fs::exists(file)) return list;
  PairReader reader(file);
  const auto view = make_view(reader.info().space);
  const Part part = reader.count(Part::held_out) > 0 ? Part::held_out : Part::main;
  const int64_t count = reader.count(part), shown = std::min(count, kShownPairs);
  for (int64_t i = 0; i < shown; ++i) {
    const Pair pair = reader.pair(part, i * count / shown);
    list.push_back({{"x", view->text(pair.x)}, {"y", view->text(pair.y)}});
  }
  return list;
}

json read_learned(const fs::path& run) {
  json learned = json::parse(read_file(run / kLearned, kMostBytes), nullptr, /*allow_exceptions=*/false);
  for (const char* key : {"space", "structure", "trials", "vocabulary", "explained", "pairs"})
    if (!learned.is_object() || !learned.contains(key)) fail("{} lacks '{}'; learn again", (run / kLearned).string(), key);
  for (const char* path : {"run", "data"}) learned.erase(path);
  learned["name"] = name_of_path(run);
  learned["examples"] = judged_pairs(run / kRunPairs);
  return learned;
}

}  // namespace

std::vector<json> collect_learned(const std::vector<fs::path>& places) {
  std::map<std::string, fs::path> runs;
  for (const fs::path& place : places) {
    if (fs::exists(place / kLearned)) runs.emplace(name_of_path(place), place);
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::directory_iterator(place))
      if (fs::exists(entry.path() / kLearned)) runs.emplace(name_of_path(entry.path()), entry.path());
  }
  std::vector<json> list;
  for (const auto& [name, run] : runs) list.push_back(read_learned(run));
  return list;
}

}  // namespace neo

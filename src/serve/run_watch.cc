#include "serve/run_watch.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace neo {
namespace {

constexpr uintmax_t kMostAtOnce = 8 << 20;  // bytes of one look; the next one goes on

}  // namespace

void RunWatch::add(std::string_view line) {
  const auto record = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!record.is_object() || !record.contains("loss") || !record.contains("solved") || record.contains("epoch")) return;
  if (!record["loss"].is_number() || !record["solved"].is_number()) return;
  const int64_t step = record.value("step", int64_t{0});
  while (!points_.empty() && points_.back().step >= step) points_.pop_back();
  points_.push_back({step, record["loss"].get<double>(), record["solved"].get<double>()});
}

void RunWatch::look() {
  const auto path = run_ / "metrics.jsonl";
  std::error_code none;
  const uintmax_t size = std::filesystem::file_size(path, none);
  if (none) return;
  if (size < read_) {
    read_ = 0;
    points_.clear();
  }
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  std::string added(std::min(size - read_, kMostAtOnce), '\0');
  file.read(added.data(), static_cast<std::streamsize>(added.size()));
  added.resize(static_cast<size_t>(file.gcount()));
  size_t begin = 0;
  for (size_t end; (end = added.find('\n', begin)) != std::string::npos; begin = end + 1)
    add(std::string_view(added).substr(begin, end - begin));
  read_ += begin;  // a line that is being written is read when it is complete
}

nlohmann::json RunWatch::curve(size_t most) const {
  auto list = nlohmann::json::array();
  const size_t stride = std::max<size_t>(1, (points_.size() + most - 1) / most);
  for (size_t i = 0; i < points_.size(); ++i) {
    if ((points_.size() - 1 - i) % stride != 0) continue;
    list.push_back({points_[i].step, points_[i].loss, points_[i].solved});
  }
  return list;
}

}  // namespace neo

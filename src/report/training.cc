#include "report/training.h"

#include <algorithm>
#include <fstream>
#include <charconv>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/json_lines.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
constexpr int64_t kPoints = 100;

// Means over a stretch of steps.
class Stretch {
 public:
  void add(const json& record) {
    ++steps_;
    last_ = record.at("step");
    loss_ += record.value("loss", 0.0);
    solved_ += record.value("solved", 0.0);
    length_ += record.value("mean_length", 0.0);
    perplexity_ += record.value("perplexity", 0.0);
    const auto usage = record.value("usage", std::vector<double>{});
    usage_.resize(std::max(usage_.size(), usage.size()), 0.0);
    for (size_t i = 0; i < usage.size(); ++i) usage_[i] += usage[i];
  }
  int64_t steps() const { return steps_; }
  void write(json& summary) const {
    const auto n = static_cast<double>(steps_);
    summary["steps"].push_back(last_);
    summary["loss"].push_back(rounded(loss_ / n));
    summary["solved"].push_back(rounded(solved_ / n));
    summary["mean_length"].push_back(rounded(length_ / n));
    summary["perplexity"].push_back(rounded(perplexity_ / n));
    double total = 0;
    for (double count : usage_) total += count;
    json shares = json::array();
    for (double count : usage_) shares.push_back(total > 0 ? rounded(count / total) : 0.0);
    summary["usage"].push_back(shares);
  }

 private:
  static double rounded(double value) { return std::round(value * 1e4) / 1e4; }
  int64_t steps_ = 0, last_ = 0;
  double loss_ = 0, solved_ = 0, length_ = 0, perplexity_ = 0;
  std::vector<double> usage_;
};

bool is_step(const json& record) { return record.contains("step") && record.contains("loss"); }

// Timing files by the step that they begin at.
std::map<int64_t, fs::path> timing_files(const fs::path& run) {
  constexpr std::string_view kPrefix = "timing-from-";
  std::map<int64_t, fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run, error)) {
    const std::string name = entry.path().stem().string();
    int64_t from = 0;
    if (name.starts_with(kPrefix) &&
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), from).ec == std::errc{})
      files[from] = entry.path();
  }
  return files;
}

json summary_of(const fs::path& path) {
  int64_t last = 0;
  for_each_json_line(path, [&](const json& record) {
    if (is_step(record)) last = record.at("step");
  });
  if (last == 0) return nullptr;
  const int64_t every = std::max<int64_t>(1, (last + kPoints - 1) / kPoints);
  json summary{{"validation", json::array()}};
  Stretch stretch;
  for_each_json_line(path, [&](const json& record) {
    if (record.contains("validation")) {
      json point = record.at("validation");
      point["step"] = record.value("step", int64_t{0});
      summary["validation"].push_back(point);
    }
    if (!is_step(record)) return;
    stretch.add(record);
    if (record.at("step").get<int64_t>() % every != 0 && record.at("step") != last) return;
    stretch.write(summary);
    stretch = {};
  });
  return summary;
}
}  // namespace

json training_summary(const fs::path& run) {
  const fs::path path = run / "metrics.jsonl";
  if (!fs::exists(path)) return nullptr;
  try {
    return summary_of(path);
  } catch (const json::exception& error) {
    fail("{} holds no metrics of a run: {}", path.string(), error.what());
  }
}

json training_cost(const fs::path& run) {
  const auto files = timing_files(run);
  double seconds = 0;
  int64_t steps = 0;
  std::vector<double> per_step;
  for (auto file = files.begin(); file != files.end(); ++file) {
    const auto next = std::next(file);
    int64_t before = file->first;
    for_each_json_line(file->second, [&](const json& record) {
      const auto step = record.value("step", int64_t{0});
      const bool counts = step > before && (next == files.end() || step <= next->first);
      if (!counts) return;
      seconds += record.value("seconds", 0.0);
      steps += step - before;
      per_step.push_back(1000.0 * record.value("seconds", 0.0) / static_cast<double>(step - before));
      before = step;
    });
  }
  if (steps == 0) return nullptr;
  std::sort(per_step.begin(), per_step.end());
  return {{"steps", steps}, {"seconds", seconds}, {"ms_per_batch", per_step[per_step.size() / 2]}};
}

int64_t last_step(const fs::path& run) {
  constexpr std::streamoff kTail = 1 << 16;  // more than two records
  std::ifstream file(run / "metrics.jsonl", std::ios::binary | std::ios::ate);
  if (!file) return 0;
  file.seekg(std::max<std::streamoff>(0, file.tellg() - kTail));
  int64_t step = 0;
  for (std::string line; std::getline(file, line);) {
    const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);  // the first and the last may be torn
    if (record.is_object() && record.contains("step")) step = record["step"].get<int64_t>();
  }
  return step;
}

}  // namespace neo

#include "view/predictions.h"

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/npy_stream.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

// The error of an action, with the row that it is about in front.
template <typename Action>
Observation about_row(const fs::path& path, size_t row, Action&& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    fail_usage("{}, row {}: {}", printable(path.string(), 400), row + 1, error.what());
  }
}

}  // namespace

nlohmann::json to_json(const PredictionScore& s) {
  return {{"episodes", s.episodes}, {"exact", s.exact}, {"error", s.error}, {"transfer", s.transfer}};
}

PredictionScore score_predictions(const Space& space, std::span<const Observation> predictions,
                                  std::span<const Observation> truth) {
  if (predictions.size() != truth.size() || truth.empty())
    fail_usage("{} outputs need as many predictions, in their order; here are {}", truth.size(),
               predictions.size());
  PredictionScore score{.episodes = static_cast<int64_t>(truth.size())};
  for (size_t i = 0; i < truth.size(); ++i) {
    score.exact += predictions[i] == truth[i] ? 1 : 0;
    score.error += difference(space, predictions[i], truth[i]);
  }
  score.exact /= static_cast<double>(score.episodes);
  score.error /= static_cast<double>(score.episodes);
  score.transfer = space.is_categorical() ? score.exact : score.error;
  return score;
}

std::vector<Observation> read_predictions(const fs::path& path, const View& view) {
  NpyStream stream(std::make_unique<FileStream>(path), path.string());
  if (stream.is_text()) fail_usage("{} holds text; save an array of numbers", printable(path.string(), 400));
  std::vector<Observation> predictions;
  for (RawValue value; stream.next(value);) {
    if (value.shape.empty()) value.values = {std::strtod(value.text.c_str(), nullptr)};
    const Array array{value.shape, stream.is_real(), value.values};
    predictions.push_back(about_row(path, predictions.size(), [&] { return view.from_numbers(array); }));
  }
  return predictions;
}

}  // namespace neo

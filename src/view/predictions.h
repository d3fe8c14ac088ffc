#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "view/view.h"

namespace neo {

// How good somebody's predictions of outputs are.
struct PredictionScore {
  int64_t episodes = 0;
  double exact = 0;     // share that are right in every element
  double error = 0;     // mean difference(), see data/space.h
  double transfer = 0;  // what tables show: `exact`, or `error` where observations are never met exactly
};
nlohmann::json to_json(const PredictionScore& score);

// An Error where there are not as many of both, or none.
PredictionScore score_predictions(const Space& space, std::span<const Observation> predictions,
                                  std::span<const Observation> truth);

// Predictions in a .npy array [n, ...], each row in any form that View::from_numbers takes. An Error names
// the row.
std::vector<Observation> read_predictions(const std::filesystem::path& path, const View& view);

}  // namespace neo

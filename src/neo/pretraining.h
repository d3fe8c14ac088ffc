#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "neo/options.h"
#include "observe/pretrain.h"

namespace neo {

struct PretrainingResult {
  std::filesystem::path path;
  int64_t held_out = 0;
  bool exact = true;   // `score` is a share of exact reconstructions; else a mean error
  double score = 0;
  // Where nothing is exact: the error by the length of the program that made the observation; 0: none did.
  std::vector<std::pair<int64_t, double>> by_length;
};
PretrainingResult run_pretraining(const PretrainingOptions& options);

}  // namespace neo

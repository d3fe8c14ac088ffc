#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/plan.h"

namespace neo {

// How long runs took, as the records of earlier ones say; the shipped ones, too.
class RecordedCosts {
 public:
  explicit RecordedCosts(const std::vector<std::filesystem::path>& results);
  // Mean seconds of training a run of this kind and of making its records; nothing where no record says so.
  std::optional<double> seconds(const PlannedRun& run) const;

 private:
  struct Mean {
    double total = 0;
    int count = 0;
    double value() const { return total / count; }
  };
  void add(const std::filesystem::path& record);
  std::map<std::string, Mean> training_, evaluation_;  // by kind of run; of evaluation
};

}  // namespace neo

#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "benchmark/benchmark.h"
#include "serve/backend.h"
#include "view/view.h"

namespace neo {

// A model as the API presents it: how its observations are written, and whose data they are.
class ServedModel {
 public:
  explicit ServedModel(const ModelInfo& info);  // kept by the backend for as long as this lives

  const ModelInfo& info() const { return info_; }
  const Benchmark* benchmark() const { return benchmark_; }  // null: a user's own data
  nlohmann::json description() const;                        // as GET /api/models lists it

  std::string text(ObservationView observation) const { return view_->text(observation); }
  // Of a request; an Error begins with the field.
  Observation observation(std::string_view text, const std::string& field) const;

  size_t longest_text() const { return longest_text_; }  // of one observation, in bytes
  int64_t most_calls() const;                            // of a search, so that its answer stays small

 private:
  const ModelInfo& info_;
  std::unique_ptr<View> view_;
  const Benchmark* benchmark_;
  size_t longest_text_;
};

}  // namespace neo

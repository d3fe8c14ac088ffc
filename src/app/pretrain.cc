#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "neo/pretraining.h"

namespace neo {
namespace {

void print(const PretrainingResult& r) {
  if (r.exact) {
    fmt::print("{} of {} held-out observations reconstructed exactly: {:.4f}\n",
               std::llround(r.score * static_cast<double>(r.held_out)), r.held_out, r.score);
  } else {
    fmt::print("error of {} held-out observations: {:.4f}\n", r.held_out, r.score);
    for (const auto& [length, error] : r.by_length)
      fmt::print("{}: {:.4f}\n", length == 0 ? "plain" : fmt::format("edited by {}", length), error);
  }
  fmt::print("wrote {}\n", r.path.string());
}

}  // namespace

void execute(const PretrainCommand& command) {
  const PretrainingResult result = run_pretraining(command);
  if (!command.json) return print(result);
  fmt::print("{}\n", nlohmann::json({{"path", result.path.string()},
                                     {"held_out", result.held_out},
                                     {"reconstructed", result.score}})
                         .dump());
}

}  // namespace neo

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace neo {

// A training as it goes.
struct WatchedRun {
  std::string name, state;  // "running", ...
  int64_t step = 0, total = 0;
  nlohmann::json summary;          // see training_summary; null: nothing yet
  std::vector<std::string> names;  // what the codes do by now; may be empty
};

// Loss, share explained, and the codes in use with what they do, in at most `rows` lines of a page.
std::string watch_screen(const WatchedRun& run, int rows);

}  // namespace neo

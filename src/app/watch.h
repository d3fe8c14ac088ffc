#pragma once

#include <filesystem>

#include "explain/program_text.h"

namespace neo {

// Shows a training run on the terminal, again and again.
class RunWatch {
 public:
  explicit RunWatch(std::filesystem::path run) : run_(std::move(run)) {}
  void show();  // in place of what was shown before, where that is possible

 private:
  const CodeNames& names();  // of the best theory so far

  std::filesystem::path run_;
  std::filesystem::file_time_type named_{};  // the theory whose codes have these names
  CodeNames names_;
  bool shown_ = false;
};

}  // namespace neo

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/child.h"
#include "report/cell_state.h"
#include "report/recorded_costs.h"

namespace neo {

struct ReproductionOptions {
  std::filesystem::path program;  // neo
  std::filesystem::path runs = "runs", results = "results";
  std::filesystem::path weights;  // where the best theories go; empty: nowhere
  int jobs = 1;                   // runs at a time, with one thread each when there are several
  bool redo = false;              // move outdated runs aside and train them again
  bool quiet = false;
};

// Completes a plan's runs with `neo train` and `neo eval` as child processes. If it is killed at any moment,
// the same call resumes where it stopped, from the checkpoints of the runs alone.
class Reproduction {
 public:
  // `expect`: what a planned run would be trained with now; `settings_of`: what a run folder was trained
  // with.
  Reproduction(std::vector<PlannedRun> plan, ReproductionOptions options,
               const std::function<Expectation(const PlannedRun&)>& expect,
               std::function<std::string(const std::filesystem::path&)> settings_of);
  ~Reproduction();

  nlohmann::json to_json() const;
  std::string table() const;  // every run's state, how long it will take, and a summary
  // Returns how many runs failed. Throws the interrupt's Error after the children have stopped.
  int run();

 private:
  struct Cell;
  struct Job;
  CellState inspect(const Cell& cell) const;
  void start_next(Job& job);
  void finish_step(Job& job, int exit_code);
  void launch(Job& job, std::vector<std::string> arguments);
  void store_record(Job& job);
  void ship() const;
  void fail_cell(Job& job, int exit_code);
  void show(bool force);
  std::optional<double> expected_seconds(const Cell& cell) const;
  std::optional<double> measured_seconds(const Cell& cell) const;
  std::optional<double> seconds_left(const Cell& cell) const;
  std::string time_left() const;
  void say(const std::string& text);
  void stop_children();

  std::vector<Cell> cells_;
  ReproductionOptions options_;
  std::function<std::string(const std::filesystem::path&)> settings_of_;
  std::vector<Job> jobs_;
  mutable std::map<std::string, std::optional<double>> expected_;  // by kind of run
  RecordedCosts recorded_;  // of earlier runs
  int failed_ = 0;
  std::chrono::steady_clock::time_point shown_{};
  bool open_line_ = false;  // the status line is on the terminal, the cursor behind it
};

std::string duration_text(double seconds);  // "45 s", "12 min", "3 h 20 min"

}  // namespace neo

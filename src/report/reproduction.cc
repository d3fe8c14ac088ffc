#include "report/reproduction.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/terminal.h"
#include "core/text.h"
#include "core/theory_files.h"
#include "report/published.h"
#include "report/records.h"
#include "report/training.h"

namespace neo {
namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct Reproduction::Cell {
  PlannedRun plan;
  Expectation expected;
  CellState state;
  fs::path run;
  bool done = false;  // by this process or before
  bool failed = false;
};

// A place for one child at a time, which trains a cell and then makes its records.
struct Reproduction::Job {
  Cell* cell = nullptr;
  std::unique_ptr<Child> child;
  std::optional<PlannedEvaluation> evaluation;  // what it evaluates; nothing: it trains
  Clock::time_point started;
};

namespace {
constexpr double kGrace = 120;  // seconds a run gets to write its checkpoint

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fs::path log_of(const fs::path& run) { return run.string() + ".log"; }
fs::path evaluation_of(const fs::path& run, const PlannedEvaluation& evaluation) {
  return run / ("record-" + evaluation.name + ".json");
}

bool is_over(Stage stage) {
  return stage == Stage::kFinished || stage == Stage::kBusy || stage == Stage::kOutdated;
}

// An outdated run's folder and log get out of the way, under the first free name.
void move_aside(const fs::path& run) {
  for (int i = 1;; ++i) {
    const fs::path aside = fmt::format("{}.old{}", run.string(), i);
    if (fs::exists(aside)) continue;
    fs::rename(run, aside);
    if (fs::exists(log_of(run))) fs::rename(log_of(run), log_of(aside));
    return;
  }
}
}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<int64_t>(std::round(seconds / 60));
  if (minutes < 90) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

Reproduction::Reproduction(std::vector<PlannedRun> plan, ReproductionOptions options,
                           const std::function<Expectation(const PlannedRun&)>& expect,
                           std::function<std::string(const fs::path&)> settings_of)
    : options_(std::move(options)),
      settings_of_(std::move(settings_of)),
      recorded_({options_.results, shared_folder() / "results"}) {
  for (PlannedRun& run : plan) {
    Cell cell{.plan = std::move(run)};
    cell.run = options_.runs / cell.plan.name;
    cell.expected = expect(cell.plan);
    cell.state = inspect(cell);
    cells_.push_back(std::move(cell));
  }
}

Reproduction::~Reproduction() = default;

CellState Reproduction::inspect(const Cell& cell) const {
  const std::string settings = holds_run(cell.run) ? settings_of_(cell.run) : "";
  CellState state = cell_state(cell.plan, cell.run, options_.results, cell.expected, settings);
  if (state.stage == Stage::kOutdated && options_.redo) return {.to_evaluate = cell.plan.evaluations};
  return state;
}

// What runs of the same kind took: those of this plan, else those that left records.
std::optional<double> Reproduction::expected_seconds(const Cell& cell) const {
  const std::string kind = cell.plan.benchmark + cell.plan.preset + cell.plan.method + cell.plan.ablation;
  const auto known = expected_.find(kind);
  return known != expected_.end() ? known->second : expected_[kind] = measured_seconds(cell);
}

std::optional<double> Reproduction::measured_seconds(const Cell& cell) const {
  double total = 0;
  int count = 0;
  for (const Cell& other : cells_) {
    const bool alike = other.plan.benchmark == cell.plan.benchmark && other.plan.preset == cell.plan.preset &&
                       other.plan.method == cell.plan.method && other.plan.ablation == cell.plan.ablation;
    if (!alike || other.state.stage != Stage::kFinished) continue;
    const json cost = training_cost(other.run);
    if (!cost.is_object()) continue;
    total += cost.at("seconds").get<double>();
    for (const PlannedEvaluation& evaluation : other.plan.evaluations) {
      const json record = json::parse(read_file(record_path(options_.results, other.plan, evaluation)));
      total += record.at("cell").value("seconds", 0.0);
    }
    ++count;
  }
  return count > 0 ? total / count : recorded_.seconds(cell.plan);
}

// Of a run that has begun: by its own pace, if its timing says so.
std::optional<double> Reproduction::seconds_left(const Cell& cell) const {
  if (cell.done || cell.failed || is_over(cell.state.stage)) return 0.0;
  const auto whole = expected_seconds(cell);
  const json cost = training_cost(cell.run);
  if (!cost.is_object() && whole && cell.expected.steps > 0)  // no checkpoint yet
    return *whole * (1 - static_cast<double>(last_step(cell.run)) / static_cast<double>(cell.expected.steps));
  if (!cost.is_object() || (!whole && cell.state.stage == Stage::kTrained)) return whole;
  const auto steps = cost.at("steps").get<double>();
  const double left = std::max(0.0, static_cast<double>(cell.expected.steps) - steps);
  const double training = left * cost.at("seconds").get<double>() / steps;
  const double evaluation = whole ? std::max(0.0, *whole - cost.at("seconds").get<double>() - training) : 0.0;
  return training + evaluation;
}

std::string Reproduction::time_left() const {
  double known = 0;
  int unknown = 0;
  for (const Cell& cell : cells_) {
    if (const auto seconds = seconds_left(cell))
      known += *seconds;
    else
      ++unknown;
  }
  const std::string text = duration_text(known / options_.jobs);
  if (unknown == 0) return "about " + text;
  const std::string rest = fmt::format("{} run{} of unknown length", unknown, unknown == 1 ? "" : "s");
  return known == 0 ? rest : fmt::format("about {} and {}", text, rest);
}

json Reproduction::to_json() const {
  json list = json::array();
  for (const Cell& cell : cells_) {
    json evaluations = json::array();
    for (const PlannedEvaluation& evaluation : cell.state.to_evaluate) evaluations.push_back(evaluation.name);
    const auto left = seconds_left(cell);
    list.push_back({{"run", cell.run.string()},
                    {"train", cell.plan.train_arguments()},
                    {"state", stage_name(cell.state.stage)},
                    {"step", cell.state.step},
                    {"steps", cell.expected.steps},
                    {"records_to_make", is_over(cell.state.stage) ? json::array() : evaluations},
                    {"seconds_left", left ? json(*left) : json(nullptr)}});
  }
  return list;
}

std::string Reproduction::table() const {
  size_t width = 0;
  for (const Cell& cell : cells_) width = std::max(width, cell.plan.name.size());
  std::string text;
  std::map<Stage, int> count;
  for (const Cell& cell : cells_) {
    ++count[cell.state.stage];
    std::string note = stage_name(cell.state.stage);
    if (cell.state.stage == Stage::kCutOff) note = fmt::format("at step {} of {}", cell.state.step, cell.expected.steps);
    if (cell.state.stage == Stage::kTrained) note += ", " + counted(std::ssize(cell.state.to_evaluate), "record") + " to make";
    if (const auto left = seconds_left(cell); left && *left > 0) note += ", " + duration_text(*left);
    text += fmt::format("{:<{}}  {}\n", cell.plan.name, width, note);
  }
  if (count.contains(Stage::kOutdated))
    text += wrapped("outdated: trained with other settings or data than now; --redo trains these runs again") + "\n";
  if (count.contains(Stage::kBusy)) text += "busy: another process trains in them\n";
  std::vector<std::string> parts;
  for (const auto& [stage, number] : count) parts.push_back(fmt::format("{} {}", number, stage_name(stage)));
  return text + wrapped(fmt::format("{}: {}; {} with {} at a time", counted(std::ssize(cells_), "run"),
                                    fmt::join(parts, ", "), time_left(), options_.jobs)) + "\n";
}

void Reproduction::say(const std::string& text) {
  if (options_.quiet) return;
  if (open_line_) fmt::print(stderr, "\r\x1b[K");
  open_line_ = false;
  fmt::print(stderr, "{}\n", text);
}

// One line about what runs now: rewritten in place on a terminal, now and then elsewhere.
void Reproduction::show(bool force) {
  if (options_.quiet) return;
  const bool terminal = is_terminal(STDERR_FILENO);
  if (!force && since(shown_) < (terminal ? 2.0 : 300.0)) return;
  shown_ = Clock::now();
  std::vector<std::string> parts;
  for (const Job& job : jobs_) {
    if (job.cell == nullptr) continue;
    parts.push_back(fmt::format("{} {}", job.cell->plan.name,
                                job.evaluation ? "evaluating"
                                               : fmt::format("{}/{}", last_step(job.cell->run), job.cell->expected.steps)));
  }
  const auto done = std::ranges::count_if(cells_, &Cell::done);
  const std::string line =
      fmt::format("{}/{} done, {} to go: {}", done, cells_.size(), time_left(), fmt::join(parts, ", "));
  if (!terminal) return say(line);
  fmt::print(stderr, "\r\x1b[K{}", utf8_prefix(line, static_cast<size_t>(terminal_width()) - 1));
  std::fflush(stderr);
  open_line_ = true;
}

void Reproduction::launch(Job& job, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), options_.program.string());
  std::map<std::string, std::string> environment;
  if (options_.jobs > 1) environment["OMP_NUM_THREADS"] = "1";
  job.started = Clock::now();
  // Training writes a checkpoint when it is asked to stop; an evaluation has nothing to save.
  const int signal = job.evaluation ? SIGKILL : SIGTERM;
  job.child = std::make_unique<Child>(ChildOptions{.arguments = std::move(arguments),
                                                   .environment = environment,
                                                   .log = log_of(job.cell->run),
                                                   .stop_signal = signal});
}

// Gives the job its next step: training if needed, then one evaluation after the other, then another cell.
void Reproduction::start_next(Job& job) {
  if (job.cell == nullptr) {
    for (Cell& cell : cells_) {
      const bool taken = std::ranges::any_of(jobs_, [&](const Job& other) { return other.cell == &cell; });
      if (cell.done || cell.failed || taken) continue;
      cell.state = inspect(cell);  // another `neo reproduce` may have been there since the plan was made
      cell.done = is_over(cell.state.stage);
      if (cell.done) continue;
      job.cell = &cell;
      break;
    }
    if (job.cell == nullptr) return;
    if (job.cell->state.stage == Stage::kWaiting && holds_run(job.cell->run)) move_aside(job.cell->run);
  }
  Cell& cell = *job.cell;
  if (cell.state.stage == Stage::kWaiting || cell.state.stage == Stage::kCutOff) {
    std::vector<std::string> arguments{"train"};
    const auto train = cell.plan.train_arguments();
    arguments.insert(arguments.end(), train.begin(), train.end());
    arguments.insert(arguments.end(), {"--out", cell.run.string()});
    if (cell.state.stage == Stage::kCutOff) arguments.push_back("--resume");
    say(fmt::format("{}: {}", cell.plan.name, cell.state.stage == Stage::kCutOff ? "resuming" : "training"));
    job.evaluation.reset();
    return launch(job, std::move(arguments));
  }
  if (!cell.state.to_evaluate.empty()) {
    job.evaluation = cell.state.to_evaluate.front();
    std::vector<std::string> arguments{"eval", cell.run.string()};
    arguments.insert(arguments.end(), job.evaluation->arguments.begin(), job.evaluation->arguments.end());
    arguments.insert(arguments.end(), {"--out", evaluation_of(cell.run, *job.evaluation).string()});
    say(fmt::format("{}: evaluating", job.evaluation->name));
    return launch(job, std::move(arguments));
  }
  cell.state.stage = Stage::kFinished;
  cell.done = true;
  expected_.clear();  // there is more to estimate from
  say(fmt::format("{}: done", cell.plan.name));
  job = {};
  start_next(job);
}

void Reproduction::store_record(Job& job) {
  const Cell& cell = *job.cell;
  const fs::path made = evaluation_of(cell.run, *job.evaluation);
  write_file_atomically(record_path(options_.results, cell.plan, *job.evaluation),
                        finished_record(json::parse(read_file(made)), cell.plan, *job.evaluation, cell.run,
                                        cell.expected, since(job.started)));
  fs::remove(made);
}

// Of NEO's runs of a benchmark and alpha the best on ID, which is selection data; of equals the first seed.
void Reproduction::ship() const {
  struct Best {
    const Cell* cell = nullptr;
    double score = 0;
  };
  std::map<std::string, Best> best;
  for (const Cell& cell : cells_) {
    if (cell.plan.method != "neo" || !cell.plan.ablation.empty() || cell.state.stage != Stage::kFinished)
      continue;
    const auto benchmark =
        std::ranges::find_if(cell.plan.evaluations, [](const auto& e) { return e.purpose.empty(); });
    const Record record = read_record(record_path(options_.results, cell.plan, *benchmark));
    const RecordRow* row = headline_row(record, "id", "neo");
    if (!row || !row->transfer) continue;
    const double score = less_is_better(record.kind) ? -*row->transfer : *row->transfer;
    Best& so_far = best[fmt::format("{}-alpha{:.2f}.safetensors", cell.plan.benchmark, cell.plan.alpha)];
    if (!so_far.cell || score > so_far.score) so_far = {&cell, score};
  }
  for (const auto& [name, chosen] : best)
    write_file_atomically(options_.weights / name, read_file(chosen.cell->run / "best.safetensors"));
}

void Reproduction::fail_cell(Job& job, int exit_code) {
  job.cell->failed = true;
  ++failed_;
  say(fmt::format("{}: failed with exit code {}: {} (log: {})", job.cell->plan.name, exit_code,
                  last_line(log_of(job.cell->run)), log_of(job.cell->run).string()));
  job = {};
}

void Reproduction::finish_step(Job& job, int exit_code) {
  job.child.reset();
  if (exit_code != 0) return fail_cell(job, exit_code);
  CellState& state = job.cell->state;
  if (job.evaluation) {
    store_record(job);
    state.to_evaluate.erase(state.to_evaluate.begin());
  } else {
    state.stage = Stage::kTrained;
  }
}

void Reproduction::stop_children() {
  for (Job& job : jobs_) {
    if (job.child) job.child->stop();
  }
  for (Job& job : jobs_) {
    if (job.child) job.child->wait(kGrace);
  }
}

int Reproduction::run() {
  for (Cell& cell : cells_) cell.done = is_over(cell.state.stage);
  jobs_.clear();
  jobs_.resize(static_cast<size_t>(options_.jobs));
  while (true) {
    bool active = false;
    for (Job& job : jobs_) {
      if (job.child) {
        if (const auto code = job.child->poll()) finish_step(job, *code);
      }
      if (!job.child && !interrupted()) start_next(job);
      active = active || job.child != nullptr;
    }
    if (interrupted()) {
      say("stopping: the runs write their checkpoints");
      stop_children();
      throw Error("interrupted; the same command resumes from here", 130);
    }
    if (!active) break;
    show(false);
    usleep(100000);
  }
  if (open_line_) say("");
  if (!options_.weights.empty()) ship();
  return failed_;
}

}  // namespace neo

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/import_options.h"
#include "eval/options.h"
#include "explain/options.h"
#include "neo/options.h"
#include "report/reproduction.h"
#include "report/sweep.h"
#include "serve/options.h"

// The options of the commands that need tensors. No torch: the front reads them too, to answer --help and mistakes.
namespace neo {

struct LearnCommand : LearnOptions {
  ImportFlags import_flags;
  bool json = false;
};

struct PretrainCommand : PretrainingOptions {
  bool json = false;
};

struct TrainCommand : TrainingOptions {
  bool watch = false;
};

struct WatchCommand {
  std::filesystem::path run;
  bool once = false;
};

struct EvalCommand : EvaluationOptions {
  std::filesystem::path predictions;  // of another model, to be scored instead of a theory
  std::filesystem::path programs_file;
  std::filesystem::path out;
  bool full = false;
  bool json = false;
};

// Where drawings go instead of the terminal; empty: nowhere.
struct PictureFiles {
  std::filesystem::path png, svg;
  bool wanted() const { return !png.empty() || !svg.empty(); }
};

struct ExplainCommand {
  std::filesystem::path model;
  std::string pair;  // FILE:N or FILE:N,N,...
  std::string x, y;  // the user's own observations
  std::vector<std::string> queries;
  int64_t count = 1;
  std::optional<std::string> search;  // these where given, else the theory's policy
  std::optional<int64_t> steps, width, draws;
  std::optional<double> temperature, lambda, tolerance;
  std::string overrides;
  ExplainOptions options;
  PictureFiles pictures;
  std::filesystem::path programs_file;
  bool json = false;
};

struct TransferCommand {
  std::filesystem::path model;
  std::string program;
  std::vector<std::string> x, y;
  std::string pair;
  int64_t count = 1;
  PictureFiles pictures;
  bool json = false;
};

struct InspectCommand {
  std::filesystem::path model, data;
  InspectionOptions options{.examples = 2};
  PictureFiles pictures;
  bool json = false;
};

struct CardCommand : CardOptions {
  bool json = false;
};

struct BenchCommand : TimingOptions {
  int threads = 2;
  bool peak = false, grow = false;
  bool json = false;
};

struct ServeCommand {
  std::vector<std::filesystem::path> models;
  ServerOptions server;
  std::filesystem::path token_file;
  bool open = false;
  bool json = false;
  double train_minutes = 10;    // most of a training that a page begins; 0: none
  bool allow_training = false;  // also beyond this machine
};

struct ReproduceCommand {
  std::string benchmark;
  PlanRequest plan;
  ReproductionOptions run;
  int64_t episodes = 0, draws = 0;
  bool dry_run = false, json = false;
};

struct SweepCommand {
  SweepRequest request;
  std::filesystem::path out = "runs/sweep";
  int jobs = 1;
  bool resume = false, json = false;
};

struct SignatureCommand {
  std::filesystem::path check;
  bool json = false;
};

using EngineCommand = std::variant<LearnCommand, PretrainCommand, TrainCommand, WatchCommand, EvalCommand, ExplainCommand, TransferCommand,
                                   InspectCommand, CardCommand, BenchCommand, ServeCommand, ReproduceCommand, SweepCommand,
                                   SignatureCommand>;
// What is done with a command once it was read: the front starts the engine, the engine executes it.
using Act = std::function<void(const EngineCommand&)>;

}  // namespace neo

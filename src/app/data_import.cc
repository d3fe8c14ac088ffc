#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/import_options.h"
#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

// "2" or "1-3".
void parse_lags(const std::string& text, ImportOptions& options) {
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, options.least_lag);
  options.most_lag = options.least_lag;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
    read = std::from_chars(read.ptr + 1, end, options.most_lag);
  if (read.ec != std::errc() || read.ptr != end)
    fail_usage("--lags '{}' must be a number or a range like 1-3", printable(text));
}

struct ImportCommand {
  ImportFlags flags;
  std::vector<std::filesystem::path> sources;
  std::filesystem::path out;
  uint64_t seed = 42;
  bool json = false;
};

void run_import(const ImportCommand& command) {
  ImportOptions options = command.flags.resolved();
  options.sources = command.sources;
  options.out = command.out;
  options.seed = command.seed;
  const ImportReport report = import_pairs(options);
  if (command.json)
    fmt::print("{}\n", report.json().dump(2));
  else
    fmt::print("{}\n", report.paragraph());
}

}  // namespace

ImportOptions ImportFlags::resolved() const {
  ImportOptions result = options;
  if (!as.empty()) result.as = layout_named(as);
  parse_lags(lags, result);
  return result;
}

void add_import_flags(CLI::App& command, ImportFlags& flags) {
  ImportOptions& options = flags.options;
  command.add_option("--as", flags.as,
                     "What observations are: grid, sequence, number, image or vector (default: inferred)");
  command.add_option("--values", options.values,
                     "Number of values of a cell or token, or the base of numbers (default: as many as occur)")
      ->check(CLI::Range(2, 1024));
  command.add_option("--lags", flags.lags, "Steps between the two observations of a trajectory's pair")
      ->capture_default_str();
  command.add_option("--group", options.group,
                     "Column or key that names groups of pairs that share a program (default: group)");
  command.add_option("--field", options.field, "Which observations, if a file has several");
  command.add_option("--hold-out", options.hold_out,
                     "Share to evaluate on: whole trajectories, groups, files, or single pairs")
      ->capture_default_str();
}

void setup_import(CLI::App& data) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* import = data.add_subcommand("import", "Turn your own pairs or recordings into a file to learn from");
  import
      ->add_option("sources", command->sources,
                   "Files (.npz, two .npy, .json, .jsonl, .csv, .h5, .hdf5), or folders of them or of pictures")
      ->required();
  import->add_option("--out", command->out, "The .h5 file to write")->required();
  add_import_flags(*import, command->flags);
  import->add_option("--seed", command->seed, "Seed of the lags and of the choice of held-out pairs")
      ->check(is_seed())
      ->capture_default_str();
  import->add_flag("--json", command->json, "Print the report as JSON");
  import->footer(
      "Examples:\n  neo data import pairs.jsonl --out pairs.h5\n"
      "  neo data import x.npy y.npy --as image --out images.h5\n"
      "  neo data import recording/ --lags 1-4 --out recording.h5");
  import->callback([command] { run_import(*command); });
}

}  // namespace neo

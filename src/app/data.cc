#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.h"
#include "app/help_text.h"
#include "benchmark/split_files.h"
#include "core/error.h"
#include "core/files.h"
#include "core/progress.h"
#include "core/terminal.h"
#include "core/text.h"
#include "data/groups.h"
#include "view/panels.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr int64_t kBlock = 4096;      // pairs read at a time
constexpr size_t kLongestShown = 400;  // characters of a name or a program

// What files say about themselves, and their names, may hold anything.
std::string shown(const fs::path& path) { return printable(path.string(), kLongestShown); }
void print_wrapped(const std::string& text) { fmt::print("{}\n", wrapped(text)); }

nlohmann::json info_json(PairReader& reader) {
  const PairFileInfo& info = reader.info();
  std::vector<int64_t> counts(info.programs.size(), 0);
  for (Part part : {Part::main, Part::held_out}) {
    for (int32_t program : reader.labels(part).program)
      if (program >= 0) ++counts[static_cast<size_t>(program)];
  }
  nlohmann::json programs = nlohmann::json::array();
  for (size_t i = 0; i < counts.size(); ++i)
    programs.push_back({{"program", info.programs[i]}, {"pairs", counts[i]}});
  return {{"space", to_json(info.space)}, {"split", info.split},       {"source", info.source},
          {"benchmark", info.benchmark},  {"alpha", info.alpha},       {"pairs", info.pairs},
          {"held_out", info.held_out},    {"grouped", info.grouped},   {"digest", info.digest},
          {"programs", programs}};
}

// ---------------------------------------------------------------- make

struct MakeCommand {
  std::string benchmark;
  DataRequest request;
  fs::path out;
  std::string sampling = "exact";
  bool json = false;
};

void run_make(MakeCommand command) {
  const Benchmark& benchmark = benchmark_named(command.benchmark);
  command.request.fast_sampling = command.sampling == "fast";
  if (command.out.empty()) command.out = data_folder(benchmark, command.request);
  nlohmann::json made = nlohmann::json::array();
  make_splits(benchmark, command.request, command.out, [&](const MadeSplit& split) {
    made.push_back({{"path", split.path.string()},
                    {"split", split.info.split},
                    {"episodes", split.info.pairs / 2},
                    {"programs", split.info.programs.size()},
                    {"digest", split.golden}});
    if (command.json) return;
    fmt::print("{:<32} {:>8} episodes  {:>3} programs  {}\n", split.path.string(), split.info.pairs / 2,
               split.info.programs.size(), split.golden.substr(0, 16));
  });
  if (command.json) fmt::print("{}\n", made.dump(2));
}

void setup_make(CLI::App& data) {
  auto command = std::make_shared<MakeCommand>();
  CLI::App* make = data.add_subcommand("make", "Make a benchmark's episodes, bit for bit");
  make->add_option("benchmark", command->benchmark, benchmark_list())->required();
  make->add_option("--alpha", command->request.alpha,
                   "Share of the short programs that is trained on, 0 to 1")
      ->capture_default_str();
  make->add_option("--profile", command->request.profile, "otib (train, id, comp), length, or pretraining")
      ->capture_default_str();
  make->add_option("--out", command->out, "Folder for the .h5 files (default: data/<benchmark>-alpha<A>)");
  make->add_option(
      "--episodes", command->request.episodes,
      "Only the first N episodes of each split (images: N per program); 0 = the paper's number");
  make->add_option("--sampling", command->sampling,
                   "Images: exact (the benchmark's draws) or fast (own draws, all cores)")
      ->check(CLI::IsMember({"exact", "fast"}))
      ->capture_default_str();
  make->add_option("--seed", command->request.seed, "Seed of fast sampling")->check(is_seed())->capture_default_str();
  make->add_option("--pictures", command->request.pictures, "Folder of the photographs, where they are needed")
      ->capture_default_str();
  make->add_flag("--json", command->json, "Print what was made as JSON");
  make->footer("Examples:\n  neo data make " + some_benchmark() + " --alpha 0.33\n  neo data make " +
               some_benchmark() + " --profile length");
  make->callback([command] { run_make(*command); });
}

// ---------------------------------------------------------------- verify, digest

// Reading compares the content with its digest; every episode of a benchmark must be what its program does.
void verify_file(const fs::path& path) {
  PairReader reader(path);
  const PairFileInfo& info = reader.info();
  const Benchmark* benchmark = benchmark_of(info);
  if (!benchmark) {
    for (const Part part : {Part::main, Part::held_out}) reader.labels(part);
    print_wrapped(fmt::format("{}: {} of {}, {} held out, digest {}", shown(path), counted(info.pairs, "pair"),
                              printable(info.source, kLongestShown), info.held_out, info.digest));
    return;
  }
  Progress bar("verifying " + path.filename().string(), info.pairs / 2);
  int64_t index = 0;
  for_each_episode(*benchmark, reader, [&](const Episode& episode) {
    const auto explains = [&](const Observation& x, const Observation& y) {
      return episode.program.empty() || benchmark->run(episode.program, x) == y;
    };
    if (!explains(episode.support_x, episode.support_y) || !explains(episode.query_x, episode.query_y)) {
      fail("{}: episode {} is not what its program '{}' does; make the file again", path.string(), index,
           benchmark->program_text(episode.program));
    }
    ++index;
    bar.advance(1);
  });
  bar.finish();
  print_wrapped(fmt::format("{}: {} {} episodes of {}, all as their programs say, digest {}", shown(path),
                            info.pairs / 2, printable(info.split), benchmark->name(),
                            golden_digest(*benchmark, reader)));
}

void run_verify(const std::vector<fs::path>& paths) {
  std::set<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.insert(path);
      continue;
    }
    const size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".h5") files.insert(entry.path());
    }
    if (files.size() == before) fail("{} holds no .h5 files; make some with `neo data make`", path.string());
  }
  for (const fs::path& file : files) verify_file(file);
}

// For a benchmark's files as the official release's content is hashed, for others over the pairs.
void print_digest(const fs::path& file) {
  PairReader reader(file);
  const Benchmark* benchmark = benchmark_of(reader.info());
  fmt::print("{}\n", benchmark ? golden_digest(*benchmark, reader) : reader.content_digest());
}

// ---------------------------------------------------------------- show, info

struct ShowCommand {
  fs::path file, png;
  int64_t start = 0;
  int64_t count = 0;
  bool held_out = false;
};

// Pairs of a file with their numbers; those of an episode follow each other.
std::vector<std::pair<int64_t, Pair>> shown_pairs(PairReader& reader, Part part, const ShowCommand& command) {
  const auto episodes = episode_rows(reader.labels(part).group);
  const auto total = static_cast<int64_t>(episodes.size());
  const int64_t wanted = command.count > 0 ? command.count : (command.png.empty() ? 3 : 12);
  if (command.start < 0 || command.start >= total)
    fail_usage("--start {} is outside the {} {}", command.start, total, reader.info().grouped ? "episodes" : "pairs");
  std::vector<std::pair<int64_t, Pair>> pairs;
  for (int64_t i = command.start; i < std::min(command.start + wanted, total); ++i) {
    const EpisodeRows& rows = episodes[static_cast<size_t>(i)];
    pairs.emplace_back(rows.support, reader.pair(part, rows.support));
    if (rows.query) pairs.emplace_back(*rows.query, reader.pair(part, *rows.query));
  }
  return pairs;
}

void run_show(const ShowCommand& command) {
  PairReader reader(command.file);
  const Part part = command.held_out || reader.count(Part::main) == 0 ? Part::held_out : Part::main;
  if (reader.count(part) == 0) fail_usage("{} holds out no pairs; leave out --held-out", command.file.string());
  const auto pairs = shown_pairs(reader, part, command);
  const auto view = make_view(reader.info().space);
  if (!command.png.empty()) {
    std::vector<Pair> plain;
    for (const auto& [number, pair] : pairs) plain.push_back(pair);
    contact_sheet(*view, plain).write_png(command.png);
    if (!is_standard_output(command.png)) fmt::print("wrote {}\n", shown(command.png));
    return;
  }
  for (const auto& [number, pair] : pairs) {
    const std::string group = pair.group >= 0 ? fmt::format(", group {}", pair.group) : "";
    const std::string program = pair.program.empty() ? "" : ": " + printable(pair.program, kLongestShown);
    fmt::print("{}pair {}{}{}\n{}\n", part == Part::held_out ? "held-out " : "", number, group, program,
               terminal_row(*view, {pair.x, pair.y}, wants_colour()));
  }
}

void run_info(const fs::path& file, bool json) {
  PairReader reader(file);
  const auto info = info_json(reader);
  if (json) {
    fmt::print("{}\n", info.dump(2));
    return;
  }
  const PairFileInfo& i = reader.info();
  fmt::print("{}\n  space     {}\n  source    {}\n", shown(file), describe(i.space),
             printable(i.source, kLongestShown));
  if (!i.benchmark.empty())
    fmt::print("  benchmark {}, split {}, alpha {:.2f}\n", printable(i.benchmark), printable(i.split), i.alpha);
  fmt::print("  pairs     {}{}\n  held out  {}\n  digest    {}\n  programs  {}\n", i.pairs,
             i.grouped ? ", in groups that share a program" : "", i.held_out, printable(i.digest), i.programs.size());
  for (const auto& program : info["programs"])
    fmt::print("  {:>8}  {}\n", program["pairs"].get<int64_t>(),
               printable(program["program"].get<std::string>(), kLongestShown));
}

void setup_readers(CLI::App& data) {
  auto paths = std::make_shared<std::vector<fs::path>>();
  CLI::App* verify = data.add_subcommand("verify", "Check files: digest, values, and every program's effect");
  verify->add_option("paths", *paths, "Pair files or folders of them")->required();
  verify->footer("Example:\n  neo data verify data/");
  verify->callback([paths] { run_verify(*paths); });

  auto file = std::make_shared<fs::path>();
  CLI::App* digest = data.add_subcommand("digest", "Print the SHA-256 of the pairs");
  digest->add_option("file", *file, "A pair file")->required();
  digest->footer("Example:\n  neo data digest pairs.h5");
  digest->callback([file] { print_digest(*file); });

  auto command = std::make_shared<ShowCommand>();
  CLI::App* show = data.add_subcommand("show", "Draw pairs in the terminal or as a contact sheet");
  show->add_option("file", command->file, "A pair file")->required();
  show->add_option("--png", command->png, "Write a contact sheet instead");
  show->add_option("--start", command->start, "First pair, or episode where pairs come in groups")->capture_default_str();
  show->add_option("--count", command->count, "How many (default: 3 in the terminal, 12 on a sheet)")
      ->check(CLI::Range(1, 1000));
  show->add_flag("--held-out", command->held_out, "Those that were held out, as `neo explain --pair` numbers them");
  show->footer("Example:\n  neo data show pairs.h5 --png sheet.png");
  show->callback([command] { run_show(*command); });

  auto json = std::make_shared<bool>(false);
  CLI::App* info = data.add_subcommand("info", "What a file holds: space, counts, groups and programs");
  info->add_option("file", *file, "A pair file")->required();
  info->add_flag("--json", *json, "As JSON");
  info->footer("Example:\n  neo data info pairs.h5 --json");
  info->callback([file, json] { run_info(*file, *json); });
}

struct FetchCommand {
  std::string name;
  fs::path out;
};

void setup_fetch(CLI::App& data) {
  auto command = std::make_shared<FetchCommand>();
  CLI::App* fetch = data.add_subcommand("fetch", "Fetch what a benchmark needs from the network, and check it");
  fetch->add_option("name", command->name, fmt::format("{}", fmt::join(fetchable_names(), ", ")))
      ->required()
      ->check(CLI::IsMember(fetchable_names()));
  fetch->add_option("--out", command->out, "Folder (default: data/<name>)");
  fetch->footer("Example:\n  neo data fetch " + fetchable_names().front());
  fetch->callback([command] { fmt::print("{}\n", fetch_data(command->name, command->out)); });
}

}  // namespace

void setup_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Import your own pairs; make, check and look at pair files");
  data->require_subcommand(1);
  data->footer("Examples:\n  neo data import pairs.jsonl --out pairs.h5\n  neo data make " + some_benchmark() +
               " --alpha 0.33");
  setup_import(*data);
  setup_make(*data);
  setup_readers(*data);
  setup_fetch(*data);
}

}  // namespace neo

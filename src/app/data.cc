#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.h"
#include "app/make_data.h"
#include "core/error.h"
#include "core/progress.h"
#include "core/terminal.h"
#include "worlds/draw.h"
#include "worlds/episode_digest.h"
#include "worlds/generate.h"
#include "worlds/imaging/cifar.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
constexpr int64_t kBlock = 1024;  // episodes read at a time

// Calls visit(episode) for every episode of the file, in order, reading a block at a time.
template <typename Visit>
void for_each_episode(EpisodeReader& reader, Visit&& visit) {
  const auto size = static_cast<size_t>(reader.world().size());
  for (int64_t begin = 0; begin < reader.info().episodes; begin += kBlock) {
    const int64_t count = std::min(kBlock, reader.info().episodes - begin);
    const auto bytes = reader.observations(begin, count);
    const auto programs = reader.program_indices(begin, count);
    for (int64_t i = 0; i < count; ++i) {
      const auto part = [&](size_t k) {
        const auto start =
            bytes.begin() + static_cast<std::ptrdiff_t>((static_cast<size_t>(i) * 4 + k) * size);
        return Observation(start, start + static_cast<std::ptrdiff_t>(size));
      };
      visit(Episode{part(0), part(1), part(2), part(3),
                    reader.info().programs[static_cast<size_t>(programs[static_cast<size_t>(i)])]});
    }
  }
}

std::string digest_of(EpisodeReader& reader) {
  EpisodeDigest digest(reader.world());
  for_each_episode(reader, [&](const Episode& episode) { digest.add(episode); });
  return digest.finish_hex();
}

nlohmann::json info_json(EpisodeReader& reader) {
  const EpisodeFileInfo& info = reader.info();
  std::vector<int64_t> counts(info.programs.size(), 0);
  for (int32_t program : reader.program_indices(0, info.episodes)) ++counts[static_cast<size_t>(program)];
  nlohmann::json programs = nlohmann::json::array();
  for (size_t i = 0; i < counts.size(); ++i) {
    programs.push_back({{"program", reader.world().program_text(info.programs[i])},
                        {"length", info.programs[i].size()},
                        {"episodes", counts[i]}});
  }
  return {{"world", info.world},       {"alpha", info.alpha},         {"split", info.split},
          {"episodes", info.episodes}, {"generator", info.generator}, {"digest", info.digest},
          {"programs", programs}};
}

// ---------------------------------------------------------------- make

struct MakeOptions {
  DataRequest request;
  fs::path out;
  std::string sampling = "exact";
  bool json = false;
};

void run_make(MakeOptions options) {
  options.request.fast_sampling = options.sampling == "fast";
  if (options.out.empty()) options.out = data_folder(options.request);
  nlohmann::json made = nlohmann::json::array();
  make_data(options.request, options.out, [&](const fs::path& path, const EpisodeFileInfo& info) {
    made.push_back({{"path", path.string()},
                    {"split", info.split},
                    {"episodes", info.episodes},
                    {"programs", info.programs.size()},
                    {"digest", info.digest}});
    if (options.json) return;
    fmt::print("{:<32} {:>8} episodes  {:>3} programs  {}\n", path.string(), info.episodes,
               info.programs.size(), info.digest.substr(0, 16));
  });
  if (options.json) fmt::print("{}\n", made.dump(2));
}

void setup_make(CLI::App& data) {
  auto options = std::make_shared<MakeOptions>();
  CLI::App* make = data.add_subcommand("make", "Make the benchmark's episodes, bit for bit");
  make->add_option("world", options->request.world, "gridworld, arithmetic or imaging")->required();
  make->add_option("--alpha", options->request.alpha,
                   "Share of the short programs that is trained on, 0 to 1")
      ->capture_default_str();
  make->add_option("--profile", options->request.profile, "otib (train, id, comp), length, or pretraining")
      ->capture_default_str();
  make->add_option("--out", options->out, "Folder for the .h5 files (default: data/<world>-alpha<A>)");
  make->add_option(
      "--episodes", options->request.episodes,
      "Only the first N episodes of each split (imaging: N per program); 0 = the paper's number");
  make->add_option("--sampling", options->sampling,
                   "Imaging: exact (the benchmark's draws) or fast (own draws, all cores)")
      ->check(CLI::IsMember({"exact", "fast"}))
      ->capture_default_str();
  make->add_option("--seed", options->request.seed, "Seed of fast sampling")->capture_default_str();
  make->add_option("--cifar", options->request.cifar, "Folder of the CIFAR-10 batches")
      ->default_val("data/cifar10");
  make->add_flag("--json", options->json, "Print what was made as JSON");
  make->footer(
      "Example:\n  neo data make gridworld --alpha 0.33\n"
      "  neo data make arithmetic --profile length");
  make->callback([options] { run_make(*options); });
}

// ---------------------------------------------------------------- verify

// Every episode's two phenomena must be what its program does; the content must have the stored digest.
void verify_file(const fs::path& path) {
  EpisodeReader reader(path);
  Progress bar("verifying " + path.filename().string(), reader.info().episodes);
  EpisodeDigest digest(reader.world());
  int64_t index = 0;
  for_each_episode(reader, [&](const Episode& episode) {
    digest.add(episode);
    const auto explains = [&](const Observation& x, const Observation& y) {
      return episode.program.empty() || reader.world().run(episode.program, x) == y;
    };
    if (!explains(episode.support_x, episode.support_y) || !explains(episode.query_x, episode.query_y)) {
      fail("{}: episode {} is not what its program '{}' does; make the file again", path.string(), index,
           reader.world().program_text(episode.program));
    }
    ++index;
    bar.advance(1);
  });
  bar.finish();
  const std::string found = digest.finish_hex();
  if (!reader.info().digest.empty() && reader.info().digest != found) {
    fail("{}: its content does not have the digest it claims; make the file again", path.string());
  }
  fmt::print("{}: {} {} episodes of {}, all as their programs say, digest {}\n", path.string(),
             reader.info().episodes, reader.info().split, reader.info().world, found);
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

// ---------------------------------------------------------------- show, info

struct ShowOptions {
  fs::path file, png;
  int64_t start = 0;
  int64_t count = 0;
};

void run_show(const ShowOptions& options) {
  EpisodeReader reader(options.file);
  const int64_t wanted = options.count > 0 ? options.count : (options.png.empty() ? 3 : 12);
  if (options.start < 0 || options.start >= reader.info().episodes) {
    fail_usage("--start {} is outside the file's {} episodes", options.start, reader.info().episodes);
  }
  std::vector<Episode> episodes;
  for (int64_t i = options.start; i < std::min(options.start + wanted, reader.info().episodes); ++i) {
    episodes.push_back(reader.episode(i));
  }
  if (!options.png.empty()) {
    contact_sheet(reader.world(), episodes).write_png(options.png);
    fmt::print("wrote {}\n", options.png.string());
    return;
  }
  const bool colour = wants_colour();
  for (size_t i = 0; i < episodes.size(); ++i) {
    const Episode& episode = episodes[i];
    fmt::print("episode {}: {}\nsupport x → y\n{}query x → y\n{}\n", options.start + static_cast<int64_t>(i),
               reader.world().program_text(episode.program),
               terminal_row(reader.world(), {episode.support_x, episode.support_y}, colour),
               terminal_row(reader.world(), {episode.query_x, episode.query_y}, colour));
  }
}

void run_info(const fs::path& file, bool json) {
  EpisodeReader reader(file);
  const auto info = info_json(reader);
  if (json) {
    fmt::print("{}\n", info.dump(2));
    return;
  }
  fmt::print(
      "{}\n  world     {}\n  split     {}\n  alpha     {:.2f}\n  episodes  {}\n  digest    {}\n  programs  "
      "{}\n",
      file.string(), reader.info().world, reader.info().split, reader.info().alpha, reader.info().episodes,
      reader.info().digest, reader.info().programs.size());
  for (const auto& program : info["programs"]) {
    fmt::print("  {:>8}  {}\n", program["episodes"].get<int64_t>(), program["program"].get<std::string>());
  }
}

void setup_readers(CLI::App& data) {
  auto paths = std::make_shared<std::vector<fs::path>>();
  CLI::App* verify = data.add_subcommand("verify", "Check files: digest, values, and every program's effect");
  verify->add_option("paths", *paths, "Episode files or folders of them")->required();
  verify->footer("Example:\n  neo data verify data/gridworld-alpha0.33");
  verify->callback([paths] { run_verify(*paths); });

  auto file = std::make_shared<fs::path>();
  CLI::App* digest = data.add_subcommand("digest", "Print the SHA-256 of the episodes");
  digest->add_option("file", *file, "An episode file")->required();
  digest->footer("Example:\n  neo data digest data/gridworld-alpha0.33/train.h5");
  digest->callback([file] {
    EpisodeReader reader(*file);
    fmt::print("{}\n", digest_of(reader));
  });

  auto show_options = std::make_shared<ShowOptions>();
  CLI::App* show = data.add_subcommand("show", "Draw episodes in the terminal or as a contact sheet");
  show->add_option("file", show_options->file, "An episode file")->required();
  show->add_option("--png", show_options->png, "Write a contact sheet instead");
  show->add_option("--start", show_options->start, "First episode")->capture_default_str();
  show->add_option("--count", show_options->count, "How many (default: 3 in the terminal, 12 on a sheet)")
      ->check(CLI::Range(1, 1000));
  show->footer("Example:\n  neo data show data/gridworld-alpha0.33/id.h5 --png sheet.png");
  show->callback([show_options] { run_show(*show_options); });

  auto json = std::make_shared<bool>(false);
  CLI::App* info = data.add_subcommand("info", "World, split, counts and programs of a file");
  info->add_option("file", *file, "An episode file")->required();
  info->add_flag("--json", *json, "As JSON");
  info->footer("Example:\n  neo data info data/gridworld-alpha0.33/train.h5 --json");
  info->callback([file, json] { run_info(*file, *json); });
}

struct FetchOptions {
  std::string name;
  fs::path out = "data/cifar10";
};

void setup_fetch(CLI::App& data) {
  auto options = std::make_shared<FetchOptions>();
  CLI::App* fetch = data.add_subcommand("fetch", "Fetch CIFAR-10 and check its digests");
  fetch->add_option("name", options->name, "cifar10")->required()->check(CLI::IsMember({"cifar10"}));
  fetch->add_option("--out", options->out, "Folder for the six .bin files")->capture_default_str();
  fetch->footer("Example:\n  neo data fetch cifar10 --out data/cifar10");
  fetch->callback([options] { fmt::print("{}\n", fetch_cifar10(options->out)); });
}

}  // namespace

void setup_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Make, check and look at the benchmark's data");
  data->require_subcommand(1);
  data->footer("Example:\n  neo data make gridworld --alpha 0.33");
  setup_make(*data);
  setup_readers(*data);
  setup_fetch(*data);
}

}  // namespace neo

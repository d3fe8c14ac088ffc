#include "benchmark/split_files.h"

#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/progress.h"
#include "core/version.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

// One split on its way into a file.
class SplitWriter {
 public:
  SplitWriter(const Benchmark& benchmark, fs::path path, const std::string& split, double alpha,
              int64_t expected)
      : benchmark_(benchmark),
        path_(std::move(path)),
        writer_(path_, {.space = benchmark.space(),
                        .split = split,
                        .source = fmt::format("{}, made by neo {}", benchmark.title(), version()),
                        .benchmark = std::string(benchmark.name()),
                        .alpha = alpha,
                        .grouped = true}),
        bar_("making " + split, expected) {}

  void add(const Episode& episode) {
    const auto [support, query] = pairs_of(benchmark_, episode, episodes_++);
    writer_.add(support);
    writer_.add(query);
    benchmark_.add_to_digest(episode, golden_);
    bar_.advance(1);
  }

  MadeSplit finish() {
    PairFileInfo info = writer_.finish();
    bar_.finish();
    return {path_, std::move(info), golden_.finish_hex()};
  }

 private:
  const Benchmark& benchmark_;
  fs::path path_;
  PairWriter writer_;
  Progress bar_;
  Sha256 golden_;
  int32_t episodes_ = 0;
};

bool knows_programs(const Benchmark& benchmark, const std::vector<std::string>& programs) {
  try {
    for (const std::string& program : programs) benchmark.parse_program(program);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Observation row(const std::vector<uint8_t>& bytes, int64_t index, int64_t size) {
  const auto begin = bytes.begin() + index * size;
  return {begin, begin + size};
}

}  // namespace

std::pair<Pair, Pair> pairs_of(const Benchmark& benchmark, const Episode& episode, int32_t group) {
  const std::string program = benchmark.program_text(episode.program);
  return {Pair{episode.support_x, episode.support_y, group, program},
          Pair{episode.query_x, episode.query_y, group, program}};
}

void make_splits(const Benchmark& benchmark, const DataRequest& request, const fs::path& folder,
                 const std::function<void(const MadeSplit&)>& finished) {
  std::unique_ptr<SplitWriter> writer;
  const auto finish = [&] {
    if (writer) finished(writer->finish());
    writer.reset();
  };
  benchmark.generate(request, [&](const std::string& split, int64_t expected) -> EpisodeSink {
    finish();
    writer = std::make_unique<SplitWriter>(benchmark, folder / (split + ".h5"), split, request.alpha,
                                           expected);
    return [&writer](const Episode& episode) { writer->add(episode); };
  });
  finish();
}

std::string profile_of(const std::string& split) {
  if (split == "length") return "length";
  if (split == "pretrain" || split == "pretrain-test") return "pretraining";
  return "otib";
}

fs::path data_folder(const Benchmark& benchmark, const DataRequest& request) {
  return fs::path("data") / (request.profile == "otib"
                                 ? fmt::format("{}-alpha{:.2f}", benchmark.name(), request.alpha)
                                 : fmt::format("{}-{}", benchmark.name(), request.profile));
}

fs::path split_path(const Benchmark& benchmark, double alpha, const std::string& split) {
  return data_folder(benchmark, {.alpha = alpha, .profile = profile_of(split)}) / (split + ".h5");
}

fs::path ensure_split(const Benchmark& benchmark, double alpha, const std::string& split) {
  fs::path path = split_path(benchmark, alpha, split);
  if (fs::exists(path)) return path;
  const DataRequest request{
      .alpha = alpha, .profile = profile_of(split), .episodes = benchmark.default_episodes(split)};
  make_splits(benchmark, request, path.parent_path(), [](const MadeSplit&) {});
  if (!fs::exists(path)) fail("{} at alpha {} has no split '{}'", benchmark.name(), alpha, split);
  return path;
}

std::vector<Episode> generate_split(const Benchmark& benchmark, const DataRequest& request,
                                    const std::string& wanted) {
  std::vector<Episode> episodes;
  benchmark.generate(request, [&](const std::string& split, int64_t) -> EpisodeSink {
    if (split != wanted) return {};
    return [&episodes](const Episode& episode) { episodes.push_back(episode); };
  });
  return episodes;
}

const Benchmark* benchmark_of(const PairFileInfo& info) {
  if (!info.benchmark.empty()) return find_benchmark(info.benchmark);
  if (info.split != "release") return nullptr;
  for (const Benchmark* benchmark : benchmarks()) {
    if (fits(info.space, benchmark->space()) && knows_programs(*benchmark, info.programs)) return benchmark;
  }
  return nullptr;
}

void for_each_episode(const Benchmark& benchmark, PairReader& reader,
                      const std::function<void(const Episode&)>& visit) {
  constexpr int64_t kBlock = 2048;  // pairs; even
  std::vector<Program> programs;
  for (const std::string& text : reader.info().programs) programs.push_back(benchmark.parse_program(text));
  const int64_t count = reader.count(Part::main), size = reader.info().space.bytes();
  if (count % 2 != 0) fail("a file of {} episodes holds an odd number of pairs, {}", benchmark.name(), count);
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const PairBlock block = reader.read(Part::main, begin, std::min(kBlock, count - begin));
    for (int64_t i = 0; i < block.count; i += 2) {
      const auto at = static_cast<size_t>(i);
      if (block.group[at] < 0 || block.group[at] != block.group[at + 1] ||
          block.program[at] != block.program[at + 1])
        fail("pairs {} and {} are no episode of {}: they do not share a group and a program", begin + i,
             begin + i + 1, benchmark.name());
      const int32_t program = block.program[at];
      visit({row(block.x, i, size), row(block.y, i, size), row(block.x, i + 1, size),
             row(block.y, i + 1, size), program < 0 ? Program{} : programs[static_cast<size_t>(program)]});
    }
  }
}

std::string golden_digest(const Benchmark& benchmark, PairReader& reader) {
  Sha256 hash;
  for_each_episode(benchmark, reader,
                   [&](const Episode& episode) { benchmark.add_to_digest(episode, hash); });
  return hash.finish_hex();
}

}  // namespace neo

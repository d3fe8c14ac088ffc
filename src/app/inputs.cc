#include "app/inputs.h"

#include <charconv>

#include "benchmark/split_files.h"
#include "core/error.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostPairs = 100;  // at once: they share one picture

struct PairRefs {
  fs::path file;
  std::vector<int64_t> indices;
};

PairRefs parse_refs(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, {0}};
  PairRefs refs{text.substr(0, colon), {}};
  const char* const end = text.data() + text.size();
  for (const char* at = text.data() + colon; at != end;) {  // at the colon, or at a comma
    const auto [rest, error] = std::from_chars(at + 1, end, refs.indices.emplace_back());
    if (error != std::errc() || (rest != end && *rest != ','))
      fail_usage("'{}' names no pair; write FILE:NUMBER or FILE:NUMBER,NUMBER, for example pairs.h5:7", text);
    at = rest;
  }
  return refs;
}

// Examples as they lie in the theory's file.
std::vector<NamedPair> kept_examples(const Theory& theory, int64_t count) {
  std::vector<NamedPair> pairs;
  const auto& examples = theory.info().examples;
  for (size_t i = 0; i < examples.size() && static_cast<int64_t>(pairs.size()) < count; ++i) {
    NamedPair named{fmt::format("example {}", i), examples[i], {}};
    if (i + 1 < examples.size() && examples[i].group >= 0 && examples[i].group == examples[i + 1].group)
      named.query = examples[++i];
    pairs.push_back(std::move(named));
  }
  if (pairs.empty()) fail_usage("give a pair with --x and --y, or --pair FILE:N");
  return pairs;
}

NamedPair pair_at(PairReader& reader, Part part, int64_t index) {
  // A group has two pairs in a benchmark's file: episode i is pairs 2i and 2i + 1.
  if (!reader.info().grouped) return {fmt::format("pair {}", index), reader.pair(part, index), {}};
  NamedPair named{fmt::format("episode {}", index), reader.pair(part, 2 * index), {}};
  if (2 * index + 1 < reader.count(part)) {
    Pair next = reader.pair(part, 2 * index + 1);
    if (next.group == named.pair.group) named.query = std::move(next);
  }
  return named;
}

}  // namespace

Observation given_observation(const View& view, const std::string& text) {
  std::string note;
  Observation observation = view.parse(text, &note);
  if (!note.empty()) fmt::print(stderr, "neo: {}\n", note);
  return observation;
}

std::vector<NamedPair> given_pairs(const std::string& text, int64_t count, const Theory& theory) {
  const Benchmark* benchmark = theory.benchmark();
  if (text.empty() && !benchmark) return kept_examples(theory, count);
  const PairRefs refs = text.empty() ? PairRefs{ensure_split(*benchmark, theory.info().alpha, "id"), {0}}
                                     : parse_refs(text);
  if (refs.indices.size() * static_cast<size_t>(count) > kMostPairs)
    fail_usage("more than {} pairs at once; ask for fewer", kMostPairs);
  PairReader reader(refs.file);
  if (!fits(reader.info().space, theory.space()))
    fail("the pairs of {} are each a {}, the theory is of a {}; choose matching ones", refs.file.string(),
         describe(reader.info().space), describe(theory.space()));
  const Part part = reader.count(Part::held_out) > 0 ? Part::held_out : Part::main;
  std::vector<NamedPair> pairs;
  for (int64_t first : refs.indices) {
    for (int64_t i = 0; i < count; ++i) pairs.push_back(pair_at(reader, part, first + i));
  }
  return pairs;
}

void PictureFiles::write(const View& view, const std::vector<PanelRow>& rows, bool quiet) const {
  if (!png.empty()) draw_panels(view, rows).write_png(png);
  if (!svg.empty()) draw_panels_svg(view, rows).write_svg(svg);
  if (quiet) return;
  for (const fs::path& path : {png, svg})
    if (!path.empty()) fmt::print("wrote {}\n", path.string());
}

}  // namespace neo

#include "neo/given_pairs.h"

#include <algorithm>
#include <charconv>

#include "benchmark/split_files.h"
#include "core/error.h"
#include "data/groups.h"

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
std::vector<GivenPair> kept_examples(const Theory& theory, int64_t count) {
  const auto& examples = theory.info().examples;
  std::vector<int32_t> group;
  for (const Pair& pair : examples) group.push_back(pair.group);
  std::vector<GivenPair> given;
  for (const EpisodeRows& rows : episode_rows(group)) {
    if (static_cast<int64_t>(given.size()) == count) break;
    const auto example = [&](int64_t row) { return examples[static_cast<size_t>(row)]; };
    given.push_back({fmt::format("example {}", given.size()), example(rows.support), {}, theory.policy()});
    if (rows.query) given.back().query = example(*rows.query);
  }
  if (given.empty()) fail_usage("give a pair with --x and --y, or --pair FILE:N");
  return given;
}

}  // namespace

std::vector<GivenPair> given_pairs(const std::string& text, int64_t count, const Theory& theory) {
  const Benchmark* benchmark = theory.benchmark();
  if (text.empty() && !benchmark) return kept_examples(theory, count);
  const PairRefs refs = text.empty() ? PairRefs{ensure_split(*benchmark, theory.info().alpha, "id"), {0}}
                                     : parse_refs(text);
  if (refs.indices.size() * static_cast<size_t>(count) > kMostPairs)
    fail_usage("more than {} pairs at once; ask for fewer", kMostPairs);
  PairReader reader(refs.file);
  const PairFileInfo& info = reader.info();
  if (!fits(info.space, theory.space()))
    fail("the pairs of {} are each a {}, the theory is of a {}; choose matching ones", refs.file.string(),
         describe(info.space), describe(theory.space()));
  const Part part = reader.count(Part::held_out) > 0 ? Part::held_out : Part::main;
  const Policy policy = theory.policy_for(info.benchmark, info.split);
  const auto rows = episode_rows(reader.labels(part).group);
  const char* const unit = info.grouped ? "episode" : "pair";
  std::vector<GivenPair> given;
  for (int64_t first : refs.indices) {
    for (int64_t i = first; i < first + count; ++i) {
      if (i < 0 || i >= static_cast<int64_t>(rows.size()))
        fail("{} has {}s 0 to {}{}, not {}", refs.file.string(), unit, static_cast<int64_t>(rows.size()) - 1,
             part == Part::held_out ? " held out" : "", i);
      const EpisodeRows& at = rows[static_cast<size_t>(i)];
      given.push_back({fmt::format("{}{} {}", part == Part::held_out ? "held-out " : "", unit, i),
                       reader.pair(part, at.support),
                       {},
                       policy});
      if (at.query) given.back().query = reader.pair(part, *at.query);
    }
  }
  return given;
}

Pairs inspected_pairs(const Theory& theory, const fs::path& data, const InspectionOptions& options) {
  const int64_t most = std::max({options.pairs, options.inputs, options.vocabulary_inputs});
  if (!data.empty()) return load_evaluation_pairs(data, most);
  if (const Benchmark* benchmark = theory.benchmark())
    return load_pairs(ensure_split(*benchmark, theory.info().alpha, "id"), Part::main, most);
  if (theory.info().examples.empty()) fail_usage("name pairs to try the codes on with --data FILE.h5");
  return to_pairs("examples", theory.space(), theory.info().examples);
}

}  // namespace neo

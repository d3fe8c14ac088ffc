#include "data/import.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/files.h"
#include "core/progress.h"
#include "core/text.h"
#include "data/hold_out.h"
#include "data/infer_space.h"
#include "data/open_source.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr int64_t kLongestLag = 256;
constexpr size_t kMostPrograms = 100'000;  // more are no vocabulary, and every file lists them
constexpr size_t kLongestProgram = 1024;
constexpr int64_t kFewPairs = 100, kFewGroups = 10;
constexpr double kMostlyUnchanged = 0.9;

void check_options(const ImportOptions& options) {
  if (options.out.empty()) fail_usage("name the file to write with --out");
  if (options.least_lag < 1 || options.most_lag < options.least_lag || options.most_lag > kLongestLag)
    fail_usage("--lags {}-{} must be between 1 and {}, the smaller first", options.least_lag,
               options.most_lag, kLongestLag);
  if (!(options.hold_out >= 0 && options.hold_out < 1))
    fail_usage("--hold-out {} must be from 0 to below 1", options.hold_out);
  if (options.values < 0 || options.values == 1 || options.values > 1024)
    fail_usage("--values {} must be from 2 to 1024", options.values);
  writable_target(options.out);
}

class Importer {
 public:
  explicit Importer(const ImportOptions& options)
      : options_(options),
        sources_(open_sources(
            options.sources,
            {options.group, options.field, {options.least_lag, options.most_lag, options.seed}})),
        hold_out_(options.hold_out, options.seed, sources_.size() > 1) {
    std::error_code ignored;
    for (const auto& source : sources_)
      for (const fs::path& file : source->files())
        if (fs::equivalent(file, options.out, ignored))
          fail_usage("{} cannot be source and --out at once; choose another --out", file.string());
  }

  ImportReport run() {
    report_.out = options_.out;
    for (const fs::path& path : options_.sources) report_.sources.push_back(printable(path.string(), 200));
    infer_space();
    hold_out_.choose();
    write();
    summarise();
    return report_;
  }

 private:
  // Every pair of every source; throws where the user interrupts.
  void for_each(const char* label, int64_t total, const PairVisitor& visitor) {
    Progress bar(label, total, progress_style(options_.is_quiet));
    for (size_t i = 0; i < sources_.size(); ++i) {
      sources_[i]->visit([&](RawPair& pair) {
        pair.source = static_cast<int64_t>(i);
        if ((++visited_ & 255) == 0) throw_if_interrupted();
        visitor(pair);
        bar.advance(1);
      });
    }
    bar.finish();
  }

  void infer_space() {
    SpaceInference inference({options_.as, options_.values});
    const auto known = known_space();
    for_each("reading", 0, [&](RawPair& pair) {
      if (!known) {
        inference.add(pair.x, "x");
        inference.add(pair.y, "y");
      }
      hold_out_.add(pair);
      record_names(pair);
      ++pairs_;
    });
    Remarks remarks;
    encoding_ = known ? Encoding{.space = *known, .is_exact = true} : inference.finish(remarks);
    report_.notes = std::move(remarks.notes);
    report_.warnings = std::move(remarks.warnings);
    for (const auto& source : sources_)
      for (std::string& note : source->notes()) add_once(report_.notes, std::move(note));
    if (programs_.size() > kMostPrograms)
      report_.notes.push_back(fmt::format("over {} different programs: they were left out", kMostPrograms));
  }

  static void add_once(std::vector<std::string>& lines, std::string line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }

  std::optional<Space> known_space() const {
    const auto first = sources_[0]->space();
    for (const auto& source : sources_) {
      if (source->space() == first) continue;
      fail("the sources hold different observations ({} and {}); import them one by one",
           first ? describe(*first) : "not yet known",
           source->space() ? describe(*source->space()) : "not yet known");
    }
    if (first && ((options_.as && *options_.as != first->layout) || options_.values > 0))
      fail_usage("{} says itself what its observations are ({}); leave out --as and --values",
                 options_.sources[0].string(), describe(*first));
    return first;
  }

  void record_names(const RawPair& pair) {
    if (!pair.group.empty()) {
      const auto next = static_cast<int32_t>(std::min<size_t>(groups_.size(), INT32_MAX));
      groups_.try_emplace(content_hash(pair.group, 0), next);
    }
    if (pair.program.size() > kLongestProgram || !is_utf8(pair.program))
      fail("{}: its program is no text of up to {} bytes", pair.x.at.text(), kLongestProgram);
    if (!pair.program.empty() && programs_.size() <= kMostPrograms)
      programs_.insert(content_hash(pair.program, 0));
  }

  Observation encode(const RawValue& value, const char* side) const {
    try {
      return encoding_.encode(value);
    } catch (const Error& error) {
      fail("{}: {}", place_of(value, side), error.what());
    }
  }

  void write() {
    PairFileInfo about{.space = encoding_.space, .source = source_text(), .grouped = !groups_.empty()};
    PairWriter writer(options_.out, about);
    int64_t written = 0, unchanged = 0;
    for_each("writing", pairs_, [&](RawPair& raw) {
      const Part part = hold_out_.contains(raw) ? Part::held_out : Part::main;
      Pair pair{encode(raw.x, "x"), encode(raw.y, "y")};
      if (!raw.group.empty()) pair.group = group_index(raw);
      if (programs_.size() <= kMostPrograms) pair.program = std::move(raw.program);
      unchanged += pair.x == pair.y;
      remember(pair, part);
      ++written;
      writer.add(pair, part);
    });
    if (written != pairs_) fail("the sources changed while they were read; run again");
    report_.info = writer.finish();
    report_.unchanged = static_cast<double>(unchanged) / static_cast<double>(written);
  }

  int32_t group_index(const RawPair& raw) const {
    const auto entry = groups_.find(content_hash(raw.group, 0));
    if (entry == groups_.end()) fail("{}: the file changed while it was read; run again", raw.x.at.text());
    return entry->second;
  }

  static uint64_t hash_of(const Observation& bytes, uint64_t seed) {
    return content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed);
  }

  // The last bit says which part a pair is in.
  void remember(const Pair& pair, Part part) {
    const uint64_t x = hash_of(pair.x, 0);
    if (contents_.empty()) first_x_ = x;
    is_x_constant_ &= x == first_x_;
    contents_.push_back((hash_of(pair.y, x) & ~uint64_t{1}) | (part == Part::held_out ? 1 : 0));
  }

  void count_duplicates() {
    std::sort(contents_.begin(), contents_.end());
    int64_t distinct = 0;
    for (size_t i = 0; i < contents_.size();) {
      size_t end = i, held = 0;
      for (; end < contents_.size() && contents_[end] >> 1 == contents_[i] >> 1; ++end)
        held += contents_[end] & 1;
      if (held > 0 && held < end - i) report_.shared += static_cast<int64_t>(held);
      ++distinct;
      i = end;
    }
    report_.duplicates = pairs_ - distinct;
  }

  std::string source_text() const {
    const auto& names = report_.sources;
    if (names.size() == 2) return fmt::format("{} and {}", names[0], names[1]);
    return names.size() == 1 ? names[0] : fmt::format("{} and {} more", names[0], names.size() - 1);
  }

  void summarise() {
    report_.unit = hold_out_.unit_name();
    report_.units = hold_out_.units();
    report_.held_units = hold_out_.held_units();
    report_.groups = static_cast<int64_t>(groups_.size());
    count_duplicates();
    const auto warn = [&](std::string text) { report_.warnings.push_back(std::move(text)); };
    const int64_t distinct = pairs_ - report_.duplicates;
    if (pairs_ < kFewPairs) warn(fmt::format("only {}: too few to learn much from", counted(pairs_, "pair")));
    if (distinct == 1 && pairs_ > 1)
      warn("all pairs are the same");
    else if (is_x_constant_ && pairs_ > 1)
      warn("x is the same in all pairs");
    else if (report_.duplicates * 2 > pairs_)
      warn("more than half of the pairs repeat others");
    if (report_.unchanged >= kMostlyUnchanged)
      warn("y equals x almost everywhere: little happens in these pairs");
    if (report_.groups > 0 && report_.groups < kFewGroups)
      warn(fmt::format("only {}", counted(report_.groups, "group")));
    if (options_.hold_out > 0 && report_.held_units == 0)
      warn(fmt::format("nothing was held out: the {} are one, and only whole ones are", report_.unit));
    const double held = static_cast<double>(report_.info.held_out) / static_cast<double>(pairs_);
    if (pairs_ >= kFewPairs && held > std::min(1.0, 2 * options_.hold_out + 0.05))
      warn(fmt::format(
          "{:.0f}% of the pairs are held out, because only whole {} are; give more of them, or --hold-out 0",
          100 * held, report_.unit));
    if (report_.shared > 0)
      warn(fmt::format("{} of the pairs held out also occur among the others, in other {}", report_.shared,
                       report_.unit));
  }

  const ImportOptions& options_;
  std::vector<std::unique_ptr<PairSource>> sources_;
  HoldOut hold_out_;
  Encoding encoding_;
  ImportReport report_;
  int64_t pairs_ = 0, visited_ = 0;
  std::unordered_map<uint64_t, int32_t> groups_;
  std::unordered_set<uint64_t> programs_;
  std::deque<uint64_t> contents_;
  uint64_t first_x_ = 0;
  bool is_x_constant_ = true;
};

}  // namespace

ImportReport import_pairs(const ImportOptions& options) {
  check_options(options);
  return Importer(options).run();
}

}  // namespace neo

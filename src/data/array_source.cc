#include "data/array_source.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "core/text.h"
#include "data/hold_out.h"
#include "data/npy_stream.h"
#include "data/npz.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

void check_counts(const NpyStream& a, const NpyStream& b) {
  if (a.rows() != b.rows())
    fail("{} has {} rows and {} has {}; give every row both", a.name(), a.rows(), b.name(), b.rows());
  if (a.rows() == 0) fail("{} holds no rows", a.name());
}

// `unit`: what there must be one of for each, "pair" or "observation".
void check_column(const NpyStream& column, int64_t rows, const char* unit) {
  if (!column.row_shape().empty() || column.is_real())
    fail("{} must hold one integer or text per row", column.name());
  if (column.rows() != rows)
    fail("{} has {} for {}; give one per {}", column.name(), counted(column.rows(), "row"), counted(rows, unit), unit);
}

class NpyPairSource : public PairSource {
 public:
  NpyPairSource(const fs::path& x, const fs::path& y) : x_(x), y_(y) {}
  void visit(const PairVisitor& visitor) override {
    NpyStream x(std::make_unique<FileStream>(x_), x_.string());
    NpyStream y(std::make_unique<FileStream>(y_), y_.string());
    check_counts(x, y);
    RawPair pair;
    for (int64_t row = 1; x.next(pair.x) && y.next(pair.y); ++row) {
      pair.x.at = {&x_, "row", row};
      pair.y.at = {&y_, "row", row};
      visitor(pair);
    }
  }
  std::vector<fs::path> files() const override { return {x_, y_}; }

 private:
  fs::path x_, y_;
};

// Numbers the trajectories of a file in the order in which their names come first.
class Episodes {
 public:
  // `is_change`: the row before had another name.
  int64_t index_of(const std::string& name, bool is_change) {
    const auto [entry, is_new] = indices_.try_emplace(content_hash(name, 0), static_cast<int64_t>(indices_.size()));
    has_returns_ |= is_change && !is_new;
    return entry->second;
  }
  bool has_returns() const { return has_returns_; }

 private:
  std::unordered_map<uint64_t, int64_t> indices_;
  bool has_returns_ = false;
};

class NpzSource : public PairSource {
 public:
  NpzSource(const fs::path& path, const NpzOptions& options)
      : path_(path), options_(options), names_(npz_names(path)) {
    field_ = options.field.empty() ? "observations" : options.field;
    is_trajectory_ = !has("x") && !has("y") && has(field_);
    if (!options.field.empty() && !has(field_))
      fail_usage("{} has no array '{}'; it has: {}", path.string(), printable(field_), list());
    if (is_trajectory_ && !has("episode") && !has("ends"))
      fail(
          "{} has observations, but neither `episode` (numbers) nor `ends` (flags) that tell trajectories "
          "apart; add one",
          path.string());
    if (!is_trajectory_ && (!has("x") || !has("y")))
      fail("{} needs arrays x and y, or observations and episode; it has: {}", path.string(), list());
    if (!options.group.empty() && !has(options.group))
      fail_usage("{} has no array '{}' to group by; it has: {}", path.string(), printable(options.group),
                 list());
  }

  void visit(const PairVisitor& visitor) override {
    is_trajectory_ ? visit_trajectories(visitor) : visit_pairs(visitor);
  }
  std::vector<fs::path> files() const override { return {path_}; }
  std::vector<std::string> notes() const override {
    if (!has_returns_) return {};
    return {"some numbers of `episode` return after others: their parts count as one trajectory, and no pair spans two"};
  }

 private:
  bool has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }
  std::string list() const {
    return names_.empty() ? "none" : printable(fmt::format("{}", fmt::join(names_, ", ")), 200);
  }
  NpyStream open(const std::string& name) const {
    return {open_npz_array(path_, name), fmt::format("{}, {}", path_.string(), printable(name))};
  }
  std::optional<NpyStream> open_column(const std::string& name, int64_t rows, const char* unit) const {
    if (!has(name)) return std::nullopt;
    NpyStream column = open(name);
    check_column(column, rows, unit);
    return column;
  }

  void visit_pairs(const PairVisitor& visitor) const {
    NpyStream x = open("x"), y = open("y");
    check_counts(x, y);
    auto group = open_column(options_.group.empty() ? "group" : options_.group, x.rows(), "pair");
    auto program = open_column("program", x.rows(), "pair");
    RawPair pair;
    for (int64_t row = 1; x.next(pair.x) && y.next(pair.y); ++row) {
      pair.x.at = pair.y.at = {&path_, "row", row};
      if (group) group->next_text(pair.group);
      if (program) program->next_text(pair.program);
      visitor(pair);
    }
  }

  void visit_trajectories(const PairVisitor& visitor) {
    NpyStream observations = open(field_);
    if (observations.rows() == 0) fail("{} holds no rows", observations.name());
    auto episode = open_column("episode", observations.rows(), "observation");
    auto ends = open_column("ends", observations.rows(), "observation");
    TrajectoryPairs pairs(options_.lags, visitor);
    Episodes episodes;
    std::string number, last_number, flag;
    bool is_new = true;
    RawValue value;
    for (int64_t row = 1; observations.next(value); ++row) {
      if (episode) {
        episode->next_text(number);
        is_new |= row > 1 && number != last_number;
      }
      if (is_new) episode ? pairs.begin(episodes.index_of(number, number != last_number)) : pairs.begin();
      last_number = number;
      value.at = {&path_, "row", row};
      pairs.add(value);
      is_new = ends && ends->next_text(flag) && flag != "0";
    }
    has_returns_ = episodes.has_returns();
    if (has_returns_ && pairs.pairs() == 0)
      fail("{}: rows of different episodes take turns; sort them by `episode`", path_.string());
    pairs.require_pairs(path_.string(), "trajectory", fmt::format("check `{}`", episode ? "episode" : "ends"));
  }

  fs::path path_;
  NpzOptions options_;
  std::vector<std::string> names_;
  std::string field_;
  bool is_trajectory_ = false, has_returns_ = false;
};

}  // namespace

std::unique_ptr<PairSource> open_npy_pair(const fs::path& x, const fs::path& y) {
  return std::make_unique<NpyPairSource>(x, y);
}

std::unique_ptr<PairSource> open_npz(const fs::path& path, const NpzOptions& options) {
  return std::make_unique<NpzSource>(path, options);
}

}  // namespace neo

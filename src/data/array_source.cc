#include "data/array_source.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/text.h"
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

void check_column(const NpyStream& column, int64_t rows) {
  if (!column.row_shape().empty() || column.is_real())
    fail("{} must hold one integer or text per row", column.name());
  if (column.rows() != rows)
    fail("{} has {} rows for {} pairs; give one per pair", column.name(), column.rows(), rows);
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

 private:
  fs::path x_, y_;
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

 private:
  bool has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }
  std::string list() const {
    return names_.empty() ? "none" : printable(fmt::format("{}", fmt::join(names_, ", ")), 200);
  }
  NpyStream open(const std::string& name) const {
    return {open_npz_array(path_, name), fmt::format("{}, {}", path_.string(), printable(name))};
  }
  std::optional<NpyStream> open_column(const std::string& name, int64_t rows) const {
    if (!has(name)) return std::nullopt;
    NpyStream column = open(name);
    check_column(column, rows);
    return column;
  }

  void visit_pairs(const PairVisitor& visitor) const {
    NpyStream x = open("x"), y = open("y");
    check_counts(x, y);
    auto group = open_column(options_.group.empty() ? "group" : options_.group, x.rows());
    auto program = open_column("program", x.rows());
    RawPair pair;
    for (int64_t row = 1; x.next(pair.x) && y.next(pair.y); ++row) {
      pair.x.at = pair.y.at = {&path_, "row", row};
      if (group) group->next_text(pair.group);
      if (program) program->next_text(pair.program);
      visitor(pair);
    }
  }

  void visit_trajectories(const PairVisitor& visitor) const {
    NpyStream observations = open(field_);
    if (observations.rows() == 0) fail("{} holds no rows", observations.name());
    auto episode = open_column("episode", observations.rows());
    auto ends = open_column("ends", observations.rows());
    TrajectoryPairs pairs(options_.lags, visitor);
    std::string number, last_number, flag;
    bool is_new = true;
    RawValue value;
    for (int64_t row = 1; observations.next(value); ++row) {
      if (episode) {
        episode->next_text(number);
        is_new |= row > 1 && number != last_number;
        last_number = number;
      }
      if (is_new) pairs.begin();
      value.at = {&path_, "row", row};
      pairs.add(value);
      is_new = ends && ends->next_text(flag) && flag != "0";
    }
    if (pairs.pairs() == 0)
      fail("{}: no trajectory is long enough for a pair {} steps apart; check `{}`, or give smaller --lags",
           path_.string(), options_.lags.least, has("episode") ? "episode" : "ends");
  }

  fs::path path_;
  NpzOptions options_;
  std::vector<std::string> names_;
  std::string field_;
  bool is_trajectory_ = false;
};

}  // namespace

std::unique_ptr<PairSource> open_npy_pair(const fs::path& x, const fs::path& y) {
  return std::make_unique<NpyPairSource>(x, y);
}

std::unique_ptr<PairSource> open_npz(const fs::path& path, const NpzOptions& options) {
  return std::make_unique<NpzSource>(path, options);
}

}  // namespace neo

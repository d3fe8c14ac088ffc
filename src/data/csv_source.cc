#include "data/csv_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "data/csv_reader.h"
#include "data/number_text.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr size_t kAbsent = static_cast<size_t>(-1);

// Which columns hold what.
struct Header {
  std::vector<size_t> x, y;  // one each, or one per number of a vector
  bool is_vector = false;
  size_t group = kAbsent, program = kAbsent;
  size_t columns = 0;
};

// The number n of a column that is called letter + n.
std::optional<int> number_in(const std::string& name, char letter) {
  int number = 0;
  if (!name.starts_with(letter) || name.size() < 2) return std::nullopt;
  const auto [end, failure] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool is_number = failure == std::errc() && end == name.data() + name.size();
  return is_number && name.substr(1) == fmt::to_string(number) ? std::optional(number) : std::nullopt;
}

// Columns letter1..lettern, counted from 0 or 1.
std::vector<size_t> numbered(const std::map<std::string, size_t>& columns, char letter, const fs::path& path) {
  std::map<int, size_t> by_number;
  for (const auto& [name, column] : columns)
    if (const auto number = number_in(name, letter)) by_number[*number] = column;
  std::vector<size_t> found;
  int next = by_number.contains(0) ? 0 : 1;
  for (const auto& [number, column] : by_number) {
    if (number != next)
      fail("{}, line 1: there is a column {}{} and no {}{}; add it, or rename the others", path.string(), letter,
           number, letter, next);
    found.push_back(column);
    ++next;
  }
  return found;
}

Header read_header(const std::vector<std::string>& fields, const fs::path& path, const std::string& group) {
  Header header{.columns = fields.size()};
  std::map<std::string, size_t> columns;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string name(trimmed(fields[i]));
    if (!columns.try_emplace(name, i).second)
      fail("{}, line 1: there are two columns '{}'; rename one", path.string(), printable(name));
  }
  const auto find = [&](const std::string& name) {
    const auto entry = columns.find(name);
    return entry == columns.end() ? kAbsent : entry->second;
  };
  if (find("x") != kAbsent && find("y") != kAbsent) {
    header.x = {find("x")};
    header.y = {find("y")};
  } else {
    header.x = numbered(columns, 'x', path);
    header.y = numbered(columns, 'y', path);
    header.is_vector = true;
    if (header.x.empty() || header.y.empty())
      fail("{}, line 1: the first line must name columns x and y (or x1, x2, ... and y1, y2, ...), not '{}'",
           path.string(), printable(fmt::format("{}", fmt::join(fields, ","))));
    if (header.x.size() != header.y.size())
      fail("{}, line 1: {} of x and {} of y; give both the same", path.string(),
           counted(static_cast<int64_t>(header.x.size()), "column"), header.y.size());
  }
  header.group = find(group.empty() ? "group" : group);
  if (!group.empty() && header.group == kAbsent)
    fail_usage("{} has no column '{}' to group by", path.string(), printable(group));
  header.program = find("program");
  return header;
}

class CsvSource : public PairSource {
 public:
  CsvSource(const fs::path& path, std::string group) : path_(path), group_(std::move(group)) {}

  void visit(const PairVisitor& visitor) override {
    CsvReader reader(path_);
    std::vector<std::string> fields;
    if (!reader.next(fields)) fail("{} is empty; expected a header with columns x and y", path_.string());
    const Header header = read_header(fields, path_, group_);
    RawPair pair;
    int64_t rows = 0;
    for (; reader.next(fields); ++rows) {
      if (fields.size() != header.columns)
        fail("{}, line {}: {} where the header has {}; quote fields that hold the separator", path_.string(),
             reader.line(), counted(static_cast<int64_t>(fields.size()), "field"), header.columns);
      const Origin at{&path_, "line", reader.line()};
      fill(pair.x, fields, header.x, header.is_vector, "x", at);
      fill(pair.y, fields, header.y, header.is_vector, "y", at);
      pair.group = header.group == kAbsent ? "" : fields[header.group];
      pair.program = header.program == kAbsent ? "" : std::string(trimmed(fields[header.program]));
      visitor(pair);
    }
    if (rows == 0) fail("{} holds no pairs, only a header", path_.string());
  }
  std::vector<fs::path> files() const override { return {path_}; }

 private:
  static void fill(RawValue& value, const std::vector<std::string>& fields,
                   const std::vector<size_t>& columns, bool is_vector, const char* side, const Origin& at) {
    value.clear();
    value.at = at;
    if (!is_vector) {
      value.text = fields[columns[0]];
      if (value.text.empty()) fail("{}: {} is missing; leave the row out", at.text(), side);
      return;
    }
    value.is_real = true;
    value.shape = {static_cast<int64_t>(columns.size())};
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto number = number_of(trimmed(fields[columns[i]]));
      if (!number)
        fail("{}: '{}' in {}{} is no number; correct the row or leave it out", at.text(),
             printable(fields[columns[i]], 20), side, i + 1);
      value.values.push_back(*number);
    }
  }

  fs::path path_;
  std::string group_;
};

}  // namespace

std::unique_ptr<PairSource> open_csv(const fs::path& path, const std::string& group) {
  return std::make_unique<CsvSource>(path, group);
}

}  // namespace neo

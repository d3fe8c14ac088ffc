#include "data/json_source.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/json_characters.h"
#include "data/json_values.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr int kMostSkippedDepth = 64;
constexpr int64_t kLargestPair = 1 << 16;  // bytes of a pair of numbers or texts
constexpr int64_t kFewColumnPairs = 64;    // as many rows as a grid may have
constexpr size_t kMostColumnNumbers = size_t{1} << 25;  // 256 MiB

// What the parser is inside of.
enum class Place { root, records, table, task, column, record, value, skipped };
enum class Field { none, x, y, group, program };

class PairsInJson : public nlohmann::json_sax<nlohmann::json> {
 public:
  PairsInJson(const fs::path& path, std::string group, JsonCharacters& characters, bool is_lines,
              const PairVisitor& visitor)
      : path_(path),
        group_key_(std::move(group)),
        characters_(characters),
        is_lines_(is_lines),
        visitor_(visitor) {}

  int64_t pairs() const { return pairs_; }
  int64_t unanswered() const { return unanswered_; }
  int64_t column_pairs() const { return column_pairs_; }  // those of an object of lists
  bool has_groups() const { return has_groups_; }

  bool null() override {
    characters_.token_done();
    if (place() != Place::value) return scalar_elsewhere();
    const bool is_optional = field_ == Field::group || field_ == Field::program;
    if (!is_optional || builder_.has_begun()) complain("is null; leave the pair out");
    leave();
    return true;
  }
  bool boolean(bool value) override { return take_number(value ? 1 : 0, value ? "1" : "0", false); }
  bool number_integer(number_integer_t value) override {
    return take_number(static_cast<double>(value), fmt::to_string(value), false);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take_number(static_cast<double>(value), fmt::to_string(value), false);
  }
  bool number_float(number_float_t value, const string_t& token) override {
    // An integer of more digits than 64 bits hold comes here, too.
    const bool is_real = token.find_first_of(".eE") != std::string::npos;
    return take_number(value, token, is_real);
  }
  bool string(string_t& text) override {
    characters_.token_done();
    begin_element();
    if (place() != Place::value) return scalar_elsewhere();
    check(builder_.text(text));
    return finish_value();
  }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override {
    characters_.token_done();
    if (place() == Place::skipped) return true;
    key_ = std::move(name);
    if (place() == Place::record) {
      field_ = field_named(key_);
      if (field_ != Field::none) enter(Place::value);
    }
    return true;
  }
  bool start_object(std::size_t) override {
    characters_.token_done();
    switch (place()) {
      case Place::root:
        enter(is_lines_ ? Place::record : Place::table);
        return is_lines_ ? begin_record() : true;
      case Place::records:
        enter(Place::record);
        return begin_record();
      case Place::table:
        enter(Place::task);
        task_ = key_;
        return true;
      case Place::value:
        complain("is an object; give numbers, lists of numbers or text");
      case Place::column:
        bad("a list of x or y holds an object");
      default:
        return skip();
    }
  }
  bool end_object() override {
    const Place left = leave();
    if (left == Place::record) finish_record();
    if (left == Place::table) finish_table();
    return true;
  }
  bool start_array(std::size_t) override {
    characters_.token_done();
    begin_element();
    switch (place()) {
      case Place::root:
        enter(Place::records);
        return true;
      case Place::table:
        field_ = field_named(key_);
        if (field_ != Field::none) {
          enter(Place::column);
          return true;
        }
        task_ = path_.stem().string();
        [[fallthrough]];
      case Place::task:
        if (key_ == "train" || key_ == "test") {
          enter(Place::records);
          return true;
        }
        return skip();
      case Place::value:
        check(builder_.start_list());
        return true;
      case Place::records:
        bad("a list stands where an object with x and y should be");
      default:
        return skip();
    }
  }
  bool end_array() override {
    if (place() == Place::value) {
      check(builder_.end_list());
      return finish_value();
    }
    leave();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    if (error.id == 406) fail("{}, line {}: a number is too large", path_.string(), characters_.line());
    fail(
        "{}, line {}: this is not valid JSON (NaN and Infinity are not either); correct it, or save it again",
        path_.string(), characters_.line());
  }

 private:
  Place place() const { return places_.back(); }
  void enter(Place to) { places_.push_back(to); }
  Place leave() {
    const Place left = places_.back();
    places_.pop_back();
    return left;
  }
  bool skip() {
    if (places_.size() > kMostSkippedDepth) bad("objects or lists are nested too deeply");
    enter(Place::skipped);
    return true;
  }

  [[noreturn]] void bad(const std::string& why) const {
    fail("{}, line {}: {}; expected pairs like {{\"x\": [[0, 1]], \"y\": [[1, 0]]}}", path_.string(),
         characters_.line(), why);
  }
  [[noreturn]] void complain(const std::string& why) const {
    constexpr std::array<const char*, 5> kNames{"", "x", "y", "group", "program"};
    fail("{}: {} {}", origin().text(), kNames[static_cast<size_t>(field_)], why);
  }
  void check(const std::string& complaint) const {
    if (!complaint.empty()) complain(complaint);
  }
  Origin origin() const {
    if (is_lines_) return {&path_, "line", characters_.line()};
    return {
        &path_, "pair",
        column_of(field_) ? static_cast<int64_t>(column_of(field_)->size()) + 1 : pairs_ + unanswered_ + 1};
  }

  Field field_named(const std::string& name) const {
    if (name == "x" || name == "input") return Field::x;
    if (name == "y" || name == "output") return Field::y;
    if (name == group_key_) return Field::group;
    return name == "program" ? Field::program : Field::none;
  }

  // Numbers and texts that stand where none is expected.
  bool scalar_elsewhere() const {
    if (place() == Place::root || place() == Place::records)
      bad("a single value stands where a pair should be");
    if (place() == Place::column) bad("a list holds a null");
    return true;
  }
  void begin_element() {
    if (place() == Place::column) enter(Place::value);
  }
  bool take_number(double value, const std::string& token, bool is_real) {
    characters_.token_done();
    begin_element();
    if (place() != Place::value) return scalar_elsewhere();
    check(builder_.number(value, token, is_real));
    return finish_value();
  }

  bool finish_value() {
    if (!builder_.is_complete()) return true;
    leave();
    RawValue value = builder_.take();
    value.at = origin();
    if (place() == Place::column) {
      column_numbers_ += value.values.size() + 32;  // what the value itself takes beside its numbers
      if (column_numbers_ > kMostColumnNumbers)
        fail("{} is too large as an object of lists; save one object per line (.jsonl), or .npz",
             path_.string());
      columns_[static_cast<size_t>(field_) - 1].push_back(std::move(value));
      return true;
    }
    set(pair_, field_, std::move(value));
    return true;
  }

  void set(RawPair& pair, Field field, RawValue value) {
    has_[static_cast<size_t>(field)] = true;
    if (field == Field::x) pair.x = std::move(value);
    if (field == Field::y) pair.y = std::move(value);
    if (field == Field::group) {
      if (!value.is_text() || !value.tokens.empty()) complain("must be a number or a text");
      pair.group = std::move(value.text);
      has_groups_ = true;
    }
    if (field == Field::program) {
      if (!value.is_text()) complain("must be a text or a list of names");
      pair.program =
          value.tokens.empty() ? std::move(value.text) : fmt::format("{}", fmt::join(value.tokens, " "));
    }
  }

  bool begin_record() {
    pair_ = {};
    pair_.group = task_;
    has_ = {};
    return true;
  }

  void finish_record() {
    field_ = Field::none;
    const bool has_x = has_[static_cast<size_t>(Field::x)], has_y = has_[static_cast<size_t>(Field::y)];
    if (has_x && !has_y && !task_.empty()) {  // a question of a task, its answer is elsewhere
      ++unanswered_;
      return;
    }
    if (!has_x || !has_y)
      fail("{}: {} is missing; every pair needs both", origin().text(), has_x ? "y" : "x");
    pair_.x.at = pair_.y.at = origin();
    emit();
  }
  void emit() {
    ++pairs_;
    visitor_(pair_);
  }

  const std::vector<RawValue>* column_of(Field field) const {
    if (field == Field::none || places_.size() < 2 || places_[1] != Place::table || task_ != "")
      return nullptr;
    return &columns_[static_cast<size_t>(field) - 1];
  }

  void finish_table() {
    auto& [x, y, group, program] = columns_;
    if (x.empty() && y.empty()) return;
    for (const auto& [column, name] :
         {std::pair{&y, "y"}, {&group, group_key_.c_str()}, {&program, "program"}}) {
      if (column == &y ? column->size() == x.size() : column->empty() || column->size() == x.size()) continue;
      fail("{}: x has {} entries and {} has {}; give each pair both", path_.string(), x.size(), name,
           column->size());
    }
    column_pairs_ = static_cast<int64_t>(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      pair_ = {};
      pair_.x = std::move(x[i]);
      pair_.y = std::move(y[i]);
      if (!group.empty()) set(pair_, Field::group, std::move(group[i]));
      if (!program.empty()) set(pair_, Field::program, std::move(program[i]));
      pair_.x.at = pair_.y.at = {&path_, "pair", static_cast<int64_t>(i) + 1};
      emit();
    }
    columns_ = {};
  }

  const fs::path& path_;
  std::string group_key_;
  JsonCharacters& characters_;
  bool is_lines_;
  const PairVisitor& visitor_;
  std::vector<Place> places_{Place::root};
  std::string key_, task_;
  Field field_ = Field::none;
  JsonValueBuilder builder_;
  RawPair pair_;
  std::array<bool, 5> has_{};
  std::array<std::vector<RawValue>, 4> columns_;  // x, y, group, program of an object of lists
  size_t column_numbers_ = 0;
  int64_t pairs_ = 0, unanswered_ = 0, column_pairs_ = 0;
  bool has_groups_ = false;
};

// Whether the first line is an object of its own and more follow: an object of lists is over several lines,
// or alone.
bool looks_like_lines(const fs::path& path) {
  std::string start(size_t{1} << 20, '\0');
  start.resize(FileStream(path).read(start.data(), start.size()));
  const size_t end = start.find('\n');
  if (end == std::string::npos || trimmed(std::string_view(start).substr(end)).empty()) return false;
  const std::string_view line = trimmed(std::string_view(start).substr(0, end));
  return line.starts_with('{') && nlohmann::json::accept(line);
}

// Whether the file is a single object whose x is no list: one pair, not an object of lists.
bool is_one_pair(const fs::path& path) {
  FileStream file(path);
  if (file.size() > kLargestPair) return false;
  std::string content(static_cast<size_t>(file.size()), '\0');
  content.resize(file.read(content.data(), content.size()));
  const auto json = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  const auto is_scalar = [&](const char* key) { return json.contains(key) && json[key].is_primitive(); };
  return json.is_object() && (is_scalar("x") || is_scalar("input"));
}

class JsonSource : public PairSource {
 public:
  JsonSource(const fs::path& path, std::string group)
      : path_(path),
        group_(std::move(group)),
        is_lines_(lowercase(path.extension().string()) != ".json" || looks_like_lines(path) || is_one_pair(path)) {}

  void visit(const PairVisitor& visitor) override {
    JsonCharacters characters(path_);
    characters.skip_byte_order_mark();
    PairsInJson pairs(path_, group_.empty() ? "group" : group_, characters, is_lines_, visitor);
    bool is_first = true;
    while (characters.skip_blanks()) {
      if (!is_lines_ && !is_first)
        fail("{}, line {}: more follows after the end of the JSON", path_.string(), characters.line());
      is_first = false;
      nlohmann::json::sax_parse(JsonIterator(&characters), JsonIterator(), &pairs,
                                nlohmann::json::input_format_t::json, /*strict=*/false);
    }
    if (pairs.pairs() == 0)
      fail("{} holds no pairs; expected objects like {{\"x\": [[0, 1]], \"y\": [[1, 0]]}}", path_.string());
    if (!group_.empty() && !pairs.has_groups())
      fail_usage("{} has no key '{}' to group by", path_.string(), printable(group_));
    unanswered_ = pairs.unanswered();
    column_pairs_ = pairs.column_pairs();
  }
  std::vector<fs::path> files() const override { return {path_}; }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (unanswered_ > 0)
      notes.push_back(fmt::format("questions without an answer were left out: {}", unanswered_));
    if (column_pairs_ > 0 && column_pairs_ <= kFewColumnPairs)
      notes.push_back(fmt::format("the lists x and y were taken as {}; for a single pair write [{{\"x\": ..., \"y\": ...}}]",
                                  counted(column_pairs_, "pair")));
    return notes;
  }

 private:
  fs::path path_;
  std::string group_;
  bool is_lines_;
  int64_t unanswered_ = 0, column_pairs_ = 0;
};

}  // namespace

std::unique_ptr<PairSource> open_json(const fs::path& path, const std::string& group) {
  return std::make_unique<JsonSource>(path, group);
}

}  // namespace neo

#include "explain/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr size_t kMostSteps = 1000;
constexpr size_t kMostNames = 12;  // in a message
constexpr std::string_view kTimes = "×";

using Words = std::vector<std::string>;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Blanks and commas separate words, and so do arrows; capital letters and brackets do not matter.
Words words_of(std::string text) {
  for (const std::string_view arrow : {"→", "->"}) replace_all(text, arrow, " ");
  replace_all(text, kTimes, "*");
  Words words(1);
  for (char c : lowercase(text)) {
    if (std::string_view(" \t\r\n,()").find(c) == std::string_view::npos)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Whether all of `text` is one number, put into `number`.
bool is_number(std::string_view text, int64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

// The number in z3, code3 or 3.
std::optional<int64_t> numbered_code(std::string_view word, int64_t vocabulary) {
  for (std::string_view prefix : {"code", "z"}) {
    if (!word.starts_with(prefix)) continue;
    word.remove_prefix(prefix.size());
    break;
  }
  int64_t code = 0;
  if (!is_number(word, code) || code < 0 || code >= vocabulary) return std::nullopt;
  return code;
}

bool starts_with(std::span<const std::string> words, const Words& start) {
  return !start.empty() && start.size() <= words.size() && std::equal(start.begin(), start.end(), words.begin());
}

// Reads codes from the front of words.
class CodeReader {
 public:
  CodeReader(int64_t vocabulary, const CodeNames& names) : vocabulary_(vocabulary) {
    for (const std::string& name : names) names_.push_back(words_of(name));
  }

  // One code, by number or by the longest name that fits; what was read is taken away.
  int64_t take(std::span<const std::string>& words) const {
    if (const auto code = numbered_code(words.front(), vocabulary_)) {
      words = words.subspan(1);
      const auto at = static_cast<size_t>(*code);
      if (at < names_.size() && starts_with(words, names_[at])) words = words.subspan(names_[at].size());  // "z3 (up)"
      return *code;
    }
    size_t longest = 0, best = 0, second = 0;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!starts_with(words, names_[i]) || names_[i].size() < longest) continue;
      second = names_[i].size() == longest ? best : i;
      best = i;
      longest = names_[i].size();
    }
    if (longest == 0) refuse(words.front());
    if (second != best)
      fail_usage("'{}' is the name of two codes; write z{} or z{}", printable(fmt::format("{}", fmt::join(names_[best], " ")), 40),
                 second, best);
    words = words.subspan(longest);
    return static_cast<int64_t>(best);
  }

 private:
  [[noreturn]] void refuse(const std::string& word) const {
    Words known;
    for (const Words& name : names_)
      if (!name.empty() && known.size() < kMostNames) known.push_back(printable(fmt::format("{}", fmt::join(name, " ")), 40));
    fail_usage("'{}' is no code; the vocabulary has z0 to z{}{}", printable(word, 40), vocabulary_ - 1,
               known.empty() ? "" : fmt::format(", which do: {}", fmt::join(known, ", ")));
  }

  int64_t vocabulary_;
  std::vector<Words> names_;
};

}  // namespace

std::string code_name(int64_t code) { return fmt::format("z{}", code); }

std::string code_title(int64_t code, const CodeNames& names) {
  const auto at = static_cast<size_t>(code);
  if (at >= names.size() || names[at].empty()) return code_name(code);
  std::string name = names[at];
  replace_all(name, "*", kTimes);
  return fmt::format("{} ({})", code_name(code), name);
}

std::string program_text(const std::vector<int64_t>& codes) { return program_text(codes, {}); }

std::string program_text(const std::vector<int64_t>& codes, const CodeNames& names) {
  std::vector<std::string> titles;
  for (int64_t code : codes) titles.push_back(code_title(code, names));
  return fmt::format("{}", fmt::join(titles, names.empty() ? " " : " → "));
}

std::vector<int64_t> parse_codes(const std::string& text, int64_t vocabulary, const CodeNames& names) {
  const CodeReader reader(vocabulary, names);
  const Words all = words_of(text);
  std::vector<int64_t> codes;
  for (std::span<const std::string> words = all; !words.empty();) codes.push_back(reader.take(words));
  if (codes.empty()) fail_usage("the program is empty; write codes, for example \"z3 z1\"");
  if (codes.size() > kMostSteps)
    fail_usage("a program of {} steps; {} are the most", codes.size(), kMostSteps);
  return codes;
}

std::map<int64_t, int64_t> parse_overrides(const std::string& text, int64_t vocabulary, const CodeNames& names) {
  const CodeReader reader(vocabulary, names);
  std::map<int64_t, int64_t> overrides;
  Words all = words_of(text);
  for (std::span<std::string> words = all; !words.empty();) {
    std::string& first = words.front();
    const size_t equals = first.find('=');
    int64_t step = 0;
    if (equals == std::string::npos || !is_number(std::string_view(first).substr(0, equals), step))
      fail_usage("'{}' overrides nothing; write STEP=CODE, for example 2=z5", printable(first, 40));
    first.erase(0, equals + 1);
    std::span<const std::string> rest = words;
    const int64_t code = reader.take(rest);
    words = words.last(rest.size());
    if (!overrides.try_emplace(step, code).second)
      fail_usage("step {} is overridden twice; write it once, for example {}={}", step, step, code);
  }
  return overrides;
}

}  // namespace neo

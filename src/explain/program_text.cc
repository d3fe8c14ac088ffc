#include "explain/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr size_t kMostSteps = 1000;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (char c : text) {
    if (std::string_view(" \t\r\n,").find(c) == std::string_view::npos)
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

int64_t parse_code(std::string_view word, int64_t vocabulary) {
  std::string_view digits = word;
  for (std::string_view prefix : {"code", "z"}) {
    if (digits.starts_with(prefix)) {
      digits.remove_prefix(prefix.size());
      break;
    }
  }
  int64_t code = 0;
  if (!is_number(digits, code) || code < 0 || code >= vocabulary)
    fail_usage("'{}' is no code; the vocabulary has z0 to z{}", printable(word, 40), vocabulary - 1);
  return code;
}

}  // namespace

std::string code_name(int64_t code) { return fmt::format("z{}", code); }

std::string program_text(const std::vector<int64_t>& codes) {
  std::vector<std::string> names;
  for (int64_t code : codes) names.push_back(code_name(code));
  return fmt::format("{}", fmt::join(names, " "));
}

std::vector<int64_t> parse_codes(const std::string& text, int64_t vocabulary) {
  std::vector<int64_t> codes;
  for (const std::string& word : words_of(text)) codes.push_back(parse_code(word, vocabulary));
  if (codes.empty()) fail_usage("the program is empty; write codes, for example \"z3 z1\"");
  if (codes.size() > kMostSteps)
    fail_usage("a program of {} steps; {} are the most", codes.size(), kMostSteps);
  return codes;
}

std::map<int64_t, int64_t> parse_overrides(const std::string& text, int64_t vocabulary) {
  std::map<int64_t, int64_t> overrides;
  for (const std::string& word : words_of(text)) {
    const size_t equals = word.find('=');
    int64_t step = 0;
    if (equals == std::string::npos || !is_number(std::string_view(word).substr(0, equals), step))
      fail_usage("'{}' overrides nothing; write STEP=CODE, for example 2=z5", printable(word, 40));
    const int64_t code = parse_code(std::string_view(word).substr(equals + 1), vocabulary);
    if (!overrides.try_emplace(step, code).second)
      fail_usage("step {} is overridden twice; write it once, for example {}={}", step, step, code);
  }
  return overrides;
}

}  // namespace neo

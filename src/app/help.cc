#include "app/help.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/commands.h"
#include "core/error.h"
#include "core/suggestion.h"

namespace neo {
namespace {

constexpr size_t kIndent = 2;          // of an option or a command
constexpr size_t kTextColumn = 26;     // where the description begins
constexpr size_t kExampleIndent = 4;   // of what follows a line that was broken

// `text` in lines of a page, the first after `lead` columns, the others at `column`.
std::string hung(const std::string& text, size_t column) {
  std::string lines;
  for (char c : wrapped(text, kPageWidth - column)) lines += c == '\n' ? "\n" + std::string(column, ' ') : std::string(1, c);
  return lines;
}

// A name and what it is; on lines of its own where the name is long.
std::string entry(const std::string& name, const std::string& text) {
  std::string line = std::string(kIndent, ' ') + name;
  if (text.empty()) return line + "\n";
  line += utf8_columns(line) + 2 > kTextColumn ? "\n" + std::string(kTextColumn, ' ')
                                               : std::string(kTextColumn - utf8_columns(line), ' ');
  return line + hung(text, kTextColumn) + "\n";
}

// Lines that are broken already stay so where they fit.
std::string page(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const size_t column = indent == 0 ? 0 : indent + kExampleIndent;
    out += line.substr(0, indent) + hung(line.substr(indent), utf8_columns(line) > kPageWidth ? column : 0) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string range_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.find(" in [");
  if (begin == std::string::npos) return "";
  std::string range = type.substr(begin + 5, type.find(']', begin) - begin - 5);
  if (const size_t dash = range.find(" - "); dash != std::string::npos) range.replace(dash, 3, " to ");
  return range;
}

// "What it is (1 to 100; default: 5)"
std::string description_of(const CLI::Option& option) {
  std::string remarks = range_of(option), text = option.get_description();
  if (const std::string value = option.get_default_str(); !value.empty() && value != "\"\"")
    remarks += (remarks.empty() ? "" : "; ") + ("default: " + value);
  return remarks.empty() ? text : text + " (" + remarks + ")";
}

class PageFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override { return page(app->get_description()); }
  std::string make_footer(const CLI::App* app) const override {
    return app->get_footer().empty() ? "" : page(app->get_footer());
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    return entry(sub->get_name(), sub->get_description());
  }
  std::string make_option(const CLI::Option* option, bool positional) const override {
    std::string name = make_option_name(option, positional);
    if (!positional && option->get_type_size() != 0) name += " " + type_of(*option);
    return entry(name, description_of(*option));
  }

 private:
  static std::string type_of(const CLI::Option& option) {
    std::string type = option.get_type_name();
    type = type.substr(0, type.find(':'));
    return type.substr(0, type.find(' ')) + (option.get_expected_max() > 1 ? " ..." : "");
  }
};

void print_help(CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string parents, name = "neo";
  for (const std::string& word : words) {
    std::vector<std::string> choices;
    const CLI::App* found = nullptr;
    for (const CLI::App* choice : command->get_subcommands([](const CLI::App*) { return true; })) {
      choices.push_back(choice->get_name());
      if (choice->get_name() == word) found = choice;
    }
    if (!found) fail_usage("`{}` has no command '{}'{}; see `{} --help`", name, printable(word), did_you_mean(word, choices), name);
    command = found;
    parents = std::exchange(name, name + " " + word);
  }
  fmt::print("{}", command->help(parents));
}

}  // namespace

void format_as_pages(CLI::App& app) { app.formatter(std::make_shared<PageFormatter>()); }

void setup_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "What a command does, and its options");
  command->add_option("command", *words, "For example explain, or data import");
  command->footer("Example:\n  neo help explain");
  command->callback([&app, words] { print_help(app, *words); });
}

}  // namespace neo

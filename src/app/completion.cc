#include <fmt/format.h>

#include <memory>

#include "app/command_tree.h"
#include "app/commands.h"
#include "app/help_text.h"

namespace neo {
namespace {

std::string last_word(const CommandEntry& command) { return command.path.substr(command.path.rfind(' ') + 1); }

// What may stand in the place of a positional: names that neo lists when asked, or the benchmarks.
std::string words_for(const CommandEntry& command, const std::string& program) {
  if (command.wants("theory") || command.wants("theories"))
    return "$(" + program + " models 2>/dev/null | awk '/^$/ {exit} NR > 1 {print $1}')";
  return command.wants("benchmark") ? fmt::format("{}", fmt::join(benchmark_names(), " ")) : "";
}

std::string quoted(std::string text) {  // within single quotes of a shell
  for (size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 4)) text.replace(at, 1, "'\\''");
  return text;
}

// "name:help" for zsh.
std::string described(const std::string& name, const std::string& help) { return fmt::format("'{}:{}'", name, quoted(help)); }

// The command so far, as a path of the tree: `find_path WORDS...` of bash and zsh.
std::string path_function(const CommandEntry& root) {
  std::string cases;
  for (const CommandEntry* command : all_commands(root))
    if (!command->path.empty()) cases += fmt::format("{}'{}'", cases.empty() ? "" : "|", command->path);
  return fmt::format(R"sh(_neo_path() {{
  local found= word
  for word in "$@"; do
    case "${{found:+$found }}$word" in
      {}) found="${{found:+$found }}$word" ;;
    esac
  done
  printf %s "$found"
}}
)sh", cases);
}

}  // namespace

std::string bash_completion(const CommandEntry& root) {
  std::string cases;
  for (const CommandEntry* command : all_commands(root)) {
    std::string commands, options;
    for (const CommandEntry& below : command->commands) commands += last_word(below) + " ";
    for (const OptionEntry& option : command->options) options += option.name + " ";
    cases += fmt::format("    '{}') commands='{}' options='{}' words=\"{}\" ;;\n", command->path, commands, options,
                         words_for(*command, "\"${COMP_WORDS[0]}\""));
  }
  return "# bash completion for neo, made by `neo completion bash`.\n" + path_function(root) + R"sh(_neo() {
  local current=${COMP_WORDS[COMP_CWORD]} commands= options= words=
  case "$(_neo_path "${COMP_WORDS[@]:1:COMP_CWORD-1}")" in
)sh" + cases + R"sh(  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -f -- "$current")
    compopt -o filenames 2>/dev/null || true
  fi
}
complete -F _neo neo
)sh";
}

std::string zsh_completion(const CommandEntry& root) {
  std::string cases;
  for (const CommandEntry* command : all_commands(root)) {
    std::string commands, options;
    for (const CommandEntry& below : command->commands) commands += described(last_word(below), below.help) + " ";
    for (const OptionEntry& option : command->options) options += described(option.name, option.help) + " ";
    cases += fmt::format("    '{}') commands=({}) options=({}) names=({}) ;;\n", command->path, commands, options,
                         words_for(*command, "$words[1]"));
  }
  return "#compdef neo\n# zsh completion for neo, made by `neo completion zsh`.\n" + path_function(root) + R"sh(_neo() {
  local -a commands options names
  case "$(_neo_path "${(@)words[2,CURRENT-1]}")" in
)sh" + cases + R"sh(  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  else
    (( $#names )) && compadd -a names
    _files
  fi
}
compdef _neo neo
)sh";
}

std::string fish_completion(const CommandEntry& root) {
  std::string text = "# fish completion for neo, made by `neo completion fish`.\n";
  for (const CommandEntry* command : all_commands(root)) {
    std::string names, seen = "__fish_use_subcommand";
    for (const CommandEntry& below : command->commands) names += " " + last_word(below);
    if (!command->path.empty()) {
      seen.clear();
      for (const std::string& word : CLI::detail::split(command->path, ' '))
        seen += (seen.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
      if (!names.empty()) seen += "; and not __fish_seen_subcommand_from" + names;
    }
    for (const CommandEntry& below : command->commands)
      text += fmt::format("complete -c neo -f -n '{}' -a {} -d '{}'\n", seen, last_word(below), quoted(below.help));
    for (const OptionEntry& option : command->options)
      text += fmt::format("complete -c neo -n '{}' -l {}{} -d '{}'\n", seen, option.name.substr(2), option.takes_value ? " -r" : "",
                          quoted(option.help));
    if (const std::string words = words_for(*command, "neo"); !words.empty())
      text += fmt::format("complete -c neo -n '{}' -a '{}'\n", seen,
                          words.starts_with("$(") ? quoted(words.substr(1)) : words);
  }
  return text;
}

void setup_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Completion of commands, options and theories, for bash, zsh or fish");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer("Examples:\n  source <(neo completion bash)\n  neo completion zsh > ~/.zfunc/_neo\n"
                  "  neo completion fish > ~/.config/fish/completions/neo.fish");
  command->callback([&app, shell] {
    const CommandEntry tree = command_tree(app);
    fmt::print("{}", *shell == "bash" ? bash_completion(tree) : *shell == "zsh" ? zsh_completion(tree) : fish_completion(tree));
  });
}

}  // namespace neo

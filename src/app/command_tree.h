#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace neo {

// What --help says, as plain values: completion and the man page are made from it.
struct OptionEntry {
  std::string name;  // "--steps"; of a positional: "theory"
  std::string help;
  bool takes_value = false;
};
struct CommandEntry {
  std::string path;  // "", "learn", "data import"
  std::string help, footer;
  std::vector<OptionEntry> options, positionals;
  std::vector<CommandEntry> commands;
  bool wants(const std::string& positional) const;
};
CommandEntry command_tree(const CLI::App& app);
// The tree as a list, every command before those below it.
std::vector<const CommandEntry*> all_commands(const CommandEntry& root);

std::string bash_completion(const CommandEntry& root);
std::string zsh_completion(const CommandEntry& root);
std::string fish_completion(const CommandEntry& root);
std::string manual(const CommandEntry& root);  // troff

}  // namespace neo

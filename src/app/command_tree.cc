#include "app/command_tree.h"

#include <algorithm>

namespace neo {
namespace {

void add_option(const CLI::Option& option, CommandEntry& to) {
  const bool takes_value = option.get_type_size() != 0 && !option.get_type_name().empty();
  if (option.get_positional()) to.positionals.push_back({option.get_name(true, false), option.get_description(), takes_value});
  for (const std::string& name : option.get_lnames()) to.options.push_back({"--" + name, option.get_description(), takes_value});
}

CommandEntry entry_of(const CLI::App& app, const std::string& path) {
  CommandEntry entry{.path = path, .help = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) add_option(*option, entry);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    entry.commands.push_back(entry_of(*command, path.empty() ? command->get_name() : path + " " + command->get_name()));
  return entry;
}

}  // namespace

bool CommandEntry::wants(const std::string& positional) const {
  return std::ranges::any_of(positionals, [&](const OptionEntry& entry) { return entry.name == positional; });
}

CommandEntry command_tree(const CLI::App& app) { return entry_of(app, ""); }

std::vector<const CommandEntry*> all_commands(const CommandEntry& root) {
  std::vector<const CommandEntry*> list{&root};
  for (const CommandEntry& command : root.commands) {
    const auto below = all_commands(command);
    list.insert(list.end(), below.begin(), below.end());
  }
  return list;
}

}  // namespace neo

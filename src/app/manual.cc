#include <fmt/format.h>

#include "app/command_tree.h"
#include "app/commands.h"
#include "core/version.h"

namespace neo {
namespace {

constexpr const char* kRest = R"(.SH FILES
.TP
.I /usr/share/neo/weights
The theories that come with neo.
.TP
.I runs/
Where runs are kept, in the current folder.
.SH ENVIRONMENT
.TP
.B OMP_NUM_THREADS
How many threads to use.
.TP
.B NEO_INSTRUCTIONS
Which form of the kernels to use: portable, avx2 or avx512.
.TP
.B NO_COLOR
Draws without colours.
.SH EXIT STATUS
0 done, 1 failed or nothing found, 2 wrong use, 130 interrupted.
)";

// Text that troff leaves as it is.
std::string roff(const std::string& text) {
  std::string out;
  for (char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string section(const CommandEntry& command) {
  std::string text = fmt::format(".SS neo {}\n{}\n", roff(command.path), roff(command.help));
  for (const auto* list : {&command.positionals, &command.options}) {
    for (const OptionEntry& option : *list)
      text += fmt::format(".TP\n.B {}\n{}\n", roff(option.name), roff(option.help));
  }
  if (!command.footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  return text;
}

}  // namespace

std::string manual(const CommandEntry& root) {
  std::string text = fmt::format(".TH NEO 1 \"\" \"neo {}\" \"User commands\"\n.SH NAME\nneo \\- learn theories from pairs of "
                                 "observations\n.SH SYNOPSIS\n.B neo\n.I command\n.RI [ options ]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
                                 version(), roff(root.help));
  for (const CommandEntry* command : all_commands(root))
    if (!command->path.empty()) text += section(*command);
  return text + kRest + fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(root.footer));
}

void setup_manual(CLI::App& app) {
  CLI::App* command = app.add_subcommand("manual", "The man page");
  command->footer("Example:\n  neo manual | man -l -");
  command->callback([&app] { fmt::print("{}", manual(command_tree(app))); });
}

}  // namespace neo

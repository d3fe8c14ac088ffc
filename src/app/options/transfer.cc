#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "core/error.h"

namespace neo {

void setup_transfer(CLI::App& app, const Act& act) {
  auto command = std::make_shared<TransferCommand>();
  CLI::App* sub = app.add_subcommand("transfer", "Run a program on new inputs, step by step");
  add_theory(*sub, command->model)->required();
  sub->add_option("--program", command->program, "Codes in order of execution: \"z3 z1 z1\" or 3,1,1")
      ->required();
  auto* x = sub->add_option("--x", command->x, std::string("An input, may be repeated: ") + kObservationHelp);
  x->allow_extra_args(false);
  sub->add_option("--y", command->y, "The expected output, one for every --x")
      ->allow_extra_args(false)
      ->needs(x);
  sub->add_option("--pair,--episode", command->pair, "FILE:N or FILE:N,N,...: pairs, or both of an episode")
      ->excludes(x);
  sub->add_option("--count", command->count, "How many from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--png", command->pictures.png, "Draw into this PNG file instead of on the terminal");
  sub->add_option("--svg", command->pictures.svg, "Draw into this SVG file instead of on the terminal");
  sub->add_flag("--json", command->json, "One JSON object per input");
  sub->footer(
      "Examples:\n"
      "  neo transfer numbers --program \"×5 → ×7\" --x 7 --x 12\n"
      "  neo transfer runs/mine --program \"z0 z2 z2\" --x @grid.txt --png moved.png");
  sub->callback([command, act] {
    const size_t x_count = command->x.size(), y_count = command->y.size();
    if (x_count == 0 && command->pair.empty()) fail_usage("give inputs with --x, or --pair FILE:N");
    if (y_count != 0 && y_count != x_count)
      fail_usage("{} --x and {} --y; give one --y for every --x, or none", x_count, y_count);
    act(*command);
  });
}

}  // namespace neo

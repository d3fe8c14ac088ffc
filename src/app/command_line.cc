#include "app/command_line.h"

#include <malloc.h>
#ifdef NEO_WITH_TORCH
#include <torch/version.h>  // defines a text; nothing else of torch is known here
#endif

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "app/commands.h"
#include "app/help.h"
#include "core/error.h"
#include "core/files.h"
#include "core/suggestion.h"
#include "core/text.h"
#include "core/threads.h"
#include "core/version.h"
#include "kernels/instructions.h"

namespace neo {
namespace {
#ifdef NEO_WITH_TORCH
constexpr const char* kTorch = "LibTorch " TORCH_VERSION;
#else
constexpr const char* kTorch = "without LibTorch";
#endif
constexpr const char* kAbout =
    "neo learns theories from observation: shown only pairs (x, y), it discovers a "
    "small vocabulary of primitive operations, explains each pair by a short program "
    "over them, and applies it to new inputs.";
constexpr const char* kExample =
    "Examples:\n"
    "  neo learn pairs.npz\n"
    "  neo explain runs/pairs --pair runs/pairs/pairs.h5:0\n"
    "  neo explain numbers --x 12 --y 420 --query 7\n"
    "`neo models` lists theories, `neo help COMMAND` says what a command takes.";

// "; did you mean '--codes'?" where an option is unknown.
std::string meant_option(const CLI::App& app, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : app.remaining(/*recurse=*/true))
    if (word.starts_with("--")) return did_you_mean(word.substr(0, word.find('=')), names);
  return "";
}

// What was wrong with the command line, in one line. CLI11 answers an unknown subcommand with "A subcommand
// is required"; a person wants to see which ones there are.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* deepest = &app;
  std::string command = "neo";
  while (!deepest->get_subcommands().empty()) {
    deepest = deepest->get_subcommands().front();
    command += " " + deepest->get_name();
  }
  for (const std::string& word : app.remaining(/*recurse=*/true))
    if (std::error_code ignored; word.starts_with('-') && std::filesystem::exists(word, ignored))
      return "'" + word + "' is taken as an option; write './" + word + "' where the file is meant";
  const auto choices = deepest->get_subcommands([](const CLI::App*) { return true; });
  if (choices.empty()) return error.what() + meant_option(app, *deepest) + "; see `" + command + " --help`";
  std::vector<std::string> names;
  for (const CLI::App* choice : choices) names.push_back(choice->get_name());
  const auto words = deepest->remaining();
  const std::string given = words.empty() ? "nothing" : "'" + words.front() + "'" + did_you_mean(words.front(), names);
  return fmt::format("`{}` takes one of: {}; it was given {}", command, fmt::join(names, ", "), given);
}

// "0.2.0 (avx512 of portable, avx2, avx512; LibTorch 1.13.0; 2 threads)"
std::string describe_version() {
  std::string forms;
  for (const Instructions form : available_instructions())
    forms += (forms.empty() ? "" : ", ") + std::string(name_of(form));
  return fmt::format("{} ({} of {}; {}; {})", version(), name_of(instructions()), forms, kTorch,
                     counted(default_threads(), "thread"));
}

// What was printed must have arrived where it was sent.
bool is_output_lost() {
  const bool is_flushed = std::fflush(stdout) == 0 && std::cout.flush().good();
  return !is_flushed || std::ferror(stdout) != 0;
}

// What LibTorch says, above a stack of calls, where there is no memory left.
constexpr std::string_view kTorchAllocation = "can't allocate memory";

// What to lower depends on what was asked for.
std::string lacking_memory(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
  std::string remedy = "fewer pairs";
  if (command == "train" || command == "bench" || command == "pretrain") remedy = "a smaller batch (--set batch=N)";
  if (command == "eval") remedy = "fewer --draws or --episodes";
  if (command == "explain") remedy = "a smaller --width, --steps or --draws";
  if (command == "inspect") remedy = "fewer --inputs or --pairs";
  if (command == "serve") remedy = "fewer theories";
  if (command == "reproduce") remedy = "fewer --jobs";
  return "out of memory; use " + remedy + ", or a larger machine";
}

// Runs the chosen subcommand; the status to exit with.
int run(CLI::App& app, int argc, char** argv) {
  try {
    instructions();  // a bad NEO_INSTRUCTIONS is reported before any work
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    complain(explain(app, error));
    return 2;
  } catch (const Error& error) {
    complain(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    complain(lacking_memory(app));
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again)
      complain("cannot start another thread; raise `ulimit -u`, or set OMP_NUM_THREADS=1");
    else if (!std::ferror(stdout))
      complain(std::string("the system failed: ") + error.what());
  } catch (const std::exception& error) {
    const std::string what = error.what();
    if (what.find(kTorchAllocation) != std::string::npos)
      complain(lacking_memory(app));
    else if (!std::ferror(stdout))
      complain("internal error, please report it: " + what.substr(0, what.find('\n')));
  }
  return 1;
}
}  // namespace

void complain(const std::string& text) { std::cerr << "neo: " << printable(text, text.size()) << "\n"; }

int run_command_line(int argc, char** argv, const Act& act) {
  open_standard_streams();
  install_interrupt_handler();
  // Tensors of a few megabytes come and go with every operation; by default each would be mapped, cleared and
  // unmapped by the kernel, which took most of the time of an evaluation.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  CLI::App app(kAbout, "neo");
  app.footer(kExample);
  format_as_pages(app);
  app.set_version_flag("--version", describe_version);
  app.require_subcommand(1);
  setup_data(app);
  setup_learn(app, act);
  setup_pretrain(app, act);
  setup_train(app, act);
  setup_watch(app, act);
  setup_eval(app, act);
  setup_explain(app, act);
  setup_transfer(app, act);
  setup_inspect(app, act);
  setup_models(app);
  setup_card(app, act);
  setup_bench(app, act);
  setup_serve(app, act);
  setup_reproduce(app, act);
  setup_sweep(app, act);
  setup_report(app);
  setup_signature(app, act);
  setup_help(app);
  setup_completion(app);
  setup_manual(app);
  const int status = run(app, argc, argv);
  if (!is_output_lost()) return status;
  complain("cannot write the output; free some space, or send it elsewhere");
  return status == 0 ? 1 : status;
}

}  // namespace neo

#include <malloc.h>
#include <unistd.h>
#ifdef NEO_WITH_TORCH
#include <torch/torch.h>
#include <torch/version.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "app/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "core/version.h"
#ifdef NEO_WITH_TORCH
#include "kernels/instructions.h"
#endif

namespace {
constexpr const char* kAbout =
    "neo learns theories from observation: shown only pairs (x, y), it discovers a small vocabulary of\n"
    "primitive operations, explains each pair by a short program over them, and applies it to new inputs.";
constexpr const char* kExample =
    "Examples:\n"
    "  neo learn pairs.npz\n"
    "  neo explain runs/pairs --pair runs/pairs/pairs.h5:0";

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
  if (choices.empty()) return std::string(error.what()) + "; see `" + command + " --help`";
  std::string names;
  for (const CLI::App* choice : choices) names += (names.empty() ? "" : ", ") + choice->get_name();
  const auto words = deepest->remaining();
  const std::string given = words.empty() ? "nothing" : "'" + words.front() + "'";
  return "`" + command + "` takes one of: " + names + "; it was given " + given;
}

// "0.1.0 (avx512 of portable, avx2, avx512; LibTorch 1.13.0; 2 threads)"
std::string describe_version() {
#ifdef NEO_WITH_TORCH
  std::string forms;
  for (const neo::Instructions form : neo::available_instructions())
    forms += (forms.empty() ? "" : ", ") + std::string(neo::name_of(form));
  return fmt::format("{} ({} of {}; LibTorch {}; {} threads)", neo::version(),
                     neo::name_of(neo::instructions()), forms, TORCH_VERSION, torch::get_num_threads());
#else
  return neo::version();
#endif
}

// One line, whatever names of files and other texts from outside it quotes.
void complain(const std::string& text) { std::cerr << "neo: " << neo::printable(text, text.size()) << "\n"; }

// What was printed must have arrived where it was sent.
bool is_output_lost() {
  const bool is_flushed = std::fflush(stdout) == 0 && std::cout.flush().good();
  return !is_flushed || std::ferror(stdout) != 0;
}

// Runs the chosen subcommand; the status to exit with.
int run(CLI::App& app, int argc, char** argv) {
  try {
#ifdef NEO_WITH_TORCH
    neo::instructions();  // a bad NEO_INSTRUCTIONS is reported before any work
#endif
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    complain(explain(app, error));
    return 2;
  } catch (const neo::Error& error) {
    complain(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    complain("out of memory; use a smaller batch, fewer episodes, or a larger machine");
  } catch (const std::exception& error) {
    if (!std::ferror(stdout)) complain(std::string("internal error, please report it: ") + error.what());
  }
  return 1;
}
}  // namespace

// OpenMP's threads wait for work by spinning, for milliseconds; beside another busy process that made runs
// many times slower. A short spin keeps the speed of an idle machine. The library reads this before main()
// does, so the program starts itself once more with it.
void bound_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "20000", 1);
  execv("/proc/self/exe", argv);  // returns only where there is no /proc: then go on as we are
}

int main(int argc, char** argv) {
  bound_spinning(argv);
  // Tensors of a few megabytes come and go with every operation; by default each would be mapped, cleared and
  // unmapped by the kernel, which took most of the time of an evaluation.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#ifdef NEO_WITH_TORCH
  // Debian's LibTorch starts with one thread unless told otherwise.
  if (std::getenv("OMP_NUM_THREADS") == nullptr)
    torch::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
#endif
  CLI::App app(kAbout, "neo");
  app.footer(kExample);
  app.set_version_flag("--version", describe_version);
  app.require_subcommand(1);
  neo::setup_data(app);
#ifdef NEO_WITH_TORCH
  neo::setup_learn(app);
  neo::setup_pretrain(app);
  neo::setup_train(app);
  neo::setup_eval(app);
  neo::setup_explain(app);
  neo::setup_transfer(app);
  neo::setup_inspect(app);
  neo::setup_bench(app);
  neo::setup_serve(app);
  neo::setup_reproduce(app);
  neo::setup_report(app);
  neo::setup_signature(app);
#endif
  neo::install_interrupt_handler();
  const int status = run(app, argc, argv);
  if (!is_output_lost()) return status;
  complain("cannot write the output; free some space, or send it elsewhere");
  return status == 0 ? 1 : status;
}

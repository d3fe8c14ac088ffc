#include <malloc.h>
#include <unistd.h>
#ifdef NEO_WITH_TORCH
#include <torch/torch.h>
#include <torch/version.h>
#endif

#include <cstdlib>
#include <iostream>
#include <thread>

#include "app/commands.h"
#include "core/error.h"
#include "core/files.h"
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
  while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands().front();
  const std::string command = deepest == &app ? "neo" : "neo " + deepest->get_name();
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
  try {
#ifdef NEO_WITH_TORCH
    neo::instructions();  // a bad NEO_INSTRUCTIONS is reported before any work
#endif
    app.parse(argc, argv);  // runs the chosen subcommand's callback
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::cerr << "neo: " << explain(app, error) << "\n";
    return 2;
  } catch (const neo::Error& error) {
    std::cerr << "neo: " << error.what() << "\n";
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "neo: out of memory; use a smaller batch, fewer episodes, or a larger machine\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "neo: internal error, please report it: " << error.what() << "\n";
    return 1;
  }
}

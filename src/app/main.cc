#include <iostream>

#include "app/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "core/version.h"

namespace {
constexpr const char* kAbout =
    "neo learns theories from observation: shown only pairs (x, y), it discovers a small vocabulary of\n"
    "primitive operations, explains each pair by a short program over them, and applies it to new inputs.";
constexpr const char* kExample =
    "Example:\n"
    "  neo data make gridworld --alpha 0.33 --out data/gridworld-0.33\n"
    "  neo data show data/gridworld-0.33/id.h5";
}  // namespace

int main(int argc, char** argv) {
  CLI::App app(kAbout, "neo");
  app.footer(kExample);
  app.set_version_flag("--version", neo::version());
  app.require_subcommand(1);
  neo::setup_data(app);
  neo::install_interrupt_handler();
  try {
    app.parse(argc, argv);  // runs the chosen subcommand's callback
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::cerr << "neo: " << error.what() << "; see `neo --help`\n";
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

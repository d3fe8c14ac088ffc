#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/command_line.h"
#include "app/handshake.h"
#include "core/error.h"

// `neo`: reads the command line, answers what needs no tensors, and becomes the engine for everything else. LibTorch
// takes longer to load than most answers take.
namespace neo {
namespace {
namespace fs = std::filesystem;

// Beside this program where both were built; in ../libexec/neo where they were installed.
fs::path engine_path() {
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path installed = folder.parent_path() / "libexec" / "neo";
  for (const fs::path& place : {folder, installed})
    if (std::error_code ignored; fs::exists(place / "neo-engine", ignored)) return place / "neo-engine";
  fail("this command needs neo-engine, which is neither in {} nor in {}; build or install neo again, with LibTorch",
       folder.string(), installed.string());
}

// OpenMP's threads wait for work by spinning, for milliseconds; beside another busy process that made runs
// many times slower. A short spin keeps the speed of an idle machine. The library reads this as it is loaded.
void bound_spinning() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "20000", /*overwrite=*/0);
}

[[noreturn]] void become_engine(char** argv) {
  const fs::path engine = engine_path();
  bound_spinning();
  setenv(kFrontVariable, source_name().c_str(), /*overwrite=*/1);
  execv(engine.c_str(), argv);
  fail("cannot start {}: {}; build or install neo again", engine.string(), std::strerror(errno));
}

}  // namespace
}  // namespace neo

int main(int argc, char** argv) {
  return neo::run_command_line(argc, argv, [argv](const neo::EngineCommand&) { neo::become_engine(argv); });
}

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace neo {

// Where theories lie, and the names by which commands take them: runs/pairs is `pairs`, and
// weights/NAME-alpha0.66.safetensors is `NAME-0.66`, from any folder.
struct KnownTheory {
  std::string name;
  std::filesystem::path path;  // a run folder, or a weights file
  bool shipped = false;
};
std::vector<KnownTheory> known_theories();  // own ones first, each group by name

// What a user calls a theory as a run folder or a weights file. Paths stay what they are; a benchmark alone is its
// theory of alpha 0.66. A UsageError where a plain name is not known.
std::filesystem::path resolve_theory(const std::filesystem::path& name);

// The weights file of a theory: the file itself, or the best of a run folder.
std::filesystem::path theory_file(const std::filesystem::path& path);
// The theories that come with neo.
std::vector<std::filesystem::path> shipped_theories();
// The folder that holds weights/: the current one, the source tree that the binary was built in, or where it was
// installed.
std::filesystem::path shared_folder();

}  // namespace neo

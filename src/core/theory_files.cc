#include "core/theory_files.h"

#include <algorithm>

#include "core/error.h"
#include "core/suggestion.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".safetensors", kAlpha = "-alpha", kUsualAlpha = "-0.66";
constexpr const char* kBest = "best.safetensors";
constexpr int kDeepestRun = 3;  // below runs/: those of a sweep or a reproduction have a folder of their own

// "name-0.66" of .../name-alpha0.66.safetensors
std::string short_name(const fs::path& file) {
  std::string name = file.stem().string();
  if (const size_t at = name.find(kAlpha); at != std::string::npos) name.erase(at + 1, kAlpha.size() - 1);
  return name;
}

void add_runs(const fs::path& folder, const std::string& name, int depth, std::vector<KnownTheory>& list) {
  std::error_code ignored;
  if (!name.empty() && fs::exists(folder / kBest, ignored)) list.push_back({name, folder, false});
  if (depth == kDeepestRun) return;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string below = entry.path().filename().string();
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored))
      add_runs(entry.path(), name.empty() ? below : name + "/" + below, depth + 1, list);
  }
}

// Not a path: "mine", but not "runs/mine" or "mine.safetensors".
bool is_plain(const fs::path& name) { return !name.empty() && name.extension() != kEnding && !name.has_parent_path(); }

}  // namespace

fs::path shared_folder() {
  if (fs::exists("weights")) return ".";
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = binary.parent_path().parent_path();  // of build/, bin/ or, one further, libexec/neo/
  for (const fs::path& folder : {above, above / "share" / "neo", above.parent_path() / "share" / "neo"}) {
    if (!error && fs::exists(folder / "weights")) return folder;
  }
  return ".";
}

std::vector<fs::path> shipped_theories() {
  std::vector<fs::path> paths;
  const fs::path folder = shared_folder() / "weights";
  if (!fs::is_directory(folder)) return paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kEnding) && !name.ends_with("-observation.safetensors")) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<KnownTheory> known_theories() {
  std::vector<KnownTheory> list;
  add_runs("runs", "", 0, list);
  std::ranges::sort(list, {}, &KnownTheory::name);
  for (const fs::path& path : shipped_theories()) list.push_back({short_name(path), path, true});
  return list;
}

fs::path resolve_theory(const fs::path& name) {
  const std::string text = name.string();
  if (fs::is_regular_file(name) || fs::exists(name / kBest)) return name;
  const auto known = known_theories();
  for (const std::string& wanted : {text, text + std::string(kUsualAlpha)}) {
    for (const KnownTheory& theory : known)
      if (theory.name == wanted || (theory.shipped && theory.path.stem() == wanted)) return theory.path;
  }
  for (const KnownTheory& theory : known)
    if (theory.shipped && theory.name.starts_with(text + "-") && is_plain(name)) return theory.path;
  if (fs::exists(name) || !is_plain(name)) return name;  // for its reader to complain about
  std::vector<std::string> names;
  for (const KnownTheory& theory : known) {
    names.push_back(theory.name);
    if (theory.shipped) names.push_back(theory.name.substr(0, theory.name.rfind('-')));
  }
  fail_usage("there is no theory '{}'{}; `neo models` lists them", printable(text), did_you_mean(text, names));
}

fs::path theory_file(const fs::path& path) { return fs::is_directory(path) ? path / kBest : path; }

}  // namespace neo

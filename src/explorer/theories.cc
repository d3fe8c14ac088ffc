#include "explorer/theories.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include "core/files.h"
#include "core/theory_files.h"
#include "explorer/explored_theory.h"
#include "explorer/strength.h"
#include "serve/run_watch.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{5};  // of a request for its turn
constexpr int64_t kForgetAfter = 500;         // turns
constexpr size_t kCurvePoints = 400;

}  // namespace

std::vector<TheoryFile> named_theories(const std::vector<fs::path>& paths) {
  std::vector<TheoryFile> files;
  std::set<std::string> taken;
  for (const fs::path& path : paths) {
    const std::string plain = name_of_path(path);
    std::string name = plain;
    for (int copy = 2; taken.count(name) > 0; ++copy) name = fmt::format("{} ({})", plain, copy);
    taken.insert(name);
    files.push_back({name, theory_file(path)});
  }
  return files;
}

struct Theories::Place {
  explicit Place(const fs::path& path) : file(path), theory(Theory::open(path), path.string()) {}
  const fs::path file;
  ExploredTheory theory;
  std::timed_mutex mutex;
  int64_t turns = 0;
  std::timed_mutex search_mutex;
  std::unique_ptr<ExploredTheory> searcher;  // a copy, made when first searched
  std::mutex vocabulary_mutex;
  json vocabulary;  // null until first requested
};

Theories::Theories(const std::vector<TheoryFile>& files)
    : workers_(std::max(1U, std::thread::hardware_concurrency())) {
  std::vector<std::unique_ptr<Place>> places;
  std::vector<Strength> strengths;
  for (const TheoryFile& file : files) {
    places.push_back(std::make_unique<Place>(file.path));
    strengths.push_back(places.back()->theory.strength());
  }
  for (const size_t i : strongest_first(strengths)) {
    infos_.push_back(places[i]->theory.info(files[i].id));
    places_.push_back(std::move(places[i]));
  }
}

Theories::~Theories() = default;

Theories::Place& Theories::find(const std::string& model) {
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].id == model) return *places_[i];
  }
  throw ApiError(404, fmt::format("there is no model '{}'", model));
}

template <typename Work>
json Theories::in_turn(const std::string& model, Work&& work) {
  Place& place = find(model);
  const std::unique_lock turn(place.mutex, kPatience);
  if (!turn) throw ApiError(503, "the theory is busy with other requests; try again in a moment");
  if (++place.turns % kForgetAfter == 0) place.theory.forget();
  return workers_([&] { return work(place.theory); });
}

// What a file keeps never changes: no turn is needed.
std::optional<ExamplePair> Theories::example(const std::string& model, uint64_t seed) {
  return find(model).theory.example(seed);
}

json Theories::explain(const ExplainRequest& request) {
  return in_turn(request.model, [&](ExploredTheory& theory) { return theory.explain(request); });
}

json Theories::transfer(const TransferRequest& request) {
  return in_turn(request.model, [&](ExploredTheory& theory) { return theory.transfer(request); });
}

// With a copy of the theory, one search of all at a time: explanations, which take milliseconds, never wait for
// searches, which take seconds.
json Theories::search(const SearchRequest& request) {
  Place& place = find(request.model);
  const std::unique_lock turn(place.search_mutex, kPatience);
  if (!turn) throw ApiError(503, "the theory is busy with other searches; try again in a moment");
  if (request.is_abandoned()) throw ApiError(499, "the client has gone");
  return search_worker_([&] {
    if (!place.searcher) place.searcher = place.theory.copy();
    json answer = place.searcher->search(request);
    place.searcher->forget();
    return answer;
  });
}

// What its run folder tells; a weights file alone has none.
json Theories::training(const std::string& model) {
  RunWatch watch(find(model).file.parent_path());
  watch.look();
  return {{"points", watch.curve(kCurvePoints)}};
}

json Theories::vocabulary_of(const std::filesystem::path& theory) {
  return slow_worker_([&] { return ExploredTheory(Theory::open(theory), "theory").vocabulary(); });
}

// With a copy of the theory: explanations go on meanwhile.
json Theories::vocabulary(const std::string& model) {
  Place& place = find(model);
  const std::scoped_lock lock(place.vocabulary_mutex);
  if (place.vocabulary.is_null())
    place.vocabulary = slow_worker_([&] { return place.theory.copy()->vocabulary(); });
  return place.vocabulary;
}

}  // namespace neo

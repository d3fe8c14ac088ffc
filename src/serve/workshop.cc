#include "serve/workshop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>

#include "core/child.h"
#include "core/files.h"
#include "core/isolated.h"
#include "core/run_folder.h"
#include "core/text.h"
#include "data/import.h"
#include "serve/backend.h"
#include "serve/run_watch.h"
#include "view/view.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t kMostJobs = 4;
constexpr int64_t kShownPairs = 24;
constexpr size_t kCurvePoints = 240;
constexpr IsolationLimits kImportLimits{.seconds = 60, .memory = int64_t{2} << 30};
constexpr double kGrace = 1.5;  // `--minutes` is approximate: this much of them, and
constexpr double kGraceSeconds = 90;
constexpr std::chrono::seconds kBetweenVocabularies{3};
constexpr std::array<std::string_view, 8> kEndings{".npz", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".h5", ".hdf5"};

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}", random(), random(), random());
}

std::string ending_of(const std::string& name) {
  const std::string ending = lowercase(fs::path(name).extension().string());
  if (std::ranges::find(kEndings, ending) == kEndings.end())
    fail("{} is of no kind that is read here; send one of {}", printable(name, 60), fmt::join(kEndings, " "));
  return ending;
}

// The pairs as they travel, a few from the whole file.
json contact_sheet(PairReader& reader) {
  const auto view = make_view(reader.info().space);
  const int64_t count = reader.count(Part::main);
  const int64_t shown = std::min(count, kShownPairs);
  json list = json::array();
  for (int64_t i = 0; i < shown; ++i) {
    const Pair pair = reader.pair(Part::main, i * count / shown);
    list.push_back({{"x", view->text(pair.x)}, {"y", view->text(pair.y)}});
  }
  return list;
}

void require_name(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  if (name.empty() || name.size() > 40 || !std::ranges::all_of(name, is_plain))
    fail("a name has up to 40 letters, digits, '-' and '_'");
}

}  // namespace

struct Workshop::Job {
  explicit Job(fs::path place) : folder(std::move(place)), watch(folder / "run") {}
  ~Job() {
    child.reset();  // ends it
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  fs::path pairs() const { return folder / "pairs.h5"; }
  fs::path run() const { return folder / "run"; }
  fs::path log() const { return folder / "log"; }
  fs::path theory() const { return run() / "best.safetensors"; }
  bool is_running() { return child && !child->poll(); }
  double seconds() const {
    const auto end = ended.value_or(Clock::now());
    return started ? spent + std::chrono::duration<double>(end - *started).count() : 0;
  }

  const fs::path folder;
  std::mutex mutex;
  std::unique_ptr<Child> child;
  bool stopped = false;  // by request
  double minutes = 0, spent = 0;  // of the training; seconds of earlier parts of it
  std::optional<Clock::time_point> started, ended;
  Clock::time_point seen = Clock::now();
  RunWatch watch;
  std::mutex vocabulary_mutex;
  int64_t stamp = 0;  // of the vocabulary
  fs::file_time_type written{};
  Clock::time_point named{};
  json vocabulary;
};

Workshop::Workshop(WorkshopOptions options) : options_(std::move(options)) {}

Workshop::~Workshop() {
  jobs_.clear();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

json Workshop::description() const {
  return {{"enabled", options_.minutes > 0}, {"minutes", options_.minutes}, {"bytes", kMostBytes}, {"endings", kEndings}};
}

void Workshop::require_possible() const {
  if (options_.minutes <= 0)
    throw ApiError(403, "learning is off on this server; `neo learn FILE` does it on the command line");
}

std::shared_ptr<Workshop::Job> Workshop::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) throw ApiError(404, "these data have been forgotten; send them again");
  return found->second;
}

json Workshop::receive(const std::string& name, std::string_view content) {
  require_possible();
  const std::string ending = ending_of(name);
  if (content.empty()) fail("{} is empty", printable(name, 60));
  if (content.size() > kMostBytes) throw ApiError(413, fmt::format("a file may have {} bytes here", kMostBytes));
  const std::unique_lock turn(import_mutex_, std::try_to_lock);
  if (!turn) throw ApiError(503, "another file is being read; try again in a moment");
  if (folder_.empty()) {
    std::string pattern = (fs::temp_directory_path() / "neo-serve-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail("there is no place for data; is {} full?", fs::temp_directory_path().string());
    folder_ = pattern;
  }
  const std::string id = random_id();
  const auto job = std::make_shared<Job>(folder_ / id);
  fs::create_directory(job->folder);
  const fs::path file = job->folder / ("data" + ending);
  write_file_atomically(file, content);
  const fs::path report = job->folder / "report.json";
  run_isolated(
      [&] {
        ImportOptions options{.sources = {file}, .out = job->pairs(), .is_quiet = true};
        const ImportReport found = import_pairs(options);
        json told = found.json();
        told["paragraph"] = found.paragraph();
        write_file_atomically(report, told.dump());
      },
      "these data cannot be read here: it took too long, too much memory, or they are damaged", kImportLimits);
  fs::remove(file);
  const json told = json::parse(read_file(report));
  PairReader reader(job->pairs());
  json answer{{"data", id}, {"space", to_json(reader.info().space)}, {"samples", contact_sheet(reader)}};
  for (const char* key : {"description", "pairs", "held_out", "held_out_by", "unchanged", "duplicates", "notes", "warnings"})
    answer[key] = told.at(key);
  const std::scoped_lock lock(mutex_);
  if (jobs_.size() >= kMostJobs) throw ApiError(503, "too many files at once; close another page, or wait a minute");
  jobs_[id] = job;
  return answer;
}

void Workshop::learn(const std::string& id, double minutes) {
  require_possible();
  if (minutes > options_.minutes) fail("minutes: {} is more than {}, the most on this server", minutes, options_.minutes);
  const auto job = find(id);
  const std::scoped_lock turn(turn_mutex_);
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [other, work] : jobs_) {
      const std::scoped_lock its(work->mutex);
      if (work->is_running()) throw ApiError(409, "a training is running already; one at a time");
    }
  }
  const std::scoped_lock lock(job->mutex);
  if (fs::exists(job->run() / "learned.json")) throw ApiError(409, "a theory has been learned from these data");
  if (fs::exists(job->run()) && !holds_run(job->run())) fs::remove_all(job->run());
  job->spent = job->seconds();
  job->minutes = minutes;
  job->stopped = false;
  job->ended.reset();
  job->started = Clock::now();
  job->child = std::make_unique<Child>(
      ChildOptions{.arguments = {options_.program.string(), "learn", job->pairs().string(), "--out", job->run().string(),
                                 "--minutes", fmt::format("{}", minutes), "--json"},
                   .log = job->log()});
}

void Workshop::stop(const std::string& id) {
  const auto job = find(id);
  const std::scoped_lock lock(job->mutex);
  job->stopped = true;
  if (job->is_running()) job->child->stop();
}

json Workshop::progress(const std::string& id) {
  const auto job = find(id);
  const std::scoped_lock lock(job->mutex);
  job->seen = Clock::now();
  job->watch.look();
  const bool running = job->is_running();
  if (job->child && !running && !job->ended) job->ended = Clock::now();
  json answer{{"seconds", job->seconds()},
              {"minutes", job->minutes},
              {"step", job->watch.step()},
              {"points", job->watch.curve(kCurvePoints)},
              {"message", ""},
              {"result", json::object()}};
  const fs::path learned = job->run() / "learned.json";
  if (!job->child) {
    answer["state"] = "ready";
  } else if (running) {
    answer["state"] = job->stopped ? "stopping" : job->watch.step() == 0 ? "counting" : "training";
  } else if (fs::exists(learned)) {
    answer["state"] = "finished";
    answer["result"] = json::parse(read_file(learned));
    for (const char* path : {"run", "data"}) answer["result"].erase(path);  // nobody's business
  } else if (job->stopped) {
    answer["state"] = "stopped";
  } else {
    answer["state"] = "failed";
    answer["message"] = fs::exists(job->log()) ? last_line(job->log()) : "the training ended without a word";
  }
  return answer;
}

json Workshop::vocabulary(const std::string& id, int64_t& stamp) {
  const auto job = find(id);
  const std::unique_lock lock(job->vocabulary_mutex);
  std::error_code none;
  const auto written = fs::last_write_time(job->theory(), none);
  if (none || !options_.vocabulary) return nullptr;
  const bool is_due = Clock::now() - job->named > kBetweenVocabularies;
  if (written != job->written && is_due) {
    try {
      job->vocabulary = options_.vocabulary(job->theory());
      job->written = written;
      ++job->stamp;
    } catch (const std::exception&) {
      // It is being replaced, or has too little to show yet; the next look may see more.
    }
    job->named = Clock::now();
  }
  if (stamp == job->stamp) return nullptr;
  stamp = job->stamp;
  return job->vocabulary;
}

std::string Workshop::save(const std::string& id, const std::string& name) {
  require_name(name);
  const auto job = find(id);
  const std::scoped_lock lock(job->mutex);
  if (job->is_running()) throw ApiError(409, "stop the training first");
  if (!fs::exists(job->theory())) throw ApiError(409, "there is no theory to save yet");
  const fs::path place = options_.saved / name;
  if (fs::exists(place)) throw ApiError(409, fmt::format("there is a run {} already; choose another name", name));
  fs::create_directories(options_.saved);
  fs::copy(job->run(), place, fs::copy_options::recursive);
  fs::copy_file(job->pairs(), place / kRunPairs, fs::copy_options::skip_existing);
  return place.string();
}

std::string Workshop::theory(const std::string& id) {
  const auto job = find(id);
  const std::scoped_lock lock(job->mutex);
  if (!fs::exists(job->theory())) throw ApiError(409, "there is no theory yet");
  return read_file(job->theory());
}

void Workshop::forget(const std::string& id) {
  std::shared_ptr<Job> job;  // ended outside of the lock
  const std::scoped_lock turn(turn_mutex_);
  {
    const std::scoped_lock lock(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) return;
    job = std::move(found->second);
    jobs_.erase(found);
  }
}

void Workshop::tend() {
  const auto now = Clock::now();
  if (now - tended_ < std::chrono::seconds(1)) return;
  tended_ = now;
  std::vector<std::string> unseen;
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    for (const auto& [id, job] : jobs_) {
      const std::unique_lock its(job->mutex, std::try_to_lock);
      if (!its) continue;
      const bool is_unseen = now - job->seen > options_.patience;
      const bool is_late = job->seconds() - job->spent > 60 * kGrace * job->minutes + kGraceSeconds;
      if (!job->is_running()) {
        if (is_unseen) unseen.push_back(id);
      } else if (is_unseen || is_late) {
        job->stopped = true;
        job->child->stop();
      }
    }
  }
  for (const std::string& id : unseen) forget(id);
}

}  // namespace neo

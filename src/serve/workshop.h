#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace neo {

struct WorkshopOptions {
  double minutes = 10;                              // that a training may take; 0: nothing is learned here
  std::filesystem::path program = "/proc/self/exe";  // learns as `PROGRAM learn PAIRS --out RUN --minutes M --json`
  std::filesystem::path saved = "runs";             // where theories are saved
  std::chrono::seconds patience{60};                // until what nobody looks at any more is forgotten
  // The vocabulary of a theory's file, as POST /api/vocabulary answers it.
  std::function<nlohmann::json(const std::filesystem::path& theory)> vocabulary;
};

// Learning from data that a page sends. Data are parsed in a child process, learned from in another one, one training at
// a time, and kept in a folder of their own until the page forgets them, or nobody has looked at them for a while. No
// path comes from a request. May be used from many threads.
class Workshop {
 public:
  static constexpr size_t kMostBytes = size_t{8} << 20;  // of a file

  explicit Workshop(WorkshopOptions options);
  ~Workshop();  // ends the training and forgets everything
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  // What is possible here.
  nlohmann::json description() const;
  // A file as its page names it ("moves.jsonl"; only the ending counts), and what it was understood as: an ApiError or Error
  // where it was not.
  nlohmann::json receive(const std::string& name, std::string_view content);
  // Begins, or goes on where it was stopped.
  void learn(const std::string& id, double minutes);
  void stop(const std::string& id);
  // How far the training is; also says that somebody is looking.
  nlohmann::json progress(const std::string& id);
  // The vocabulary as it is now, null where there is none yet. `stamp` says which one the caller has, and is updated; null
  // where that has not changed.
  nlohmann::json vocabulary(const std::string& id, int64_t& stamp);
  // Keeps the run under a name of letters, digits, '-' and '_'; answers where.
  std::string save(const std::string& id, const std::string& name);
  // The bytes of the theory that was learned.
  std::string theory(const std::string& id);
  void forget(const std::string& id);
  // Forgets what nobody looks at, and stops what takes too long; to be called now and then.
  void tend();

 private:
  struct Job;
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<Job> find(const std::string& id);
  void require_possible() const;

  WorkshopOptions options_;
  std::filesystem::path folder_;  // of everything that is not saved
  std::mutex mutex_;              // of jobs_
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::mutex import_mutex_;       // one file at a time
  std::mutex turn_mutex_;         // whoever begins a training
  Clock::time_point tended_{};
};

}  // namespace neo

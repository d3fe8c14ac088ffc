#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace neo {

enum class ProgressStyle { kBar, kLines, kSilent };
// A bar where stderr is a terminal that understands escapes, plain lines elsewhere, nothing when `quiet`.
ProgressStyle progress_style(bool quiet = false);

// What to show; the two functions below render it.
struct ProgressState {
  std::string label;
  int64_t done = 0;
  int64_t total = 0;  // 0: unknown
  double rate = 0;    // per second
  std::string suffix;
};
std::string progress_bar(const ProgressState& state, int columns);  // fits into `columns`
std::string progress_line(const ProgressState& state);

// Receives the progress of every loop of this thread instead of stderr, however quiet the loop: often, and once more
// at its end. Empty: stderr again. For a program that shows progress in its own way.
using ProgressListener = std::function<void(const ProgressState&, bool finished)>;
void set_progress_listener(ProgressListener listener);

// Shows the progress of a long loop on stderr, with rate and time left. Ends with one line that stays; where
// there is no bar, only if it took a second or more, so that a short run prints nothing but its result.
//
//   Progress bar("making train", total);
//   for (...) bar.advance(1);
//   bar.finish();
//
// Cheap enough for an inner loop (one clock reading per call); not for use from several threads at once.
class Progress {
 public:
  // `start`: what an earlier run has done already; it does not count into the rate.
  Progress(std::string label, int64_t total, ProgressStyle style = progress_style(), int64_t start = 0);
  ~Progress();  // without finish(): an exception; leaves the last state on its own line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(int64_t count, const std::string& suffix = "");
  void set_total(int64_t total) { state_.total = total; }  // if the loop turns out longer
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const;
  void show();

  ProgressState state_;
  ProgressStyle style_;
  int64_t start_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  bool open_line_ = false;  // a bar is on the screen, the cursor behind it
  bool finished_ = false;
};

}  // namespace neo

#include "core/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/terminal.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(5);
constexpr double kShortLoop = 1;  // seconds
constexpr size_t kNarrowestBar = 8;
constexpr size_t kWidestBar = 40;

std::string grouped(int64_t count) {  // 60,000
  const std::string digits = fmt::format("{}", std::max<int64_t>(0, count));
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string rate_text(double rate) {
  if (rate >= 1e6) return fmt::format("{:.1f}M/s", rate / 1e6);
  if (rate >= 1e4) return fmt::format("{:.1f}k/s", rate / 1e3);
  if (rate >= 100) return fmt::format("{:.0f}/s", rate);
  return fmt::format("{:.3g}/s", rate);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::min(seconds, 3.6e8));  // "99999:59:59" at most
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

double fraction(const ProgressState& state) {
  if (state.total <= 0) return 0;
  return std::clamp(static_cast<double>(state.done) / static_cast<double>(state.total), 0.0, 1.0);
}

std::string count_text(const ProgressState& state) {
  return state.total > 0 ? grouped(state.done) + "/" + grouped(state.total) : grouped(state.done);
}

std::string eta_text(const ProgressState& state) {
  if (state.total <= 0 || state.rate <= 0) return "";
  return "ETA " +
         duration_text(static_cast<double>(std::max<int64_t>(0, state.total - state.done)) / state.rate);
}

thread_local ProgressListener t_listener;

std::string blocks(double filled, size_t width) {
  static const char* const kEighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(std::lround(filled * static_cast<double>(width * 8)));
  std::string text;
  for (size_t cell = 0; cell < width; ++cell) {
    const size_t rest = eighths - std::min(eighths, cell * 8);
    text += rest >= 8 ? "█" : kEighths[rest];
  }
  return text;
}

}  // namespace

void set_progress_listener(ProgressListener listener) { t_listener = std::move(listener); }

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::kSilent;
  const bool escapes_work =
      wants_colour(is_terminal(STDERR_FILENO), /*no_color=*/nullptr, std::getenv("TERM"));
  return escapes_work ? ProgressStyle::kBar : ProgressStyle::kLines;
}

std::string progress_bar(const ProgressState& state, int columns) {
  const auto width = static_cast<size_t>(std::max(columns, 1));
  std::string tail = "  " + count_text(state) + "  " + rate_text(state.rate);
  if (const std::string eta = eta_text(state); !eta.empty()) tail += "  " + eta;
  if (!state.suffix.empty()) tail += "  " + state.suffix;
  std::string middle;
  if (state.total > 0) {
    const std::string percent = fmt::format(" {:3.0f}%", std::floor(100 * fraction(state)));
    const size_t taken = utf8_columns(state.label) + 3 + percent.size() + utf8_columns(tail);
    const size_t room = width - std::min(width, taken);
    if (room >= kNarrowestBar) middle = " ▕" + blocks(fraction(state), std::min(room, kWidestBar)) + "▏";
    middle += percent;
  }
  return utf8_prefix(state.label + middle + tail, width);
}

std::string progress_line(const ProgressState& state) {
  std::string line = fmt::format("{}: {}", state.label, count_text(state));
  if (state.total > 0) line += fmt::format(" ({:.0f}%)", std::floor(100 * fraction(state)));
  line += ", " + rate_text(state.rate);
  if (const std::string eta = eta_text(state); !eta.empty()) line += ", " + eta;
  if (!state.suffix.empty()) line += ", " + state.suffix;
  return line;
}

Progress::Progress(std::string label, int64_t total, ProgressStyle style, int64_t start)
    : state_{std::move(label), start, total, 0, ""}, style_(style), start_(start) {}

Progress::~Progress() {
  if (!finished_ && open_line_) std::fputc('\n', stderr);
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

void Progress::advance(int64_t count, const std::string& suffix) {
  state_.done += count;
  if (style_ == ProgressStyle::kSilent && !t_listener) return;
  const auto now = Clock::now();
  const bool is_often = style_ == ProgressStyle::kBar || t_listener;
  if (now - shown_ < (is_often ? kBarInterval : kLineInterval)) return;
  shown_ = now;
  state_.suffix = suffix;
  show();
}

void Progress::show() {
  state_.rate = static_cast<double>(state_.done - start_) / std::max(seconds(), 1e-9);
  if (t_listener) return t_listener(state_, finished_);
  if (style_ == ProgressStyle::kLines) {
    fmt::print(stderr, "{}\n", progress_line(state_));
    return;
  }
  // One column stays free: a full last column makes some terminals wrap.
  fmt::print(stderr, "\r{}\x1b[K", progress_bar(state_, terminal_width() - 1));
  std::fflush(stderr);
  open_line_ = true;
}

void Progress::finish() {
  if (finished_) return;
  finished_ = true;
  if (t_listener) return show();
  if (style_ == ProgressStyle::kSilent) return;
  const double elapsed = seconds();
  if (style_ == ProgressStyle::kLines && elapsed < kShortLoop) return;
  const int64_t count = state_.done - start_;
  fmt::print(stderr, "{}{}: {} in {:.1f} s ({}){}\n", open_line_ ? "\r" : "", state_.label, grouped(count),
             elapsed, rate_text(static_cast<double>(count) / std::max(elapsed, 1e-9)),
             open_line_ ? "\x1b[K" : "");
}

}  // namespace neo

#include "neo/peak.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/table.h"
#include "core/text.h"
#include "kernels/forms/form.h"
#include "kernels/parallel.h"
#include "kernels/precision.h"

namespace neo {
namespace {

constexpr int kAttempts = 30;
constexpr int64_t kShares = 16;  // of each attempt's work for every thread: one that is late gets fewer

// f(share) for all shares on so many threads; the least seconds of several attempts.
template <typename F>
double best_seconds(int threads, int attempts, const F& f) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  double best = 1e9;
  for (int i = 0; i < attempts; ++i) {
    const auto start = std::chrono::steady_clock::now();
    in_parallel(threads * kShares, f);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  omp_set_num_threads(before);
  return best;
}

// Multiply-adds a second of a form, float32 or rounded.
double rate_of(const auto& form, int threads) {
  constexpr int64_t kRounds = 40'000;
  std::vector<float> results(static_cast<size_t>(threads * kShares));
  const double seconds = best_seconds(threads, kAttempts, [&](int64_t share) {
    results[static_cast<size_t>(share)] = form.multiply_adds(kRounds, 0.5f);
  });
  return static_cast<double>(threads * kShares * kRounds * form.multiply_adds_per_round) / seconds;
}

}  // namespace

double measure_peak(Instructions instructions, int threads) { return rate_of(form_of(instructions), threads); }

double measure_rounded_peak(int threads) { return rate_of(rounded_form(), threads); }

double measure_bandwidth(int threads) {
  constexpr int64_t kColumns = 4096, kBytes = int64_t{1} << 30;
  const int64_t shares = threads * kShares, rows = kBytes / (shares * kColumns * int64_t{sizeof(float)});
  const std::vector<float> memory(static_cast<size_t>(shares * rows * kColumns), 1.0f);
  std::vector<float> sums(static_cast<size_t>(shares * kColumns));
  const double seconds = best_seconds(threads, kAttempts / 3, [&](int64_t share) {
    form().column_sums(memory.data() + share * rows * kColumns, rows, kColumns, sums.data() + share * kColumns);
  });
  return static_cast<double>(memory.size() * sizeof(float)) / seconds;
}

Peaks measure_peaks(int threads) {
  Peaks peaks;
  peaks.threads = threads > 1 ? std::vector{1, threads} : std::vector{1};
  for (const Instructions form : available_instructions()) {
    peaks.forms.push_back({std::string(name_of(form)), {}});
    for (const int count : peaks.threads) peaks.forms.back().multiply_adds.push_back(measure_peak(form, count) * 1e-9);
  }
  if (is_possible(Precision::bf16)) {
    peaks.forms.push_back({"avx512-bf16", {}});
    for (const int count : peaks.threads)
      peaks.forms.back().multiply_adds.push_back(measure_rounded_peak(count) * 1e-9);
  }
  for (const int count : peaks.threads) peaks.memory_bytes.push_back(measure_bandwidth(count) * 1e-9);
  return peaks;
}

std::vector<nlohmann::json> to_json(const Peaks& peaks) {
  std::vector<nlohmann::json> lines;
  for (size_t i = 0; i < peaks.threads.size(); ++i) {
    for (const Peaks::Form& form : peaks.forms)
      lines.push_back({{"instructions", form.name},
                       {"threads", peaks.threads[i]},
                       {"multiply_adds_per_ns", form.multiply_adds[i]}});
    lines.push_back({{"memory_bytes_per_ns", peaks.memory_bytes[i]}, {"threads", peaks.threads[i]}});
  }
  return lines;
}

std::string table(const Peaks& peaks) {
  std::vector<std::vector<std::string>> rows{{"", ""}};
  for (const int count : peaks.threads) rows.front().push_back(counted(count, "thread"));
  const auto add = [&](const std::string& name, const std::string& unit, const std::vector<double>& rates) {
    rows.push_back({name, unit});
    for (const double rate : rates) rows.back().push_back(fmt::format("{:.1f}", rate));
  };
  for (const Peaks::Form& form : peaks.forms) add(form.name, "multiply-adds per ns", form.multiply_adds);
  add("memory", "bytes read per ns", peaks.memory_bytes);
  return aligned(rows, /*names=*/2);
}

}  // namespace neo

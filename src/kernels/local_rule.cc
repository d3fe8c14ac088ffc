#include "kernels/local_rule.h"

#include <ATen/Parallel.h>
#include <immintrin.h>

#include <cstring>
#include <vector>

namespace neo {
namespace {

constexpr int64_t kWorthThread = 128;  // executions of about a microsecond
constexpr int64_t kParts = kLocalHidden / kLocalWidth;

// Weights turned so that one input value meets a whole register of outputs.
struct Turned {
  float in[kLocalWidth][kLocalHidden];
  float out[kLocalHidden][kLocalWidth];
};

Turned turn(const LocalRule& rule) {
  Turned t{};
  for (int64_t d = 0; d < kLocalWidth; ++d) {
    for (int64_t h = 0; h < kLocalHidden; ++h) {
      t.in[d][h] = rule.in_weight[h * kLocalWidth + d];
      t.out[h][d] = rule.out_weight[d * kLocalHidden + h];
    }
  }
  return t;
}

// One action on one grid, whose border is in `padded` already.
[[gnu::target("avx2,fma")]] void run_one(const LocalRule& rule, const Turned& turned, const float* padded,
                                         int64_t action, float* out) {
  const int64_t stride = (rule.columns + 2) * kLocalWidth;
  const size_t taps = rule.neighbours.size();
  const float* weight = rule.taps + action * static_cast<int64_t>(taps);
  __m256 gamma[kParts], beta[kParts], in_bias[kParts];
  for (int64_t part = 0; part < kParts; ++part) {
    gamma[part] = _mm256_loadu_ps(rule.gamma + action * kLocalHidden + part * kLocalWidth);
    beta[part] = _mm256_loadu_ps(rule.beta + action * kLocalHidden + part * kLocalWidth);
    in_bias[part] = _mm256_loadu_ps(rule.in_bias + part * kLocalWidth);
  }
  const __m256 out_bias = _mm256_loadu_ps(rule.out_bias);
  alignas(32) float hidden[kLocalHidden];
  alignas(32) float mixed_values[kLocalWidth];
  for (int64_t y = 0; y < rule.rows; ++y) {
    for (int64_t x = 0; x < rule.columns; ++x) {
      const float* cell = padded + (y + 1) * stride + (x + 1) * kLocalWidth;
      __m256 mixed = _mm256_setzero_ps();
      for (size_t tap = 0; tap < taps; ++tap) {
        const float* neighbour =
            cell + rule.neighbours[tap].down * stride + rule.neighbours[tap].right * kLocalWidth;
        mixed = _mm256_fmadd_ps(_mm256_set1_ps(weight[tap]), _mm256_loadu_ps(neighbour), mixed);
      }
      _mm256_store_ps(mixed_values, mixed);
      __m256 sum[kParts];
      for (int64_t part = 0; part < kParts; ++part) sum[part] = in_bias[part];
      for (int64_t d = 0; d < kLocalWidth; ++d) {
        const __m256 value = _mm256_set1_ps(mixed_values[d]);
        for (int64_t part = 0; part < kParts; ++part)
          sum[part] = _mm256_fmadd_ps(value, _mm256_loadu_ps(turned.in[d] + part * kLocalWidth), sum[part]);
      }
      for (int64_t part = 0; part < kParts; ++part) {
        _mm256_store_ps(
            hidden + part * kLocalWidth,
            _mm256_max_ps(_mm256_fmadd_ps(sum[part], gamma[part], beta[part]), _mm256_setzero_ps()));
      }
      __m256 result = _mm256_add_ps(mixed, out_bias);
      for (int64_t h = 0; h < kLocalHidden; ++h)
        result = _mm256_fmadd_ps(_mm256_set1_ps(hidden[h]), _mm256_loadu_ps(turned.out[h]), result);
      _mm256_storeu_ps(out + (y * rule.columns + x) * kLocalWidth, result);
    }
  }
}

}  // namespace

bool has_local_rule() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

void run_local_rule(const LocalRule& rule, const float* states, const int64_t* grid, const int64_t* action,
                    int64_t pairs, float* out) {
  const Turned turned = turn(rule);
  const int64_t cells = rule.rows * rule.columns * kLocalWidth;
  const int64_t wide = (rule.columns + 2) * kLocalWidth;
  at::parallel_for(0, pairs, kWorthThread, [&](int64_t begin, int64_t end) {
    std::vector<float> padded(static_cast<size_t>((rule.rows + 2) * wide));
    for (int64_t cell = 0; cell < (rule.rows + 2) * (rule.columns + 2); ++cell) {
      std::memcpy(&padded[static_cast<size_t>(cell * kLocalWidth)], rule.outside,
                  kLocalWidth * sizeof(float));
    }
    int64_t loaded = -1;
    for (int64_t i = begin; i < end; ++i) {
      if (grid[i] != loaded) {
        loaded = grid[i];
        for (int64_t y = 0; y < rule.rows; ++y) {
          std::memcpy(&padded[static_cast<size_t>((y + 1) * wide + kLocalWidth)],
                      states + loaded * cells + y * rule.columns * kLocalWidth,
                      static_cast<size_t>(rule.columns * kLocalWidth) * sizeof(float));
        }
      }
      run_one(rule, turned, padded.data(), action[i], out + i * cells);
    }
  });
}

}  // namespace neo

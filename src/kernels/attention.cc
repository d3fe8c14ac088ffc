#include "kernels/attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/simd_clones.h"
#include "kernels/vector_math.h"

namespace neo {
namespace {

constexpr int64_t kParts = kHeadWidth / kLanes;
constexpr int64_t kWorthThread = 32;  // rows

// kHeadWidth floats in registers.
struct Vector {
  Lanes part[kParts];
};

// Not by memcpy: compilers copy by halves of a register, and loading the whole then waits for both stores.
using Unaligned [[gnu::aligned(4), gnu::may_alias]] = Lanes;
[[gnu::always_inline]] inline Vector load(const float* from) {
  Vector v;
  for (int64_t p = 0; p < kParts; ++p) v.part[p] = reinterpret_cast<const Unaligned*>(from)[p];
  return v;
}
[[gnu::always_inline]] inline void store(const Vector& v, float* to) {
  for (int64_t p = 0; p < kParts; ++p) reinterpret_cast<Unaligned*>(to)[p] = v.part[p];
}
[[gnu::always_inline]] inline void add(Vector& sum, float weight, const Vector& v) {
  for (int64_t p = 0; p < kParts; ++p) sum.part[p] += weight * v.part[p];
}

// Keys turned so that one value of a query meets all of them at once.
struct Turned {
  Lanes row[kHeadWidth][kMostKeys / kLanes];
};

[[gnu::always_inline]] inline void turn(const float* token, int64_t stride, int64_t keys, Turned& turned) {
  float values[kHeadWidth][kMostKeys] = {};
  for (int64_t j = 0; j < keys; ++j) {
    for (int64_t w = 0; w < kHeadWidth; ++w) values[w][j] = token[j * stride + w];
  }
  std::memcpy(&turned, values, sizeof(turned));
}

// One number for each key, in registers.
using Scores = Lanes[kMostKeys / kLanes];

[[gnu::always_inline]] inline void load_scores(const float* from, int64_t keys, Scores& to) {
  float values[kMostKeys] = {};
  std::memcpy(values, from, static_cast<size_t>(keys) * sizeof(float));
  std::memcpy(&to, values, sizeof(to));
}

// In pairs, since a sum of sixteen one after the other is sixteen times the latency of one.
[[gnu::always_inline]] inline float total(const Scores& scores) {
  float v[kLanes];
  Lanes sum = scores[0];
  for (int64_t p = 1; p < kMostKeys / kLanes; ++p) sum += scores[p];
  std::memcpy(v, &sum, sizeof(v));
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

[[gnu::always_inline]] inline float largest(const Scores& scores) {
  float v[kLanes];
  Lanes most = scores[0];
  for (int64_t p = 1; p < kMostKeys / kLanes; ++p) most = most > scores[p] ? most : scores[p];
  std::memcpy(v, &most, sizeof(v));
  return std::max(std::max(std::max(v[0], v[1]), std::max(v[2], v[3])),
                  std::max(std::max(v[4], v[5]), std::max(v[6], v[7])));
}

// The products of one vector with all turned tokens.
[[gnu::always_inline]] inline void products(const float* vector, const Turned& turned, Scores& out) {
  for (Lanes& lanes : out) lanes = Lanes{};
  for (int64_t w = 0; w < kHeadWidth; ++w) {
    for (int64_t p = 0; p < kMostKeys / kLanes; ++p) out[p] += vector[w] * turned.row[w][p];
  }
}

NEO_SIMD_CLONES void attend_row(const AttentionTask& t, int64_t row, float* out) {
  const int64_t width = t.heads * kHeadWidth;
  const float scale = 1.0f / std::sqrt(static_cast<float>(kHeadWidth));
  constexpr float kNever = -1e30f;
  Scores present, absent;  // 1 and 0 where there is a key, 0 and kNever beyond
  for (int64_t j = 0; j < kMostKeys; ++j) {
    present[j / kLanes][j % kLanes] = j < t.keys ? 1.0f : 0.0f;
    absent[j / kLanes][j % kLanes] = j < t.keys ? 0.0f : kNever;
  }
  Turned keys;
  for (int64_t head = 0; head < t.heads; ++head) {
    const float* key = t.memory + row * t.keys * 2 * width + head * kHeadWidth;
    const float* value = key + width;
    turn(key, 2 * width, t.keys, keys);
    for (int64_t i = 0; i < t.queries; ++i) {
      Scores score;
      products(t.query + (row * t.queries + i) * width + head * kHeadWidth, keys, score);
      for (int64_t p = 0; p < kMostKeys / kLanes; ++p) score[p] = score[p] * scale + absent[p];
      const float most = largest(score);
      for (int64_t p = 0; p < kMostKeys / kLanes; ++p) {
        score[p] -= most;
        exponentiate(score[p]);
        score[p] *= present[p];
      }
      const float share = 1.0f / total(score);
      for (Lanes& lanes : score) lanes *= share;
      float values[kMostKeys];
      std::memcpy(values, score, sizeof(values));
      std::memcpy(t.probability + ((row * t.heads + head) * t.queries + i) * t.keys, values,
                  static_cast<size_t>(t.keys) * sizeof(float));
      Vector mean{};
      for (int64_t j = 0; j < t.keys; ++j) add(mean, values[j], load(value + j * 2 * width));
      store(mean, out + (row * t.queries + i) * width + head * kHeadWidth);
    }
  }
}

NEO_SIMD_CLONES void attend_row_backward(const AttentionTask& t, int64_t row, const float* upstream,
                                           float* query_gradient, float* memory_gradient) {
  const int64_t width = t.heads * kHeadWidth;
  const float scale = 1.0f / std::sqrt(static_cast<float>(kHeadWidth));
  Turned values;
  for (int64_t head = 0; head < t.heads; ++head) {
    const int64_t first = row * t.keys * 2 * width + head * kHeadWidth;
    const float* key = t.memory + first;
    turn(key + width, 2 * width, t.keys, values);
    Vector d_key[kMostKeys] = {}, d_value[kMostKeys] = {};
    for (int64_t i = 0; i < t.queries; ++i) {
      const int64_t at = (row * t.queries + i) * width + head * kHeadWidth;
      const float* probability = t.probability + ((row * t.heads + head) * t.queries + i) * t.keys;
      Scores d_probability, share, d_score;
      products(upstream + at, values, d_probability);
      load_scores(probability, t.keys, share);
      for (int64_t p = 0; p < kMostKeys / kLanes; ++p) d_score[p] = share[p] * d_probability[p];
      const float mean = total(d_score);
      for (int64_t p = 0; p < kMostKeys / kLanes; ++p)
        d_score[p] = share[p] * (d_probability[p] - mean) * scale;
      float d[kMostKeys];
      std::memcpy(d, d_score, sizeof(d));
      const Vector query = load(t.query + at);
      const Vector above = load(upstream + at);
      Vector d_query{};
      for (int64_t j = 0; j < t.keys; ++j) {
        add(d_query, d[j], load(key + j * 2 * width));
        add(d_key[j], d[j], query);
        add(d_value[j], probability[j], above);
      }
      store(d_query, query_gradient + at);
    }
    for (int64_t j = 0; j < t.keys; ++j) {
      store(d_key[j], memory_gradient + first + j * 2 * width);
      store(d_value[j], memory_gradient + first + j * 2 * width + width);
    }
  }
}

}  // namespace

void attend(const AttentionTask& task, float* out) {
  at::parallel_for(0, task.rows, kWorthThread, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) attend_row(task, row, out);
  });
}

void attend_backward(const AttentionTask& task, const float* upstream, float* query, float* memory) {
  at::parallel_for(0, task.rows, kWorthThread, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) attend_row_backward(task, row, upstream, query, memory);
  });
}

}  // namespace neo

#include "kernels/attention.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/vector_clones.h"
#include "kernels/vector_math.h"

namespace neo {
namespace {

constexpr int64_t kParts = kHeadWidth / kLanes;
constexpr int64_t kWorthThread = 32;  // rows

// kHeadWidth floats in registers.
struct Vector {
  Lanes part[kParts];
};

[[gnu::always_inline]] inline Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}
[[gnu::always_inline]] inline void store(const Vector& v, float* to) { std::memcpy(to, &v, sizeof(v)); }
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

// The products of one vector with all turned tokens.
[[gnu::always_inline]] inline void products(const float* vector, const Turned& turned,
                                            Lanes (&out)[kMostKeys / kLanes]) {
  for (Lanes& lanes : out) lanes = Lanes{};
  for (int64_t w = 0; w < kHeadWidth; ++w) {
    for (int64_t p = 0; p < kMostKeys / kLanes; ++p) out[p] += vector[w] * turned.row[w][p];
  }
}

NEO_VECTOR_CLONES void attend_row(const AttentionTask& t, int64_t row, float* out) {
  const int64_t width = t.heads * kHeadWidth;
  const float scale = 1.0f / std::sqrt(static_cast<float>(kHeadWidth));
  Turned keys;
  for (int64_t head = 0; head < t.heads; ++head) {
    const float* key = t.memory + row * t.keys * 2 * width + head * kHeadWidth;
    const float* value = key + width;
    turn(key, 2 * width, t.keys, keys);
    for (int64_t i = 0; i < t.queries; ++i) {
      Lanes score[kMostKeys / kLanes];
      products(t.query + (row * t.queries + i) * width + head * kHeadWidth, keys, score);
      float values[kMostKeys];
      std::memcpy(values, score, sizeof(values));
      float largest = -std::numeric_limits<float>::infinity();
      for (int64_t j = 0; j < t.keys; ++j) largest = std::max(largest, values[j] * scale);
      for (int64_t p = 0; p < kMostKeys / kLanes; ++p) {
        score[p] = score[p] * scale - largest;
        exponentiate(score[p]);
      }
      std::memcpy(values, score, sizeof(values));
      float sum = 0;
      for (int64_t j = 0; j < t.keys; ++j) sum += values[j];
      float* probability = t.probability + ((row * t.heads + head) * t.queries + i) * t.keys;
      Vector mean{};
      for (int64_t j = 0; j < t.keys; ++j) {
        probability[j] = values[j] / sum;
        add(mean, probability[j], load(value + j * 2 * width));
      }
      store(mean, out + (row * t.queries + i) * width + head * kHeadWidth);
    }
  }
}

NEO_VECTOR_CLONES void attend_row_backward(const AttentionTask& t, int64_t row, const float* upstream,
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
      Lanes lanes[kMostKeys / kLanes];
      products(upstream + at, values, lanes);  // gradient of each probability
      float d[kMostKeys];
      std::memcpy(d, lanes, sizeof(d));
      float mean = 0;
      for (int64_t j = 0; j < t.keys; ++j) mean += probability[j] * d[j];
      const Vector query = load(t.query + at);
      const Vector above = load(upstream + at);
      Vector d_query{};
      for (int64_t j = 0; j < t.keys; ++j) {
        const float d_score = probability[j] * (d[j] - mean) * scale;
        add(d_query, d_score, load(key + j * 2 * width));
        add(d_key[j], d_score, query);
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

#pragma once

#include <cstring>

#include "kernels/attention.h"
#include "kernels/forms/vector.h"

namespace neo {

template <typename V>
class AttentionForm : Vectors<V> {
 public:
  static void attend_row(const AttentionTask& t, int64_t row, float* out) {
    Scores present, absent;  // 1 and 0 where there is a key, 0 and kNever beyond
    for (int64_t j = 0; j < kMostKeys; ++j) {
      present[j / kLanes][j % kLanes] = j < t.keys ? 1.0f : 0.0f;
      absent[j / kLanes][j % kLanes] = j < t.keys ? 0.0f : kNever;
    }
    Turned keys;
    for (int64_t head = 0; head < t.heads; ++head) {
      turn(t.memory + memory_at(t, row, head), 2 * width_of(t), t.keys, keys);
      int64_t query = 0;
      for (; query + kGroup <= t.queries; query += kGroup)
        attend_queries<kGroup>(t, {row, head, query}, keys, present, absent, out);
      for (; query < t.queries; ++query)
        attend_queries<1>(t, {row, head, query}, keys, present, absent, out);
    }
  }

  static void attend_row_backward(const AttentionTask& t, int64_t row, const float* upstream,
                                  float* query_gradient, float* memory_gradient) {
    const int64_t width = width_of(t);
    Turned values;
    for (int64_t head = 0; head < t.heads; ++head) {
      float* d_memory = memory_gradient + memory_at(t, row, head);
      turn(t.memory + memory_at(t, row, head) + width, 2 * width, t.keys, values);
      Head d_key[kMostKeys] = {}, d_value[kMostKeys] = {};
      int64_t query = 0;
      for (; query + kGroup <= t.queries; query += kGroup)
        return_queries<kGroup>(t, {row, head, query}, values, upstream, query_gradient, d_key, d_value);
      for (; query < t.queries; ++query)
        return_queries<1>(t, {row, head, query}, values, upstream, query_gradient, d_key, d_value);
      for (int64_t j = 0; j < t.keys; ++j) {
        store_head(d_key[j], d_memory + j * 2 * width);
        store_head(d_value[j], d_memory + j * 2 * width + width);
      }
    }
  }

 private:
  using Value = typename V::Value;
  static constexpr int64_t kLanes = V::kLanes;
  static constexpr int64_t kParts = kMostKeys / kLanes, kHeadParts = kHeadWidth / kLanes;

  static constexpr float kScale = 0.25f;  // 1 / sqrt(kHeadWidth)
  static_assert(kHeadWidth == 16);
  static constexpr float kNever = -1e30f;
  // Queries side by side: one alone is a chain in which every instruction waits for the one before.
  static constexpr int kGroup = 4;

  struct Place {
    int64_t row, head, query;
  };
  static int64_t width_of(const AttentionTask& t) { return t.heads * kHeadWidth; }
  static int64_t memory_at(const AttentionTask& t, int64_t row, int64_t head) {
    return row * t.keys * 2 * width_of(t) + head * kHeadWidth;
  }
  static int64_t query_at(const AttentionTask& t, const Place& place) {
    return (place.row * t.queries + place.query) * width_of(t) + place.head * kHeadWidth;
  }
  static int64_t probability_at(const AttentionTask& t, const Place& place) {
    return ((place.row * t.heads + place.head) * t.queries + place.query) * t.keys;
  }

  // kHeadWidth floats in registers.
  struct Head {
    Value part[kHeadParts];
  };
  [[gnu::always_inline]] static Head load_head(const float* from) {
    Head v;
    for (int64_t p = 0; p < kHeadParts; ++p) v.part[p] = Vectors<V>::load(from + p * kLanes);
    return v;
  }
  [[gnu::always_inline]] static void store_head(const Head& v, float* to) {
    for (int64_t p = 0; p < kHeadParts; ++p) Vectors<V>::store(to + p * kLanes, v.part[p]);
  }
  [[gnu::always_inline]] static void add(Head& sum, float weight, const Head& v) {
    for (int64_t p = 0; p < kHeadParts; ++p) sum.part[p] += weight * v.part[p];
  }

  // Keys turned so that one value of a query meets all of them at once.
  struct Turned {
    Value row[kHeadWidth][kParts];
  };
  [[gnu::always_inline]] static void turn(const float* token, int64_t stride, int64_t keys, Turned& turned) {
    float values[kHeadWidth][kMostKeys] = {};
    for (int64_t j = 0; j < keys; ++j) {
      for (int64_t w = 0; w < kHeadWidth; ++w) values[w][j] = token[j * stride + w];
    }
    std::memcpy(&turned, values, sizeof(turned));
  }

  // One number for each key, in registers.
  using Scores = Value[kParts];

  [[gnu::always_inline]] static void load_scores(const float* from, int64_t keys, Scores& to) {
    for (int64_t p = 0; p < kParts; ++p) to[p] = V::load_first(from + p * kLanes, lanes_of(keys, p));
  }
  [[gnu::always_inline]] static void store_scores(float* to, int64_t keys, const Scores& from) {
    for (int64_t p = 0; p < kParts; ++p) V::store_first(to + p * kLanes, from[p], lanes_of(keys, p));
  }
  // How many of part p's lanes are keys.
  static int lanes_of(int64_t keys, int64_t p) {
    const int64_t left = keys - p * kLanes;
    return static_cast<int>(left < 0 ? 0 : left < kLanes ? left : kLanes);
  }

  [[gnu::always_inline]] static float total(const Scores& scores) {
    Value sum = scores[0];
    for (int64_t p = 1; p < kParts; ++p) sum += scores[p];
    return Vectors<V>::sum(sum);
  }

  [[gnu::always_inline]] static float largest(const Scores& scores) {
    Value most = scores[0];
    for (int64_t p = 1; p < kParts; ++p) most = most > scores[p] ? most : scores[p];
    return Vectors<V>::largest(most);
  }

  // The products of vectors that lie `stride` apart with all turned tokens.
  template <int Count>
  [[gnu::always_inline]] static void products(const float* vectors, int64_t stride, const Turned& turned,
                                              Scores (&out)[Count]) {
    for (auto& scores : out)
      for (Value& part : scores) part = Value{};
    for (int64_t w = 0; w < kHeadWidth; ++w)
      for (int64_t p = 0; p < kParts; ++p)
#pragma GCC unroll 4
        for (int q = 0; q < Count; ++q) out[q][p] += vectors[q * stride + w] * turned.row[w][p];
  }

  template <int Count>
  static void attend_queries(const AttentionTask& t, const Place& first, const Turned& keys, const Scores& present,
                             const Scores& absent, float* out) {
    const int64_t width = width_of(t), at = query_at(t, first);
    const float* value = t.memory + memory_at(t, first.row, first.head) + width;
    float* probability = t.probability + probability_at(t, first);
    Scores score[Count];
    products(t.query + at, width, keys, score);
    float shares[Count][kMostKeys];
#pragma GCC unroll 4
    for (int q = 0; q < Count; ++q) {
      for (int64_t p = 0; p < kParts; ++p) score[q][p] = score[q][p] * kScale + absent[p];
      const float most = largest(score[q]);
      for (int64_t p = 0; p < kParts; ++p)
        score[q][p] = Vectors<V>::exponential(score[q][p] - most) * present[p];
      const float share = 1.0f / total(score[q]);
      for (Value& part : score[q]) part *= share;
      std::memcpy(shares[q], score[q], sizeof(shares[q]));
      store_scores(probability + q * t.keys, t.keys, score[q]);
    }
    Head mean[Count] = {};
    for (int64_t j = 0; j < t.keys; ++j) {
      const Head v = load_head(value + j * 2 * width);
#pragma GCC unroll 4
      for (int q = 0; q < Count; ++q) add(mean[q], shares[q][j], v);
    }
#pragma GCC unroll 4
    for (int q = 0; q < Count; ++q) store_head(mean[q], out + at + q * width);
  }

  template <int Count>
  static void return_queries(const AttentionTask& t, const Place& first, const Turned& values,
                             const float* upstream, float* query_gradient, Head* d_key, Head* d_value) {
    const int64_t width = width_of(t), at = query_at(t, first);
    const float* key = t.memory + memory_at(t, first.row, first.head);
    const float* probability = t.probability + probability_at(t, first);
    Scores d_probability[Count];
    products(upstream + at, width, values, d_probability);
    float d[Count][kMostKeys];
    Head query[Count], above[Count], d_query[Count] = {};
#pragma GCC unroll 4
    for (int q = 0; q < Count; ++q) {
      Scores share, d_score;
      load_scores(probability + q * t.keys, t.keys, share);
      for (int64_t p = 0; p < kParts; ++p) d_score[p] = share[p] * d_probability[q][p];
      const float mean = total(d_score);
      for (int64_t p = 0; p < kParts; ++p) d_score[p] = share[p] * (d_probability[q][p] - mean) * kScale;
      std::memcpy(d[q], d_score, sizeof(d[q]));
      query[q] = load_head(t.query + at + q * width);
      above[q] = load_head(upstream + at + q * width);
    }
    for (int64_t j = 0; j < t.keys; ++j) {
      const Head k = load_head(key + j * 2 * width);
#pragma GCC unroll 4
      for (int q = 0; q < Count; ++q) {
        add(d_query[q], d[q][j], k);
        add(d_key[j], d[q][j], query[q]);
        add(d_value[j], probability[q * t.keys + j], above[q]);
      }
    }
#pragma GCC unroll 4
    for (int q = 0; q < Count; ++q) store_head(d_query[q], query_gradient + at + q * width);
  }
};

}  // namespace neo

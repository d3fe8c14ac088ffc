#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neo {

// MT19937 with the two seedings in use: init_genrand (NumPy's legacy seed) and init_by_array (Python's
// random). std::mt19937 has only the first, and its state could not be written to a checkpoint as plain
// words.
class Mt19937 {
 public:
  static Mt19937 from_seed(uint32_t seed);
  static Mt19937 from_array(std::span<const uint32_t> key);
  uint32_t next32();
  // 53-bit uniform in [0, 1), two draws; the same in Python and NumPy.
  double next_double();

 private:
  void refill();
  std::array<uint32_t, 624> state_{};
  int position_ = 624;
};

// Draws exactly what Python's random.Random(seed) draws.
class PythonRandom {
 public:
  explicit PythonRandom(uint32_t seed) : mt_(Mt19937::from_array({&seed, 1})) {}
  uint32_t below(uint32_t n);                   // _randbelow(n), n >= 1
  int64_t randint(int64_t low, int64_t high) {  // inclusive
    return low + below(static_cast<uint32_t>(high - low + 1));
  }
  double random() { return mt_.next_double(); }
  template <typename T>
  const T& choice(const std::vector<T>& items) {
    return items[below(static_cast<uint32_t>(items.size()))];
  }
  template <typename Range>
  void shuffle(Range& items) {
    for (size_t i = items.size(); i-- > 1;) std::swap(items[i], items[below(static_cast<uint32_t>(i + 1))]);
  }
  // random.sample for small populations (n <= 21 always takes this branch of Python's algorithm).
  template <typename T>
  std::vector<T> sample(std::vector<T> pool, size_t k) {
    std::vector<T> chosen;
    for (size_t i = 0; i < k; ++i) {
      const size_t j = below(static_cast<uint32_t>(pool.size() - i));
      chosen.push_back(pool[j]);
      pool[j] = pool[pool.size() - i - 1];
    }
    return chosen;
  }

 private:
  Mt19937 mt_;
};

// Draws exactly what NumPy's legacy generator (np.random.seed(s), RandomState(s)) draws.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint32_t seed) : mt_(Mt19937::from_seed(seed)) {}
  double random_sample() { return mt_.next_double(); }
  uint32_t interval(uint32_t max);  // uniform in [0, max] by masked rejection
  template <typename Range>
  void shuffle(Range& items) {
    for (size_t i = items.size(); i-- > 1;) std::swap(items[i], items[interval(static_cast<uint32_t>(i))]);
  }
  std::vector<int64_t> permutation(int64_t n) {
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    shuffle(order);
    return order;
  }

 private:
  Mt19937 mt_;
};

// The project's own generator (xoshiro256**), seeded by (run seed, purpose name), so that adding a consumer
// never shifts another one's draws. Its state is four words and goes into checkpoints.
class RngStream {
 public:
  using State = std::array<uint64_t, 4>;
  RngStream(uint64_t seed, std::string_view purpose);
  uint64_t next64();
  uint64_t below(uint64_t n);  // unbiased
  double uniform();            // [0, 1)
  template <typename Range>
  void shuffle(Range& items) {
    for (size_t i = items.size(); i-- > 1;) std::swap(items[i], items[below(i + 1)]);
  }
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace neo

#include "worlds/episode_digest.h"
#include "worlds/world.h"

namespace neo {
namespace {

constexpr int kFactors[] = {2, 3, 5, 7};

// Six-digit numbers; a primitive multiplies by a small prime.
class Arithmetic : public World {
 public:
  std::string_view name() const override { return "arithmetic"; }
  std::vector<int64_t> shape() const override { return {6}; }
  int values() const override { return 10; }
  const std::vector<std::string>& primitives() const override {
    static const std::vector<std::string> names{"*2", "*3", "*5", "*7"};
    return names;
  }
  std::optional<Observation> apply(int primitive, ObservationView digits) const override {
    const int64_t product = digits_to_number(digits) * kFactors[primitive];
    if (product > 999999) return std::nullopt;
    return number_to_digits(product);
  }
};

}  // namespace

const World& arithmetic() {
  static const Arithmetic world;
  return world;
}

}  // namespace neo

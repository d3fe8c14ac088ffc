#include "core/error.h"
#include "worlds/imaging/edits.h"
#include "worlds/world.h"

namespace neo {
namespace {

class Imaging : public World {
 public:
  std::string_view name() const override { return "imaging"; }
  std::vector<int64_t> shape() const override { return {32, 32, 3}; }
  int values() const override { return 256; }
  const std::vector<std::string>& primitives() const override { return edit_names(); }
  std::optional<Observation> apply(int primitive, ObservationView input) const override {
    NEO_CHECK_LE(0, primitive);
    NEO_CHECK_LT(primitive, kEdits);
    Observation edited(input.size());
    apply_edit(static_cast<Edit>(primitive), input, edited);
    return edited;
  }
};

}  // namespace

const World& imaging() {
  static const Imaging world;
  return world;
}

}  // namespace neo

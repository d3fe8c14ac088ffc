// Any bytes as an observation: what a person writes and what travels, in spaces that the first byte chooses.
// Whatever is accepted can be written, printed and drawn, and reads back as it was.

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "require.h"
#include "view/testing.h"
#include "view/view.h"

namespace {

using neo::Observation;
using neo::View;

const std::vector<std::unique_ptr<View>>& views() {
  static const std::vector<std::unique_ptr<View>> all = [] {
    using namespace neo::testing;
    neo::Space padded = grid_space(4, 5, 12), channels = grid_space(2, 3, 0), words = sequence_space(4, 3);
    padded.padded = true;
    channels.shape.push_back(2);
    channels.values = {44, 3};
    words.symbols = {"up", "left", " "};
    std::vector<std::unique_ptr<View>> made;
    for (const neo::Space& space :
         {grid_space(2, 3, 6), grid_space(3, 1, 200), padded, channels, sequence_space(5, 7),
          sequence_space(3, 1000), letter_space(6, 5), words, number_space(6), number_space(5, 36),
          image_space(2, 2, 4), vector_space(3)})
      made.push_back(neo::make_view(space));
    return made;
  }();
  return all;
}

void check_accepted(const View& view, const Observation& observation) {
  REQUIRE(static_cast<int64_t>(observation.size()) == view.space().bytes());
  REQUIRE(view.from_text(view.text(observation)) == observation);
  REQUIRE(!view.lines(observation, true).empty() && !view.lines(observation, false).empty());
  REQUIRE(!view.json(observation).dump().empty());
  neo::Canvas canvas(view.extent().width, view.extent().height, {0, 0, 0});
  view.draw(canvas, 0, 0, observation);
  view.describe({{observation, observation}, {observation, Observation(observation.size(), 0)}}, 0.5);
}

template <typename Read>
void check(const View& view, const Read& read) {
  try {
    check_accepted(view, read());
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
    REQUIRE(std::strlen(error.what()) < 1000);
  }
}

// No file is to be opened here.
bool may_name_a_file(const std::string& text) {
  return text.starts_with('@') || text.find(".png") != std::string::npos ||
         text.find(".npy") != std::string::npos || text.find(".json") != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const View& view = *views()[data[0] % views().size()];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check(view, [&] { return view.from_text(text); });
  if (!may_name_a_file(text)) check(view, [&] { return view.parse(text); });
  return 0;
}

#include "serve/served_model.h"

#include <algorithm>

namespace neo {
namespace {
using nlohmann::json;

constexpr int64_t kMostColours = 256;               // every grid has a palette, long lists of tokens have none
constexpr double kLongReal = -1.17549435e-38;       // no float is written with more characters
constexpr size_t kSearchAnswer = 16 * 1024 * 1024;  // bytes of observations in the answer
constexpr int64_t kFewestCalls = 50;
constexpr int64_t kMostCalls = 2000;  // as the OpenAPI document says

// Own data may be named after a benchmark without being of its kind.
const Benchmark* benchmark_of(const ModelInfo& info) {
  const Benchmark* benchmark = find_benchmark(info.benchmark);
  return benchmark != nullptr && benchmark->space() == info.space ? benchmark : nullptr;
}

double widest_value(const Space& space, int64_t element) {
  if (space.kind == Kind::real) return kLongReal;
  return static_cast<double>(space.kind == Kind::pixels ? 255 : space.values_at(element) - 1);
}

size_t longest_text(const View& view) {
  std::vector<double> values;
  for (int64_t i = 0; i < view.space().size(); ++i) values.push_back(widest_value(view.space(), i));
  return view.text(observation_of(view.space(), values)).size();
}

json palette(const Space& space) {
  json colours = json::array();
  const int64_t values = space.is_categorical() ? space.most_values() : 0;
  for (int64_t value = 0; values <= kMostColours && value < values; ++value) {
    const Colour c = value_colour(value, values);
    colours.push_back(fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]));
  }
  return colours;
}

}  // namespace

ServedModel::ServedModel(const ModelInfo& info)
    : info_(info),
      view_(make_view(info.space)),
      benchmark_(benchmark_of(info)),
      longest_text_(neo::longest_text(*view_)) {}

json ServedModel::description() const {
  json out{{"id", info_.id},
           {"title", benchmark_ ? std::string(benchmark_->title()) : info_.id},
           {"benchmark", benchmark_ ? info_.benchmark : ""},
           {"space", to_json(info_.space)},
           {"codes", info_.codes},
           {"primitives", benchmark_ ? json(benchmark_->primitives()) : json::array()},
           {"longest", benchmark_ ? benchmark_->longest_sample() : 0},
           {"palette", palette(info_.space)},
           {"most_calls", most_calls()}};
  out.update(info_.about);
  return out;
}

Observation ServedModel::observation(std::string_view text, const std::string& field) const {
  try {
    return view_->from_text(text);
  } catch (const Error& error) {
    fail("{}: {}", field, error.what());
  }
}

int64_t ServedModel::most_calls() const {
  return std::clamp(static_cast<int64_t>(kSearchAnswer / std::max<size_t>(1, longest_text_)), kFewestCalls,
                    kMostCalls);
}

}  // namespace neo

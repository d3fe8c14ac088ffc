#include "data/space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr std::array<std::string_view, 5> kLayouts{"grid", "sequence", "number", "image", "vector"};
constexpr std::array<std::string_view, 3> kKinds{"categorical", "pixels", "real"};
constexpr int64_t kGridSide = 64, kGridValues = 256, kGridChannels = 16;
constexpr int64_t kTokens = 256, kTokenValues = 1024;
constexpr int64_t kDigits = 64, kBase = 36;
constexpr int64_t kImageSide = 128;
constexpr int64_t kVector = 1024;

template <size_t N>
std::optional<size_t> index_of(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

Kind kind_of(Layout layout) {
  if (layout == Layout::image) return Kind::pixels;
  return layout == Layout::vector ? Kind::real : Kind::categorical;
}

struct Limits {
  size_t least_rank, most_rank;
  int64_t side;    // of the first two dimensions
  int64_t values;  // categorical
  const char* elements;
};

Limits limits_of(Layout layout) {
  switch (layout) {
    case Layout::grid: return {2, 3, kGridSide, kGridValues, "cells"};
    case Layout::sequence: return {1, 1, kTokens, kTokenValues, "tokens"};
    case Layout::number: return {1, 1, kDigits, kBase, "digits"};
    case Layout::image: return {3, 3, kImageSide, 0, "pixels"};
    case Layout::vector: return {1, 1, kVector, 0, "numbers"};
  }
  return {};
}

std::string with_article(Layout layout) {
  return fmt::format("{} {}", layout == Layout::image ? "an" : "a", layout_name(layout));
}

std::string sizes(const std::vector<int64_t>& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

template <typename T>
double element_at(ObservationView bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

template <typename T>
void put_element(Observation& bytes, size_t i, double number) {
  const T value = static_cast<T>(number);
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

}  // namespace

int64_t Space::size() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t Space::channels() const { return shape.size() == 3 ? shape[2] : 1; }
int64_t Space::rows() const { return shape.size() >= 2 ? shape[0] : 1; }

int64_t Space::most_values() const {
  if (kind == Kind::pixels) return 256;
  return kind == Kind::real ? 0 : *std::max_element(values.begin(), values.end());
}

int64_t Space::values_at(int64_t element) const {
  return values.size() == 1 ? values[0] : values[static_cast<size_t>(element % channels())];
}

Element Space::element() const {
  if (kind == Kind::real) return Element::f32;
  return most_values() > 256 ? Element::u16 : Element::u8;
}

int64_t Space::bytes() const {
  constexpr std::array<int64_t, 3> kBytes{1, 2, 4};
  return size() * kBytes[static_cast<size_t>(element())];
}

namespace {

void check_sizes(const Space& s, const Limits& limits, const std::string& origin) {
  const std::string what = with_article(s.layout);
  if (std::ranges::any_of(s.shape, [](int64_t side) { return side < 1; }))
    fail("{}: {} cannot have the shape {}; every size is 1 or more", origin, what, sizes(s.shape));
  if (s.shape.size() == 1) {
    if (s.shape[0] > limits.side)
      fail("{}: {} of {} {} is too long; give up to {}", origin, what, s.shape[0], limits.elements, limits.side);
    return;
  }
  if (std::max(s.shape[0], s.shape[1]) > limits.side)
    fail("{}: {} of {} is too large; cut or resize it to at most {}x{}", origin, what, sizes(s.shape), limits.side,
         limits.side);
  if (s.layout == Layout::grid && s.channels() > kGridChannels)
    fail("{}: {} of {} has too many channels; give up to {}", origin, what, sizes(s.shape), kGridChannels);
}

}  // namespace

void check_space(const Space& s, const std::string& origin) {
  const Limits limits = limits_of(s.layout);
  if (s.kind != kind_of(s.layout))
    fail("{}: {} holds {} elements, not {}", origin, with_article(s.layout), kind_name(kind_of(s.layout)),
         kind_name(s.kind));
  if (s.shape.size() < limits.least_rank || s.shape.size() > limits.most_rank)
    fail("{}: {} cannot have the shape {}", origin, with_article(s.layout), sizes(s.shape));
  check_sizes(s, limits, origin);
  if (s.layout == Layout::image && s.channels() != 1 && s.channels() != 3 && s.channels() != 4)
    fail("{}: an image has 1, 3 or 4 channels (grey, RGB, RGBA), not {}", origin, s.channels());
  if (!s.is_categorical()) {
    if (!s.values.empty() || s.padded || !s.symbols.empty())
      fail("{}: {} have no list of values", origin, kind_name(s.kind));
    return;
  }
  if (s.values.size() != 1 && static_cast<int64_t>(s.values.size()) != s.channels())
    fail("{}: {} counts of values for {} channels", origin, s.values.size(), s.channels());
  for (int64_t v : s.values) {
    if (v < 1 || v > limits.values)
      fail("{}: {} of {} different values; there may be 1 to {}", origin, with_article(s.layout), v, limits.values);
  }
  if (s.layout == Layout::number && (s.values[0] < 2 || s.padded))
    fail("{}: a number has a base of at least 2 and no padding", origin);
  if (!s.symbols.empty() && static_cast<int64_t>(s.symbols.size()) != s.most_values())
    fail("{}: {} symbols for {} values", origin, s.symbols.size(), s.most_values());
  for (const std::string& symbol : s.symbols) {
    if (symbol.size() > 64 || !is_utf8(symbol)) fail("{}: a symbol is too long or no text", origin);
  }
}

nlohmann::json to_json(const Space& s) {
  nlohmann::json json{{"kind", kind_name(s.kind)}, {"layout", layout_name(s.layout)}, {"shape", s.shape}};
  if (s.is_categorical()) json["values"] = s.values;
  if (s.padded) json["padded"] = true;
  if (!s.symbols.empty()) json["symbols"] = s.symbols;
  return json;
}

Space space_from_json(const nlohmann::json& json, const std::string& origin) {
  Space space;
  try {
    const auto kind = index_of(kKinds, json.at("kind").get<std::string>());
    const auto layout = index_of(kLayouts, json.at("layout").get<std::string>());
    if (!kind || !layout) fail("{}: its description of observations is not known to this version", origin);
    space.kind = static_cast<Kind>(*kind);
    space.layout = static_cast<Layout>(*layout);
    space.shape = json.at("shape").get<std::vector<int64_t>>();
    space.values = json.value("values", std::vector<int64_t>{});
    space.padded = json.value("padded", false);
    space.symbols = json.value("symbols", std::vector<std::string>{});
  } catch (const nlohmann::json::exception&) {
    fail("{}: its description of observations is damaged", origin);
  }
  check_space(space, origin);
  return space;
}

std::string_view layout_name(Layout layout) { return kLayouts[static_cast<size_t>(layout)]; }
std::string_view kind_name(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

Layout layout_named(std::string_view name) {
  if (const auto index = index_of(kLayouts, name)) return static_cast<Layout>(*index);
  fail_usage("there is no layout '{}'; one of: {}", printable(name), fmt::join(kLayouts, ", "));
}

std::string describe(const Space& s) {
  switch (s.layout) {
    case Layout::grid: {
      const std::string size = fmt::format("{}x{} grid", s.shape[0], s.shape[1]);
      if (s.channels() == 1) return fmt::format("{} of {}", size, counted(s.values[0], "value"));
      return fmt::format("{} of {} channels with {} values", size, s.channels(), fmt::join(s.values, "/"));
    }
    case Layout::sequence: return fmt::format("sequence of {}, {}", counted(s.shape[0], "token"), counted(s.values[0], "value"));
    case Layout::number:
      return fmt::format("number of {}{}", counted(s.shape[0], "digit"),
                         s.values[0] == 10 ? "" : fmt::format(", base {}", s.values[0]));
    case Layout::image: {
      constexpr std::array<std::string_view, 5> kChannels{"", "grey", "", "RGB", "RGBA"};
      return fmt::format("{}x{} {} image", s.shape[0], s.shape[1], kChannels[static_cast<size_t>(s.channels())]);
    }
    case Layout::vector: return fmt::format("vector of {}", counted(s.shape[0], "real number"));
  }
  return "";
}

bool fits(const Space& data, const Space& theory) {
  if (data.kind != theory.kind || data.layout != theory.layout || data.shape != theory.shape) return false;
  if (!data.is_categorical() || data == theory) return true;
  if (data.padded != theory.padded || data.element() != theory.element()) return false;
  if (data.padded || !data.symbols.empty() || !theory.symbols.empty()) return data.values == theory.values && data.symbols == theory.symbols;
  for (int64_t i = 0; i < data.channels(); ++i)
    if (data.values_at(i) > theory.values_at(i)) return false;
  return true;
}

std::vector<double> values_of(const Space& space, ObservationView observation) {
  NEO_CHECK_EQ(static_cast<int64_t>(observation.size()), space.bytes());
  std::vector<double> values(static_cast<size_t>(space.size()));
  for (int64_t i = 0; i < space.size(); ++i) {
    auto& value = values[static_cast<size_t>(i)];
    switch (space.element()) {
      case Element::u8: value = observation[static_cast<size_t>(i)]; break;
      case Element::u16: value = element_at<uint16_t>(observation, i); break;
      case Element::f32: value = element_at<float>(observation, i); break;
    }
  }
  return values;
}

Observation observation_of(const Space& space, std::span<const double> values) {
  if (static_cast<int64_t>(values.size()) != space.size())
    fail("{} numbers, but a {} has {}", values.size(), describe(space), space.size());
  Observation bytes(static_cast<size_t>(space.bytes()));
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (space.element() == Element::f32) {
      if (!std::isfinite(value)) fail("the number at place {} is not finite; leave it out", i + 1);
      if (!std::isfinite(static_cast<float>(value)))
        fail("{} at place {} is beyond single precision (3.4e38); scale the numbers down", value, i + 1);
      put_element<float>(bytes, i, value);
      continue;
    }
    const int64_t most = space.kind == Kind::pixels ? 256 : space.values_at(static_cast<int64_t>(i));
    if (!(value >= 0 && value < static_cast<double>(most)) || value != std::floor(value))
      fail("{} at place {} is no value here; there are 0 to {}", value, i + 1, most - 1);
    if (space.element() == Element::u16)
      put_element<uint16_t>(bytes, i, value);
    else
      put_element<uint8_t>(bytes, i, value);
  }
  return bytes;
}

double difference(const Space& space, ObservationView a, ObservationView b) {
  const auto u = values_of(space, a), v = values_of(space, b);
  double total = 0;
  for (size_t i = 0; i < u.size(); ++i) {
    const double apart = u[i] - v[i];
    total += space.kind == Kind::categorical ? (apart != 0 ? 1.0 : 0.0)
             : space.kind == Kind::pixels    ? std::abs(apart) / 255.0
                                             : apart * apart;
  }
  total /= static_cast<double>(u.size());
  return space.kind == Kind::real ? std::sqrt(total) : total;
}

}  // namespace neo

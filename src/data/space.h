#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

// What the elements of an observation are.
enum class Kind { categorical, pixels, real };
// How an observation is drawn, read and written as text.
enum class Layout { grid, sequence, number, image, vector };
// How one element is stored.
enum class Element { u8, u16, f32 };

// The type of observations: a plain value, stored in every data and weights file, that determines readout,
// tokens, losses and drawings.
struct Space {
  Kind kind = Kind::categorical;
  Layout layout = Layout::grid;
  std::vector<int64_t> shape;    // {10,10}  {20}  {12,7,3}  {64,64,3}  {7}
  std::vector<int64_t> values;   // categorical: how many; one number, or one per channel
  bool padded = false;           // categorical: the last value (of every channel) stands for "nothing here"
  std::vector<std::string> symbols;  // how values are written, where that is not their number

  bool operator==(const Space&) const = default;

  int64_t size() const;                       // N elements
  int64_t channels() const;                   // of a cell or pixel; 1 where there is no third dimension
  int64_t cells() const { return size() / channels(); }
  int64_t rows() const;                       // of a grid or image; else 1
  int64_t columns() const { return cells() / rows(); }
  int64_t most_values() const;                // C, the largest of `values`; pixels: 256; real: 0
  int64_t values_at(int64_t element) const;   // of one element of a categorical observation
  Element element() const;
  int64_t bytes() const;                      // of a whole observation
  bool is_categorical() const { return kind == Kind::categorical; }
};

// Throws an Error that begins with `origin` where a space is invalid or beyond the limits: grids up to 64x64
// with up to 256 values, sequences up to 256 tokens of up to 1,024 values, numbers of up to 64 digits in a
// base up to 36, images up to 128x128 with 1, 3 or 4 channels, vectors of up to 1,024 numbers.
void check_space(const Space& space, const std::string& origin);

nlohmann::json to_json(const Space& space);
Space space_from_json(const nlohmann::json& json, const std::string& origin);  // checked; throws Error

std::string_view layout_name(Layout layout);     // "grid", ...
Layout layout_named(std::string_view name);      // a UsageError lists them all
std::string_view kind_name(Kind kind);
std::string describe(const Space& space);        // "12x7 grid of 6 values"

// Whether observations of `data` may be given to a theory of `theory`: the same form, and only values that it
// knows.
bool fits(const Space& data, const Space& theory);

// One raw observation: the bytes of its elements, row-major, little-endian, as Space::element() says.
using Observation = std::vector<uint8_t>;
using ObservationView = std::span<const uint8_t>;

// The elements as numbers, and back; an Error names a value that is not finite or out of range.
std::vector<double> values_of(const Space& space, ObservationView observation);
Observation observation_of(const Space& space, std::span<const double> values);

// Distance of two observations: share of elements that differ (categorical), mean L1 on [0, 1]
// (pixels), root mean square (real).
double difference(const Space& space, ObservationView a, ObservationView b);

}  // namespace neo

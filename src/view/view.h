#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/array.h"
#include "data/space.h"
#include "view/canvas.h"

namespace neo {

// How many pixels an observation takes at its natural drawing size.
struct Extent {
  int width, height;
};

using Change = std::pair<Observation, Observation>;  // before, after

// How observations of a space are read, written, drawn and described: one class per layout. Make it once with
// make_view and keep it; it never changes and may be shared by threads.
class View {
 public:
  explicit View(Space space) : space_(std::move(space)) {}
  virtual ~View() = default;
  const Space& space() const { return space_; }

  // An observation as a user gives it: text in the layout's own form, "@FILE" with such text, or the name of
  // a .npy, .json or .png file, whatever the layout. Where the space is padded, smaller ones are filled up.
  // An Error says what is wrong and what is expected. Conversions are reported in `note`, one line, if
  // given.
  Observation parse(const std::string& text, std::string* note = nullptr) const;
  // The same of numbers in memory.
  Observation from_numbers(const Array& array, std::string* note = nullptr) const;
  // What a user should write, for help and messages: "12x7 cells of 0 to 5, row by row".
  virtual std::string expectation() const = 0;

  // How observations travel over HTTP and in records, one line: a digit per element where there are at most
  // 10 values in one channel ("000012"), base64 of the bytes of pixels, else numbers with commas ("3,0,12").
  std::string text(ObservationView observation) const;
  // The inverse, strict: nothing is converted, no file is opened.
  Observation from_text(std::string_view text) const;
  // Nested lists of numbers, as in the user's own JSON, without padding; numbers and strings as such.
  virtual nlohmann::json json(ObservationView observation) const;

  // Terminal lines of equal width, at most 80 columns: in colour, or as characters.
  virtual std::vector<std::string> lines(ObservationView observation, bool colour) const = 0;
  virtual int columns() const = 0;                       // how wide they are
  virtual bool is_flush_right() const { return false; }  // and so is what is written beside them

  virtual Extent extent() const = 0;
  virtual void draw(Surface& surface, int x, int y, ObservationView observation) const = 0;

  // A few words for what turns `before` into `after`, without knowledge of any primitive: "up 1", "times 3
  // plus 1", "reverse". Empty where nothing simple does on at least `share` of the changes.
  virtual std::string describe(const std::vector<Change>& changes, double share) const = 0;
  // How much they change, where nothing simple can be said: "changes 12 % of cells".
  std::string extent_of(const std::vector<Change>& changes) const;

 protected:
  // The layout's own form, from a person: forgiving about separators.
  virtual Observation parse_text(const std::string& text) const = 0;
  virtual Observation from_array(const Array& array, std::string* note) const;
  virtual Observation from_json(const nlohmann::json& json, std::string* note) const;
  virtual Observation from_picture(const std::filesystem::path& path, std::string* note) const;

  // Numbers of the right shape, or of a smaller one where the space is padded, as an observation; dimensions
  // of one are immaterial. NaN stands for what is missing at the end of short rows.
  Observation conform(const Array& array) const;
  // Throws a UsageError: what is wrong, and what is expected.
  [[noreturn]] void refuse(const std::string& what) const;
  // The number of values that a user may write, without the padding value.
  int64_t writable_values(int64_t element) const;

 private:
  Observation from_named_file(const std::filesystem::path& path, std::string* note) const;

  Space space_;
};

std::unique_ptr<View> make_view(const Space& space);

// The colour of a categorical value on screen, of `values` in all; value 0 is the background.
Colour value_colour(int64_t value, int64_t values);

}  // namespace neo

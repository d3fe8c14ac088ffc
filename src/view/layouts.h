#pragma once

#include "view/notation.h"
#include "view/view.h"

// The views of the five layouts, for make_view and for each other; all other code knows only View.
namespace neo {

// Cells in colour. Channels are drawn as planes beside each other.
class GridView : public View {
 public:
  explicit GridView(const Space& space);
  std::string expectation() const override;
  nlohmann::json json(ObservationView observation) const override;
  std::vector<std::string> lines(ObservationView observation, bool colour) const override;
  int columns() const override;
  Extent extent() const override;
  void draw(Surface& surface, int x, int y, ObservationView observation) const override;
  std::string describe(const std::vector<Change>& changes, double share) const override;

 protected:
  Observation parse_text(const std::string& text) const override;
  Observation from_picture(const std::filesystem::path& path, std::string* note) const override;

 private:
  int64_t cell_value(std::string_view word) const;  // a UsageError where it is none
  std::string cell_text(int64_t value, int64_t channel) const;
  std::string terminal_row_of_plane(const std::vector<int64_t>& values, int64_t row, int64_t channel,
                                    bool colour) const;
  bool is_padding(int64_t value, int64_t channel) const;
  Extent plane_extent() const;

  Symbols symbols_;
  int cell_columns_;        // terminal columns of a cell
  int planes_in_terminal_;  // beside each other
  int planes_in_drawing_;
  int cell_pixels_;
};

// Tokens in a row, wrapped where it gets too long.
class SequenceView : public View {
 public:
  explicit SequenceView(const Space& space);
  std::string expectation() const override;
  nlohmann::json json(ObservationView observation) const override;
  std::vector<std::string> lines(ObservationView observation, bool colour) const override;
  int columns() const override;
  Extent extent() const override;
  void draw(Surface& surface, int x, int y, ObservationView observation) const override;
  std::string describe(const std::vector<Change>& changes, double share) const override;

 protected:
  Observation parse_text(const std::string& text) const override;

 private:
  std::string token(int64_t value) const;  // as it is written

  Symbols symbols_;
  int token_columns_ = 1;  // of the widest
  int gap_;                // terminal columns between tokens
  int per_line_;
};

// Digits in any base, most significant first.
class NumberView : public View {
 public:
  explicit NumberView(const Space& space) : View(space) {}
  std::string expectation() const override;
  nlohmann::json json(ObservationView observation) const override;
  std::vector<std::string> lines(ObservationView observation, bool colour) const override;
  int columns() const override { return static_cast<int>(space().size()); }
  bool is_flush_right() const override { return true; }
  Extent extent() const override;
  void draw(Surface& surface, int x, int y, ObservationView observation) const override;
  std::string describe(const std::vector<Change>& changes, double share) const override;

 protected:
  Observation parse_text(const std::string& text) const override;
  Observation from_array(const Array& array, std::string* note) const override;
  Observation from_json(const nlohmann::json& json, std::string* note) const override;

 private:
  std::string digits(ObservationView observation) const;  // without leading zeros
};

// Pixels; transparent ones show a chequered background.
class ImageView : public View {
 public:
  explicit ImageView(const Space& space);
  std::string expectation() const override;
  std::vector<std::string> lines(ObservationView observation, bool colour) const override;
  int columns() const override;
  Extent extent() const override;
  void draw(Surface& surface, int x, int y, ObservationView observation) const override;
  std::string describe(const std::vector<Change>& changes, double share) const override;

 protected:
  Observation parse_text(const std::string& text) const override;
  Observation from_array(const Array& array, std::string* note) const override;
  Observation from_picture(const std::filesystem::path& path, std::string* note) const override;

 private:
  std::vector<uint8_t> rgb(ObservationView observation) const;  // [rows, columns, 3]

  int shrink_;  // terminal: pixels of a side that become one
  int scale_;   // drawings: pixels that one becomes
};

// Numbers, with a bar each.
class VectorView : public View {
 public:
  explicit VectorView(const Space& space) : View(space) {}
  std::string expectation() const override;
  std::vector<std::string> lines(ObservationView observation, bool colour) const override;
  int columns() const override;
  Extent extent() const override;
  void draw(Surface& surface, int x, int y, ObservationView observation) const override;
  std::string describe(const std::vector<Change>& changes, double share) const override;

 protected:
  Observation parse_text(const std::string& text) const override;
};

}  // namespace neo

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "data/read_png.h"
#include "view/layouts.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr int64_t kDrawnSide = 128;  // about as many pixels of a drawing

// What shines through transparent pixels.
int ground_at(int64_t row, int64_t column) { return (row / 4 + column / 4) % 2 == 0 ? 255 : 222; }

// The mean colour of a square of pixels, cut at the border.
Colour mean_colour(const std::vector<uint8_t>& rgb, int64_t width, int64_t row, int64_t column,
                   int64_t side) {
  const int64_t height = static_cast<int64_t>(rgb.size()) / 3 / width;
  std::array<int64_t, 3> sum{};
  int64_t count = 0;
  for (int64_t r = row; r < std::min(row + side, height); ++r) {
    for (int64_t c = column; c < std::min(column + side, width); ++c, ++count)
      for (size_t k = 0; k < 3; ++k) sum[k] += rgb[static_cast<size_t>((r * width + c) * 3) + k];
  }
  Colour mean{};
  for (size_t k = 0; k < 3; ++k) mean[k] = static_cast<uint8_t>(sum[k] / std::max<int64_t>(1, count));
  return mean;
}

int lightness(Colour c) { return (c[0] + c[1] + c[2]) / 3; }

}  // namespace

ImageView::ImageView(const Space& s) : View(s) {
  shrink_ = static_cast<int>((s.columns() + kTerminalWidth - 1) / kTerminalWidth);
  const int64_t side = std::max(s.rows(), s.columns());
  scale_ = static_cast<int>(std::max<int64_t>(1, (kDrawnSide + side / 2) / side));
}

std::string ImageView::expectation() const {
  constexpr std::array<std::string_view, 5> kNames{"", "a grey", "", "an RGB", "an RGBA"};
  return fmt::format("{} image, {} pixels wide and {} high, as a .png, .npy or .json file",
                     kNames[static_cast<size_t>(space().channels())], space().columns(), space().rows());
}

Observation ImageView::parse_text(const std::string& text) const {
  const std::string name(trimmed(text));
  if (name.empty()) refuse("an image is missing");
  refuse(fmt::format("'{}' is no file of a kind that is read here", printable(name)));
}

Observation ImageView::from_array(const Array& array, std::string* note) const {
  const auto in_unit = [](double value) { return value >= 0 && value <= 1; };
  if (!array.is_real || !std::all_of(array.values.begin(), array.values.end(), in_unit))
    return conform(array);
  Array scaled = array;
  for (double& value : scaled.values) value = std::round(255 * value);
  if (note) *note = "numbers of 0 to 1 made 0 to 255";
  return conform(scaled);
}

Observation ImageView::from_picture(const std::filesystem::path& path, std::string* note) const {
  const Picture picture = read_png(path, space().channels());
  if (picture.width != space().columns() || picture.height != space().rows())
    fail_usage("{} pixels wide and {} high, but images here are {} wide and {} high; crop or resize it first",
               picture.width, picture.height, space().columns(), space().rows());
  if (note && !picture.converted.empty()) *note = path.string() + ": " + picture.converted;
  return picture.pixels;
}

std::vector<uint8_t> ImageView::rgb(ObservationView image) const {
  NEO_CHECK_EQ(static_cast<int64_t>(image.size()), space().bytes());
  const auto channels = static_cast<size_t>(space().channels());
  if (channels == 3) return {image.begin(), image.end()};
  std::vector<uint8_t> out;
  for (size_t i = 0; i < image.size(); i += channels) {
    if (channels == 1) {
      out.insert(out.end(), 3, image[i]);
      continue;
    }
    const auto pixel = static_cast<int64_t>(i / channels);
    const int ground = ground_at(pixel / space().columns(), pixel % space().columns());
    const int alpha = image[i + 3];
    for (size_t k = 0; k < 3; ++k)
      out.push_back(static_cast<uint8_t>((image[i + k] * alpha + ground * (255 - alpha) + 127) / 255));
  }
  return out;
}

int ImageView::columns() const { return static_cast<int>((space().columns() + shrink_ - 1) / shrink_); }

std::vector<std::string> ImageView::lines(ObservationView observation, bool colour) const {
  static constexpr std::string_view kRamp = " .:-=+*#%@";
  const auto pixels = rgb(observation);
  const auto pixel = [&](int64_t row, int64_t column) {
    return mean_colour(pixels, space().columns(), row, column, shrink_);
  };
  std::vector<std::string> lines;
  for (int64_t row = 0; row < space().rows(); row += 2 * shrink_) {
    const bool has_bottom = row + shrink_ < space().rows();
    std::string line;
    for (int64_t column = 0; column < space().columns(); column += shrink_) {
      const Colour top = pixel(row, column), bottom = has_bottom ? pixel(row + shrink_, column) : top;
      if (!colour) {
        line += kRamp[static_cast<size_t>((lightness(top) + lightness(bottom)) * 9 / 510)];
      } else {
        line += has_bottom ? half_block(top, bottom) : foreground_code(top) + "▀";
      }
    }
    lines.push_back(colour ? line + std::string(kPlainCode) : line);
  }
  return lines;
}

Extent ImageView::extent() const {
  return {static_cast<int>(space().columns()) * scale_, static_cast<int>(space().rows()) * scale_};
}

void ImageView::draw(Surface& surface, int x, int y, ObservationView observation) const {
  surface.image(x, y, rgb(observation), static_cast<int>(space().columns()), scale_);
}

}  // namespace neo

#include <fmt/format.h>

#include "core/base64.h"
#include "core/files.h"
#include "view/canvas.h"

namespace neo {
namespace {

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]); }

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : printable(text, text.size())) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

SvgCanvas::SvgCanvas(int width, int height, Colour background) : width_(width), height_(height) {
  fill(0, 0, width, height, background);
}

void SvgCanvas::fill(int x, int y, int width, int height, Colour colour) {
  if (last_ && last_->y == y && last_->height == height && last_->x + last_->width == x &&
      last_->colour == colour) {
    last_->width += width;
    return;
  }
  flush();
  last_ = Rectangle{x, y, width, height, colour};
}

void SvgCanvas::flush() {
  if (!last_) return;
  elements_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", last_->x,
                           last_->y, last_->width, last_->height, hex(last_->colour));
  last_.reset();
}

void SvgCanvas::text(int x, int y, std::string_view text, int scale, Colour colour) {
  flush();
  if (text.empty()) return;
  // Characters of a fixed-width face are 0.6 of its size wide: as in the picture.
  elements_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{:.1f}\" fill=\"{}\" xml:space=\"preserve\">{}</text>\n", x,
      y + 5 * scale, 6.6 * scale, hex(colour), escaped(text));
}

void SvgCanvas::image(int x, int y, std::span<const uint8_t> rgb, int width, int scale) {
  flush();
  const int height = static_cast<int>(rgb.size()) / 3 / width;
  const std::string png = encode_png(rgb, width);
  const std::vector<uint8_t> bytes(png.begin(), png.end());
  elements_ += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"image-rendering:pixelated\" "
      "href=\"data:image/png;base64,{}\"/>\n",
      x, y, width * scale, height * scale, base64_encode(bytes));
}

std::string SvgCanvas::svg() const {
  SvgCanvas done = *this;
  done.flush();
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" "
      "shape-rendering=\"crispEdges\">\n{2}</svg>\n",
      width_, height_, done.elements_);
}

void SvgCanvas::write_svg(const std::filesystem::path& path) const { write_output(path, svg()); }

}  // namespace neo

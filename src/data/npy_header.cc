#include "data/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr size_t kMostHeader = size_t{1} << 16;
constexpr size_t kMostRank = 8;

// The dictionary in the header: Python's literals, but only the three keys that the format has.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool seen_type = false, seen_order = false, seen_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !seen_type) {
        seen_type = true;
        parse_type(header);
      } else if (key == "fortran_order" && !seen_order) {
        seen_order = true;
        header.is_fortran = boolean();
      } else if (key == "shape" && !seen_shape) {
        seen_shape = true;
        header.shape = shape();
      } else {
        invalid();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size() || !seen_type || !seen_order || !seen_shape) invalid();
    return header;
  }

 private:
  [[noreturn]] void invalid() const { npy_damaged(name_, "its header is not that of an array"); }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) invalid();
  }
  std::string quoted() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) invalid();
    const char quote = text_[at_++];
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) invalid();
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    invalid();
  }
  std::vector<int64_t> shape() {
    std::vector<int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      int64_t size = -1;
      const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (failure != std::errc() || size < 0 || sizes.size() == kMostRank) invalid();
      at_ = static_cast<size_t>(end - text_.data());
      sizes.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }
  void parse_type(NpyHeader& header) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      fail("{} holds records; save plain arrays of numbers", name_);
    const std::string type = quoted();
    const auto unknown = [&] {
      fail("{} holds elements of type '{}'; save numbers: bool, int, uint or float of up to 8 bytes", name_,
           printable(type, 20));
    };
    if (type.find('O') != std::string::npos)
      fail(
          "{} holds Python objects, which are never unpickled; save an array of numbers (dtype int or float)",
          name_);
    if (type.size() < 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos) unknown();
    header.is_big_endian = type[0] == '>';
    header.kind = type[1];
    const auto [end, failure] =
        std::from_chars(type.data() + 2, type.data() + type.size(), header.item_bytes);
    if (failure != std::errc() || end != type.data() + type.size() || header.item_bytes < 1) unknown();
    if (header.kind == 'U' && header.item_bytes <= 1 << 14) {
      header.item_bytes *= 4;  // UTF-32
      return;
    }
    if (header.kind == 'S' && header.item_bytes <= 1 << 16) return;
    const bool is_integer = header.kind == 'i' || header.kind == 'u';
    const int64_t size = header.item_bytes;
    const bool valid = (header.kind == 'b' && size == 1) ||
                       (header.kind == 'f' && (size == 2 || size == 4 || size == 8)) ||
                       (is_integer && (size == 1 || size == 2 || size == 4 || size == 8));
    if (!valid) unknown();
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
};

}  // namespace

void npy_damaged(const std::string& name, const std::string& why) {
  fail("cannot read {}: {}; save it again with np.save or np.savez", name, why);
}

uint64_t bits_at(const char* at, int64_t bytes, bool is_big_endian) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < bytes; ++i) {
    const int64_t place = is_big_endian ? bytes - 1 - i : i;
    bits |= static_cast<uint64_t>(static_cast<uint8_t>(at[i])) << (8 * place);
  }
  return bits;
}

int64_t NpyHeader::items() const {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;  // whatever else it claims
  int64_t total = 1;
  for (int64_t size : shape) total *= size;
  return total;
}

NpyHeader read_npy_header(ByteStream& stream, const std::string& name) {
  char start[12];
  if (stream.size() == 0) npy_damaged(name, "it is empty");
  if (stream.read(start, 8) < 8 || std::memcmp(start, "\x93NUMPY", 6) != 0)
    npy_damaged(name, "it is no .npy array");
  const int major = start[6];
  if (major < 1 || major > 3 || start[7] != 0) npy_damaged(name, "its format version is unknown");
  const size_t width = major == 1 ? 2 : 4;
  if (stream.read(start + 8, width) < width) npy_damaged(name, "it is cut short");
  const size_t length = bits_at(start + 8, static_cast<int64_t>(width), false);
  if (length > kMostHeader) npy_damaged(name, "its header is too long");
  std::string text(length, '\0');
  if (stream.read(text.data(), length) < length) npy_damaged(name, "it is cut short");
  const NpyHeader header = HeaderParser(text, name).parse();
  // The size that the shape claims must be what is there, so nothing is allocated on its word alone.
  const int64_t rest = stream.size() - static_cast<int64_t>(8 + width + length);
  const char* too_short = "it is cut short: its shape claims more numbers than it holds";
  const bool is_empty = std::ranges::find(header.shape, 0) != header.shape.end();
  int64_t claimed = is_empty ? 0 : header.item_bytes;
  for (int64_t size : header.shape) {
    if (claimed > 0 && claimed > rest / size) npy_damaged(name, too_short);
    claimed *= size;
  }
  if (claimed > rest) npy_damaged(name, too_short);
  if (claimed < rest) npy_damaged(name, "it is longer than its shape says");
  return header;
}

}  // namespace neo

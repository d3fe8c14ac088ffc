#include "data/npy_stream.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace neo {
namespace {

constexpr size_t kArrayBlock = size_t{1} << 20;
constexpr int64_t kMostRowBytes = int64_t{1} << 22;  // an observation has at most 65,536 numbers
constexpr int64_t kMostFortran = int64_t{1} << 28;

double half_to_double(uint64_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

int64_t signed_value(uint64_t bits, int64_t bytes) {
  const int shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<int64_t>(bits << shift) >> shift;
}

void append_utf8(std::string& text, uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0 | point >> 6);
    text += static_cast<char>(0x80 | (point & 63));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | point >> 12);
    text += static_cast<char>(0x80 | (point >> 6 & 63));
    text += static_cast<char>(0x80 | (point & 63));
  } else {
    text += static_cast<char>(0xF0 | (point >> 18 & 7));
    text += static_cast<char>(0x80 | (point >> 12 & 63));
    text += static_cast<char>(0x80 | (point >> 6 & 63));
    text += static_cast<char>(0x80 | (point & 63));
  }
}

}  // namespace

NpyStream::NpyStream(std::unique_ptr<ByteStream> stream, std::string name, bool is_one_row)
    : stream_(std::move(stream)), name_(std::move(name)), header_(read_npy_header(*stream_, name_)) {
  if (is_one_row) header_.shape.insert(header_.shape.begin(), 1);  // changes neither order of storage
  if (header_.shape.empty())
    fail("{} is a single number; its first dimension must count observations", name_);
  for (size_t d = 1; d < header_.shape.size(); ++d) {
    if (rows() > 0 && header_.shape[d] > 0 &&
        static_cast<int64_t>(row_items_) > kMostRowBytes / header_.shape[d])
      fail("{}: an observation of {} numbers is too large", name_, fmt::join(row_shape(), "x"));
    row_items_ *= static_cast<size_t>(header_.shape[d]);
  }
  row_bytes_ = row_items_ * static_cast<size_t>(header_.item_bytes);
  if (header_.is_fortran && header_.shape.size() > 1 && header_.items() > 0) load_fortran();
}

std::vector<int64_t> NpyStream::row_shape() const { return {header_.shape.begin() + 1, header_.shape.end()}; }

void NpyStream::read_exactly(char* to, size_t count) {
  if (stream_->read(to, count) < count) npy_damaged(name_, "it is cut short");
}

// Archives verify their checksum only for callers that read to the very end.
void NpyStream::require_end() {
  char extra;
  if (stream_->read(&extra, 1) > 0) npy_damaged(name_, "it is longer than its shape says");
}

// Rows of such an array lie scattered over all of it.
void NpyStream::load_fortran() {
  const size_t item = static_cast<size_t>(header_.item_bytes);
  const int64_t bytes = header_.items() * header_.item_bytes;
  if (bytes > kMostFortran)
    fail("{} is stored in Fortran order and too large for that; save np.ascontiguousarray of it", name_);
  std::vector<char> stored(static_cast<size_t>(bytes));
  read_exactly(stored.data(), stored.size());
  require_end();
  block_.resize(stored.size());
  const size_t rank = header_.shape.size();
  std::vector<int64_t> place(rank, 0);
  for (size_t i = 0; i < block_.size() / item; ++i) {  // `place` counts in row-major order
    size_t from = 0;
    for (size_t d = rank; d-- > 0;)
      from = from * static_cast<size_t>(header_.shape[d]) + static_cast<size_t>(place[d]);
    std::memcpy(block_.data() + i * item, stored.data() + from * item, item);
    for (size_t d = rank; d-- > 0;) {
      if (++place[d] < header_.shape[d]) break;
      place[d] = 0;
    }
  }
  filled_ = block_.size();
}

bool NpyStream::fill_row() {
  if (next_row_ == rows()) return false;
  if (at_ == filled_ && row_bytes_ > 0) {
    const auto left = static_cast<size_t>(rows() - next_row_);
    const size_t count = std::min(left, std::max<size_t>(1, kArrayBlock / row_bytes_));
    block_.resize(count * row_bytes_);
    read_exactly(block_.data(), block_.size());
    if (count == left) require_end();
    at_ = 0;
    filled_ = block_.size();
  }
  row_ = block_.data() + at_;
  at_ += row_bytes_;
  ++next_row_;
  return true;
}

double NpyStream::number_at(size_t item) const {
  const char* at = row_ + item * static_cast<size_t>(header_.item_bytes);
  const uint64_t bits = bits_at(at, header_.item_bytes, header_.is_big_endian);
  switch (header_.kind) {
    case 'b':
      return bits != 0;
    case 'u':
      return static_cast<double>(bits);
    case 'i':
      return static_cast<double>(signed_value(bits, header_.item_bytes));
    default:
      break;
  }
  if (header_.item_bytes == 2) return half_to_double(bits);
  if (header_.item_bytes == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

std::string NpyStream::integer_at(size_t item) const {
  const uint64_t bits = bits_at(row_ + item * static_cast<size_t>(header_.item_bytes), header_.item_bytes,
                                header_.is_big_endian);
  return header_.kind == 'i' ? fmt::to_string(signed_value(bits, header_.item_bytes)) : fmt::to_string(bits);
}

bool NpyStream::next(RawValue& value) {
  if (is_text() && row_shape().size() > 0) fail("{} holds text; save numbers, or one text per row", name_);
  if (!fill_row()) return false;
  value.shape = row_shape();
  value.is_real = is_real();
  value.is_byte = header_.kind == 'u' && header_.item_bytes == 1;
  value.tokens.clear();
  if (value.shape.empty()) {
    value.values.clear();
    value.text = is_text() ? text_of_row() : is_real() ? fmt::to_string(number_at(0)) : integer_at(0);
    return true;
  }
  value.values.resize(row_items_);
  if (value.is_byte) {  // pictures and grids, quickly
    for (size_t i = 0; i < row_items_; ++i) value.values[i] = static_cast<uint8_t>(row_[i]);
  } else {
    for (size_t i = 0; i < row_items_; ++i) value.values[i] = number_at(i);
  }
  return true;
}

std::string NpyStream::text_of_row() const {
  std::string text;
  if (header_.kind == 'S') {
    text.assign(row_, row_bytes_);
    text.resize(std::min(text.size(), text.find_last_not_of('\0') + 1));
    return text;
  }
  for (size_t i = 0; i < row_bytes_; i += 4) {
    const auto point = static_cast<uint32_t>(bits_at(row_ + i, 4, header_.is_big_endian));
    if (point == 0) break;
    append_utf8(text, std::min<uint32_t>(point, 0x10FFFF));
  }
  return text;
}

bool NpyStream::next_text(std::string& text) {
  if (header_.shape.size() != 1 || is_real()) fail("{} must hold one integer or text per row", name_);
  if (!fill_row()) return false;
  text = is_text() ? text_of_row() : integer_at(0);
  return true;
}

}  // namespace neo

#include "core/event_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace {

// Fields of Protocol Buffers, by the numbers in tensorflow/core/{util/event,framework/summary,framework/tensor}.proto.
std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
enum Wire { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
std::string key(int field, Wire wire) { return varint(static_cast<uint64_t>(field) << 3 | wire); }

template <typename T>
std::string little_endian(T bits) {
  std::string out;
  for (size_t i = 0; i < sizeof bits; ++i) out += static_cast<char>(bits >> (8 * i) & 0xff);
  return out;
}
std::string plain(double value) { return little_endian(std::bit_cast<uint64_t>(value)); }

std::string integer(int field, int64_t value) { return key(field, kVarint) + varint(static_cast<uint64_t>(value)); }
std::string number(int field, double value) { return key(field, kFixed64) + plain(value); }
std::string single(int field, float value) {
  return key(field, kFixed32) + little_endian(std::bit_cast<uint32_t>(value));
}
std::string bytes(int field, std::string_view value) {
  return key(field, kBytes) + varint(value.size()) + std::string(value);
}
std::string numbers(int field, const std::vector<double>& values) {
  std::string packed;
  for (double value : values) packed += plain(value);
  return bytes(field, packed);
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::filesystem::path file_name() {
  std::array<char, 65> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("events.out.tfevents.{:.0f}.{}.{}", now(), host.data(), getpid());
}

// A checksum as record files hold it, so that one of a checksum is not itself.
uint32_t masked(uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }

}  // namespace

uint32_t crc32c(std::string_view data) {
  static const auto table = [] {
    std::array<uint32_t, 256> entries{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0x82f63b78U : 0);
      entries[i] = value;
    }
    return entries;
  }();
  uint32_t crc = ~0U;
  for (char c : data) crc = crc >> 8 ^ table[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder) {
  make_writable_folder(folder);
  const auto path = folder / file_name();
  file_.open(path, std::ios::binary | std::ios::app);
  if (!file_) fail("cannot write {}; free some space, or train without --tensorboard", path.string());
  write_record(number(1, now()) + bytes(3, "brain.Event:2"));
}

void EventFile::write_record(const std::string& event) {
  const std::string size = little_endian(static_cast<uint64_t>(event.size()));
  file_ << size << little_endian(masked(crc32c(size))) << event << little_endian(masked(crc32c(event))) << std::flush;
  if (!file_) fail("cannot write TensorBoard's events; free some space, or train without --tensorboard");
}

void EventFile::add_value(int64_t step, const std::string& value) {
  write_record(number(1, now()) + integer(2, step) + bytes(5, bytes(1, value)));
}

void EventFile::add_scalar(const std::string& tag, int64_t step, double value) {
  add_value(step, bytes(1, tag) + single(2, static_cast<float>(value)));
}

void EventFile::add_counts(const std::string& tag, int64_t step, const std::vector<int64_t>& counts) {
  double total = 0, sum = 0, squares = 0;
  std::vector<double> limits{-0.5}, buckets{0};
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]), value = static_cast<double>(i);
    total += count;
    sum += count * value;
    squares += count * value * value;
    limits.push_back(value + 0.5);
    buckets.push_back(count);
  }
  const double most = counts.empty() ? 0 : static_cast<double>(counts.size() - 1);
  add_value(step, bytes(1, tag) + bytes(5, number(1, 0) + number(2, most) + number(3, total) + number(4, sum) +
                                               number(5, squares) + numbers(6, limits) + numbers(7, buckets)));
}

void EventFile::add_text(const std::string& tag, int64_t step, std::string_view markdown) {
  constexpr int kString = 7;  // DT_STRING
  const std::string shape = bytes(2, integer(1, 1));
  const std::string tensor = integer(1, kString) + bytes(2, shape) + bytes(8, markdown);
  add_value(step, bytes(1, tag) + bytes(8, tensor) + bytes(9, bytes(1, bytes(1, "text"))));
}

void EventFile::add_picture(const std::string& tag, int64_t step, std::string_view png, int width, int height) {
  constexpr int kRgb = 3;
  add_value(step, bytes(1, tag) + bytes(4, integer(1, height) + integer(2, width) + integer(3, kRgb) + bytes(4, png)));
}

}  // namespace neo

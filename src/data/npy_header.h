#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/byte_stream.h"

namespace neo {

// The header of a .npy file.
struct NpyHeader {
  char kind = 'u';  // b, i, u, f: numbers; U, S: fixed-width text
  int64_t item_bytes = 1;
  bool is_big_endian = false;
  bool is_fortran = false;  // stored column by column
  std::vector<int64_t> shape;
  int64_t items() const;
  bool is_text() const { return kind == 'U' || kind == 'S'; }
};

// Reads the header strictly and checks that exactly the rest of the stream holds the array. Objects, records,
// dates and complex numbers are refused; nothing is ever unpickled. `name`: for messages.
NpyHeader read_npy_header(ByteStream& stream, const std::string& name);

// The Error about an array that cannot be read.
[[noreturn]] void npy_damaged(const std::string& name, const std::string& why);

// A number of 1 to 8 bytes as a little-endian machine holds it.
uint64_t bits_at(const char* at, int64_t bytes, bool is_big_endian);

}  // namespace neo

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/byte_stream.h"
#include "data/npy_header.h"
#include "data/raw_pair.h"

namespace neo {

// An array [rows, ...], row after row.
class NpyStream {
 public:
  // `is_one_row`: the whole array is one observation.
  NpyStream(std::unique_ptr<ByteStream> stream, std::string name, bool is_one_row = false);
  int64_t rows() const { return header_.shape[0]; }
  std::vector<int64_t> row_shape() const;
  bool is_text() const { return header_.is_text(); }
  bool is_real() const { return header_.kind == 'f'; }
  const std::string& name() const { return name_; }
  bool next(RawValue& value);         // numbers; false after the last row; does not touch value.at
  bool next_text(std::string& text);  // of an array [rows] of texts or integers

 private:
  bool fill_row();  // row_ points to the bytes of the next row
  void load_fortran();
  void read_exactly(char* to, size_t count);
  void require_end();
  double number_at(size_t item) const;  // of the current row
  std::string integer_at(size_t item) const;
  std::string text_of_row() const;

  std::unique_ptr<ByteStream> stream_;
  std::string name_;
  NpyHeader header_;
  size_t row_items_ = 1, row_bytes_ = 0;
  int64_t next_row_ = 0;
  std::vector<char> block_;  // some rows, or all where they are stored column by column
  size_t at_ = 0, filled_ = 0;
  const char* row_ = nullptr;
};

}  // namespace neo

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/byte_stream.h"

namespace neo {

// Records of a CSV file (RFC 4180): fields may be quoted, and may then contain separators, doubled quotes
// and line breaks. The separator is a comma, or a semicolon or tab where the first line has no comma.
class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& path);
  bool next(std::vector<std::string>& fields);   // false at the end; empty lines are skipped
  int64_t line() const { return record_line_; }  // where the last record began, from 1

 private:
  int get();  // -1 at the end
  int peek();
  void read_quoted(std::string& field);
  void grow(std::string& field, char c) const;
  [[noreturn]] void bad(const std::string& why) const;

  std::filesystem::path path_;
  FileStream file_;
  std::vector<char> block_;
  size_t at_ = 0, filled_ = 0;
  int64_t line_ = 1, record_line_ = 1;
  char separator_ = ',';
};

}  // namespace neo

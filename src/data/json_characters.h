#pragma once

#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>

#include "core/error.h"
#include "data/byte_stream.h"

namespace neo {

// A file's characters, with the current line; an overlong token is an Error before the parser
// has stored all of it.
class JsonCharacters {
 public:
  explicit JsonCharacters(const std::filesystem::path& path) : path_(path), file_(path) {}
  bool at_end() {
    if (at_ < filled_) return false;
    filled_ = file_.read(block_.data(), block_.size());
    at_ = 0;
    return filled_ == 0;
  }
  char current() const { return block_[at_]; }
  void advance() {
    if (block_[at_] == '\n') ++line_;
    ++at_;
    if (++since_token_ > kMostToken)
      fail("{}, line {}: a text or number of over {} characters; is this a file of pairs?", path_.string(),
           line_, kMostToken);
  }
  void token_done() { since_token_ = 0; }
  bool skip_blanks() {  // false at the end
    while (!at_end() && std::strchr(" \t\r\n", current()) && current() != '\0') {
      advance();
      token_done();
    }
    return !at_end();
  }
  void skip_byte_order_mark() {
    for (const char c : {'\xEF', '\xBB', '\xBF'})
      if (!at_end() && current() == c) advance();
  }
  int64_t line() const { return line_; }

 private:
  static constexpr size_t kMostToken = size_t{1} << 20;
  const std::filesystem::path& path_;
  FileStream file_;
  std::vector<char> block_ = std::vector<char>(size_t{1} << 16);
  size_t at_ = 0, filled_ = 0, since_token_ = 0;
  int64_t line_ = 1;
};

// What nlohmann's parser reads from: all copies share one position.
class JsonIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;
  explicit JsonIterator(JsonCharacters* from = nullptr) : from_(from) {}
  char operator*() const { return from_->current(); }
  JsonIterator& operator++() {
    from_->advance();
    return *this;
  }
  JsonIterator operator++(int) {
    from_->advance();
    return *this;
  }
  bool operator==(const JsonIterator& other) const { return is_end() == other.is_end(); }
  bool operator!=(const JsonIterator& other) const { return !(*this == other); }

 private:
  bool is_end() const { return !from_ || from_->at_end(); }
  JsonCharacters* from_;
};

}  // namespace neo

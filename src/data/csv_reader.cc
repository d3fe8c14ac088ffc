#include "data/csv_reader.h"

#include <algorithm>

namespace neo {
namespace {
constexpr size_t kMostField = size_t{1} << 20;
constexpr size_t kMostFields = 4096;
}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path) : path_(path), file_(path), block_(size_t{1} << 16) {
  peek();
  const std::string_view start(block_.data(), filled_);
  if (start.starts_with("\xEF\xBB\xBF")) at_ = 3;
  const std::string_view first = start.substr(0, start.find('\n'));
  if (first.find(',') == std::string_view::npos) {
    if (first.find(';') != std::string_view::npos) separator_ = ';';
    if (first.find('\t') != std::string_view::npos) separator_ = '\t';
  }
}

void CsvReader::bad(const std::string& why) const {
  fail("{}, line {}: {}", path_.string(), record_line_, why);
}

int CsvReader::peek() {
  if (at_ == filled_) {
    filled_ = file_.read(block_.data(), block_.size());
    at_ = 0;
    if (filled_ == 0) return -1;
  }
  return static_cast<unsigned char>(block_[at_]);
}

int CsvReader::get() {
  const int c = peek();
  if (c >= 0) ++at_;
  if (c == '\n') ++line_;
  return c;
}

void CsvReader::grow(std::string& field, char c) const {
  if (field.size() == kMostField) bad("a field of over a million characters; is a quote missing?");
  field += c;
}

void CsvReader::read_quoted(std::string& field) {
  for (;;) {
    const int c = get();
    if (c < 0) bad("a quote is opened and never closed");
    if (c != '"') {
      grow(field, static_cast<char>(c));
    } else if (peek() == '"') {
      grow(field, static_cast<char>(get()));
    } else {
      break;
    }
  }
  const int after = peek();
  if (after >= 0 && after != separator_ && after != '\n' && after != '\r')
    bad("text follows a closing quote; double the quotes inside of quoted fields");
}

bool CsvReader::next(std::vector<std::string>& fields) {
  while (peek() == '\n' || peek() == '\r') get();
  if (peek() < 0) return false;
  record_line_ = line_;
  fields.assign(1, "");
  for (;;) {
    const int c = get();
    if (c < 0 || c == '\n') return true;
    if (c == '\r' && (peek() == '\n' || peek() < 0)) continue;
    if (c == separator_) {
      if (fields.size() == kMostFields) bad("too many columns");
      fields.emplace_back();
    } else if (c == '"' && fields.back().empty()) {
      read_quoted(fields.back());
    } else {
      grow(fields.back(), static_cast<char>(c));
    }
  }
}

}  // namespace neo

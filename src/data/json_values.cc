#include "data/json_values.h"

#include <fmt/format.h>

#include <utility>

namespace neo {
namespace {
constexpr size_t kMostListDepth = 3;
constexpr size_t kMostListNumbers = size_t{1} << 16;  // the largest image: 128x128 of 4 channels
constexpr int64_t kUnknown = -1;
const std::string kUneven = "has lists of different lengths or depths; make it rectangular";
}  // namespace

std::string JsonValueBuilder::start_list() {
  began_ = true;
  if (depth_ == kMostListDepth) return "is nested too deeply; observations have up to three dimensions";
  if (depth_ > 0) ++counts_[depth_ - 1];
  if (!value_.tokens.empty()) return kUneven;
  if (value_.shape.size() == depth_) {
    if (!value_.values.empty()) return kUneven;
    value_.shape.push_back(kUnknown);
  }
  counts_.resize(++depth_);
  counts_.back() = 0;
  return "";
}

std::string JsonValueBuilder::end_list() {
  const int64_t count = counts_.back();
  int64_t& size = value_.shape[--depth_];
  if (size != kUnknown && size != count) return kUneven;
  size = count;
  counts_.pop_back();
  if (depth_ == 0 && value_.values.empty() && value_.tokens.empty()) return "is empty; leave the pair out";
  return "";
}

std::string JsonValueBuilder::number(double value, std::string_view token, bool is_real) {
  began_ = true;
  value_.is_real |= is_real;
  if (depth_ == 0) {
    value_.text = token;
    return "";
  }
  if (depth_ != value_.shape.size() || !value_.tokens.empty()) return kUneven;
  if (value_.values.size() == kMostListNumbers) return fmt::format("has over {} numbers", kMostListNumbers);
  ++counts_.back();
  value_.values.push_back(value);
  return "";
}

std::string JsonValueBuilder::text(std::string& text) {
  began_ = true;
  if (depth_ == 0) {
    if (text.empty()) return "is empty; leave the pair out";
    value_.text = std::move(text);
    return "";
  }
  if (depth_ != 1 || value_.shape.size() != 1 || !value_.values.empty())
    return "mixes texts and numbers or nests texts; give numbers, or one list of texts";
  if (value_.tokens.size() == kMostListNumbers) return fmt::format("has over {} texts", kMostListNumbers);
  ++counts_.back();
  value_.tokens.push_back(std::move(text));
  return "";
}

RawValue JsonValueBuilder::take() {
  if (!value_.tokens.empty()) value_.shape.clear();
  RawValue done = std::move(value_);
  *this = {};
  return done;
}

}  // namespace neo

#include "serve/incoming_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/text.h"

namespace neo {
namespace {

constexpr std::string_view kEnd = "\r\n\r\n";
constexpr std::array<std::string_view, 8> kKept{"host",   "connection",     "content-type",  "content-length",
                                                "origin", "sec-fetch-site", "authorization", "cookie"};

bool is_visible(char c) { return c > ' ' && c < 0x7f; }
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_visible(c) && std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
  });
}
bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }

}  // namespace

IncomingRequest::State IncomingRequest::refuse(int status, std::string reason) {
  refusal_ = {status, std::move(reason)};
  return state_ = State::refused;
}

IncomingRequest::State IncomingRequest::state() {
  if (state_ != State::incomplete) return state_;
  if (head_size_ == 0) {
    const size_t end = buffer_.find(kEnd, searched_);
    if (end == std::string::npos && buffer_.size() < limits_.head) {
      searched_ = buffer_.size() - std::min(buffer_.size(), kEnd.size() - 1);
      return state_;
    }
    if (end == std::string::npos || end + kEnd.size() > limits_.head)
      return refuse(431, fmt::format("the head of a request may have {} bytes", limits_.head));
    head_size_ = end + kEnd.size();
    if (!read_head(std::string_view(buffer_).substr(0, end)) || !check_body()) return state_;
  }
  if (buffer_.size() >= head_size_ + body_size_) state_ = State::complete;
  return state_;
}

bool IncomingRequest::read_head(std::string_view head) {
  size_t lines = 0;
  while (true) {
    const size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    if (++lines > limits_.lines) {
      refuse(431, fmt::format("a request may have {} header lines", limits_.lines));
      return false;
    }
    if (std::any_of(line.begin(), line.end(), is_control)) {
      refuse(400, "the head of the request holds control characters");
      return false;
    }
    if (!(lines == 1 ? read_request_line(line) : read_header(line))) return false;
    if (end == std::string_view::npos) break;
    head.remove_prefix(end + 2);
  }
  rewritten_ += "\r\n";
  return true;
}

bool IncomingRequest::read_request_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  const std::string_view method = line.substr(0, first);
  const std::string_view version = last == std::string_view::npos ? "" : line.substr(last + 1);
  const std::string_view target =
      first == std::string_view::npos || last <= first ? "" : line.substr(first + 1, last - first - 1);
  if (!is_token(method) || target.empty() || target[0] != '/' ||
      !std::all_of(target.begin(), target.end(), is_visible) ||
      (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    refuse(400, "this is no HTTP/1.1 request");
    return false;
  }
  if (target.size() > limits_.target) {
    refuse(414, fmt::format("a path may have {} characters", limits_.target));
    return false;
  }
  has_body_method_ = method == "POST";
  most_body_ = target == kUploadPath ? std::max(limits_.body, limits_.upload) : limits_.body;
  if (!has_body_method_ && method != "GET" && method != "HEAD") {
    refuse(405, fmt::format("the method {} is not used here; use GET or POST", printable(method, 20)));
    return false;
  }
  rewritten_ = fmt::format("{}\r\n", line);
  return true;
}

bool IncomingRequest::read_header(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    refuse(400, "a header line is not of the form `Name: value`");
    return false;
  }
  const std::string name = lowercase(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1), " \t");
  if (name == "transfer-encoding") {
    refuse(411, "a body needs a Content-Length; chunks are not read");
    return false;
  }
  if (name == "content-encoding" && lowercase(value) != "identity") {
    refuse(415, "compressed bodies are not read");
    return false;
  }
  if (name == "expect" && lowercase(value) == "100-continue") expects_continue_ = true;
  if (std::find(kKept.begin(), kKept.end(), name) == kKept.end()) return true;
  const std::string kept = fmt::format("\r\n{}: ", name);
  if (rewritten_.find(kept) != std::string::npos || rewritten_.ends_with(kept.substr(2))) {
    refuse(400, fmt::format("the header {} is given twice", name));
    return false;
  }
  if (name == "content-length" && !read_content_length(value)) return false;
  rewritten_ += fmt::format("{}: {}\r\n", name, value);
  return true;
}

bool IncomingRequest::read_content_length(std::string_view value) {
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, body_size_);
  has_length_ = true;
  if (error == std::errc::result_out_of_range || (error == std::errc() && body_size_ > most_body_)) {
    refuse(413, fmt::format("a body may have {} bytes", most_body_));
    return false;
  }
  if (error != std::errc() || rest != end) {
    refuse(400, "Content-Length is no number");
    return false;
  }
  return true;
}

bool IncomingRequest::check_body() {
  if (has_body_method_ && !has_length_) {
    refuse(411, "a POST needs a Content-Length");
    return false;
  }
  if (!has_body_method_ && body_size_ > 0) {
    refuse(400, "only a POST may have a body");
    return false;
  }
  return true;
}

std::string IncomingRequest::take() {
  std::string request = std::move(rewritten_) + buffer_.substr(head_size_, body_size_);
  std::string rest = buffer_.substr(head_size_ + body_size_);
  *this = IncomingRequest(limits_);
  buffer_ = std::move(rest);
  return request;
}

}  // namespace neo

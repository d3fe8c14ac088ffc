#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neo {

// Where a page sends a user's file.
inline constexpr std::string_view kUploadPath = "/api/data/receive";

// How much of a request is read before it is parsed.
struct RequestLimits {
  size_t head = 16 * 1024;   // request line and headers, in bytes
  size_t lines = 100;        // of them
  size_t target = 512;       // bytes of the path
  size_t body = 512 * 1024;
  size_t upload = 0;  // more for a file, sent to kUploadPath; 0: none is taken
};

// What is wrong with a request, as an HTTP status and a sentence.
struct Refusal {
  int status = 400;
  std::string reason;
};

// One HTTP/1 request on its way in. Bytes are appended as they arrive, and nothing is handed on before the
// request is complete and within its limits. Only the few headers that the server acts upon are passed on:
// ranges, encodings, cookies and chunks never reach the code behind it.
class IncomingRequest {
 public:
  enum class State { incomplete, complete, refused };

  explicit IncomingRequest(const RequestLimits& limits = {}) : limits_(limits) {}
  void append(std::string_view bytes) { buffer_.append(bytes); }
  bool empty() const { return buffer_.empty(); }
  State state();
  const Refusal& refusal() const { return refusal_; }  // once refused
  bool expects_continue() const { return expects_continue_; }

  // The complete request, rewritten with the headers that count. What was sent after it is the beginning of
  // the next one.
  std::string take();

 private:
  State refuse(int status, std::string reason);
  bool read_head(std::string_view head);
  bool read_request_line(std::string_view line);
  bool read_header(std::string_view line);
  bool read_content_length(std::string_view value);
  bool check_body();

  RequestLimits limits_;
  std::string buffer_;
  State state_ = State::incomplete;
  Refusal refusal_;
  size_t searched_ = 0;   // bytes of the buffer in which the head does not end
  size_t head_size_ = 0;  // 0 until the head is complete
  size_t body_size_ = 0;
  size_t most_body_ = 0;  // for the path that was asked for
  bool has_length_ = false, has_body_method_ = false, expects_continue_ = false;
  std::string rewritten_;  // the head to hand on
};

}  // namespace neo

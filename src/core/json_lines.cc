#include "core/json_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

bool has_boundary(const fs::path& path, int64_t bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file || bytes == 0) return bytes == 0;
  return file.seekg(bytes - 1) && file.get() == '\n';
}

}  // namespace

JsonLinesWriter::JsonLinesWriter(fs::path path, int64_t keep_bytes)
    : path_(std::move(path)), bytes_(keep_bytes) {
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0) fail("cannot write {}: {}", path_.string(), std::strerror(errno));
  if (ftruncate(fd_, keep_bytes) != 0) {
    const int error = errno;
    close(fd_);
    fail("cannot cut {} to {} bytes: {}", path_.string(), keep_bytes, std::strerror(error));
  }
}

JsonLinesWriter JsonLinesWriter::create(const fs::path& path) {
  std::error_code ignored;  // open() reports what is wrong
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  return {path, 0};
}

JsonLinesWriter JsonLinesWriter::resume_at_byte(const fs::path& path, int64_t bytes) {
  if (has_boundary(path, bytes)) return {path, bytes};
  std::error_code error;
  const fs::path aside = path.string() + ".damaged";
  if (fs::exists(path)) fs::rename(path, aside, error);
  if (error) fail("cannot move {} to {}: {}; remove it", path.string(), aside.string(), error.message());
  return create(path);
}

JsonLinesWriter::~JsonLinesWriter() {
  if (fd_ >= 0) close(fd_);
}

JsonLinesWriter::JsonLinesWriter(JsonLinesWriter&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), bytes_(other.bytes_) {}

void JsonLinesWriter::write(const json& record) {
  const std::string line = record.dump() + '\n';
  for (size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(fd_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      fail("cannot write {}: {}; free some space or check permissions", path_.string(), std::strerror(errno));
    done += static_cast<size_t>(count);
  }
  bytes_ += static_cast<int64_t>(line.size());
}

void JsonLinesWriter::sync() {
  if (fsync(fd_) != 0) fail("cannot flush {} to disk: {}", path_.string(), std::strerror(errno));
}

void for_each_json_line(const fs::path& path, const std::function<void(const json&)>& visit) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path))
    fail("cannot read {}: check that it exists and is readable", path.string());
  std::string line;
  for (int64_t number = 1; std::getline(file, line) && !file.eof(); ++number) {
    const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (record.is_discarded()) fail("{}:{}: not a JSON record; the file is damaged", path.string(), number);
    visit(record);
  }
}

std::vector<json> read_json_lines(const fs::path& path) {
  std::vector<json> records;
  for_each_json_line(path, [&](const json& record) { records.push_back(record); });
  return records;
}

}  // namespace neo

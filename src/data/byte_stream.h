#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/error.h"

namespace neo {

// Bytes read from front to back: a file, or an entry of an archive.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  virtual int64_t size() const = 0;
  // Fewer than `count` only at the end; an Error where they cannot be read.
  virtual size_t read(void* to, size_t count) = 0;
};

class FileStream : public ByteStream {
 public:
  explicit FileStream(const std::filesystem::path& path) : path_(path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure))
      fail("cannot read {}: it is no regular file, or does not exist; check the path", path.string());
    size_ = static_cast<int64_t>(std::filesystem::file_size(path, failure));
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_ || failure) fail("cannot open {}: check its permissions", path.string());
  }
  int64_t size() const override { return size_; }
  size_t read(void* to, size_t count) override {
    const size_t got = std::fread(to, 1, count, file_.get());
    if (got < count && std::ferror(file_.get()))
      fail("cannot read {}: the disk reports an error", path_.string());
    return got;
  }

 private:
  struct Close {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<FILE, Close> file_;
  int64_t size_ = 0;
};

}  // namespace neo

#pragma once

#include <gtest/gtest.h>
#include <png.h>
#include <zip.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/testing.h"
#include "data/import.h"

// Files in foreign formats, for tests only.
namespace neo::testing {

// What np.save writes; `type` as NumPy spells it: "<i4", "|u1", ...
inline std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& data,
                             bool is_fortran = false, char version = 1) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                   is_fortran ? "True" : "False", shape);
  header += std::string(63 - (header.size() + (version == 1 ? 10 : 12)) % 64, ' ') + "\n";
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  for (size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 255);
  return bytes + header + data;
}

template <typename T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// An archive of arrays, or of any bytes, under the given names.
inline void write_zip(const std::filesystem::path& path, const std::map<std::string, std::string>& entries,
                      zip_int32_t method = ZIP_CM_DEFLATE) {
  std::filesystem::remove(path);
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, bytes] : entries) {
    const auto index =
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

struct PngForm {
  int colour_type = PNG_COLOR_TYPE_RGB;
  int bits = 8;
  png_uint_32 width = 32, height = 32;
};

// Writes rows as they are: `bytes` holds samples in the file's own form, 16-bit ones big-endian. Without any,
// the file ends where its pixels should begin.
inline void write_png(const std::filesystem::path& path, const PngForm& form,
                      const std::vector<uint8_t>& bytes,
                      const std::function<void(png_structp, png_infop)>& add_chunks = {}) {
  FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, form.width, form.height, form.bits, form.colour_type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (add_chunks) add_chunks(png, info);
  png_write_info(png, info);
  const size_t row = bytes.size() / form.height;
  for (png_uint_32 y = 0; row > 0 && y < form.height; ++y) png_write_row(png, bytes.data() + y * row);
  if (row > 0)
    png_write_end(png, nullptr);
  else
    png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), nullptr, 0);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

// A folder to put sources in, and an import out of it.
class ImportTest : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& content) const {
    write_file_atomically(folder_ / name, content);
  }
  ImportOptions options(const std::vector<std::string>& names) const {
    ImportOptions options{.out = folder_ / "out.h5", .hold_out = 0, .is_quiet = true};
    for (const std::string& name : names) options.sources.push_back(folder_ / name);
    return options;
  }
  ImportReport import(const std::vector<std::string>& names) const { return import_pairs(options(names)); }
  // The one-line message of an import that must fail and leave nothing behind.
  std::string complaint(const ImportOptions& options) const {
    std::filesystem::remove(options.out);
    const std::string text = error_of([&] { import_pairs(options); });
    EXPECT_NE(text, "");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_FALSE(std::filesystem::exists(options.out));
    return text;
  }
  std::string complaint(const std::string& name) const { return complaint(options({name})); }
  // The numbers of a pair of the file that was written.
  std::vector<double> x(int64_t index, Part part = Part::main) const { return numbers(index, part, true); }
  std::vector<double> y(int64_t index, Part part = Part::main) const { return numbers(index, part, false); }
  Pair pair(int64_t index, Part part = Part::main) const {
    return PairReader(folder_ / "out.h5").pair(part, index);
  }

  TemporaryFolder folder_;

 private:
  std::vector<double> numbers(int64_t index, Part part, bool is_x) const {
    PairReader reader(folder_ / "out.h5");
    const Pair pair = reader.pair(part, index);
    return values_of(reader.info().space, is_x ? pair.x : pair.y);
  }
};

}  // namespace neo::testing

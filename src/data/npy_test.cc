#include "data/npy.h"

#include <gtest/gtest.h>

#include "data/npy_stream.h"
#include "data/npz.h"
#include "data/testing.h"

namespace neo {
namespace {
using testing::npy_bytes;
using testing::raw_bytes;

class Npy : public ::testing::Test {
 protected:
  Array read(const std::string& bytes) {
    write_file_atomically(path_, bytes);
    return read_npy(path_);
  }
  std::string complaint(const std::string& bytes) {
    const std::string text = testing::error_of([&] { read(bytes); });
    EXPECT_CONTAINS(text, "array.npy");
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "array.npy";
};

TEST_F(Npy, EveryTypeOfNumberIsRead) {
  using Bytes = std::string;
  const std::vector<std::tuple<std::string, std::string, std::vector<double>>> cases{
      {"|b1", Bytes("\0\1", 2), {0, 1}},
      {"|u1", Bytes("\0\xff", 2), {0, 255}},
      {"|i1", Bytes("\x7f\xff", 2), {127, -1}},
      {"<u2", Bytes("\1\2\0\0", 4), {513, 0}},
      {">u2", Bytes("\1\2\0\0", 4), {258, 0}},
      {"<i4", raw_bytes<int32_t>({-5, 70000}), {-5, 70000}},
      {">i4", Bytes("\xff\xff\xff\xfe\0\0\1\0", 8), {-2, 256}},
      {"<i8", raw_bytes<int64_t>({-5, int64_t{1} << 40}), {-5, 1099511627776.0}},
      {"<u8", raw_bytes<uint64_t>({5, uint64_t{1} << 63}), {5, 9223372036854775808.0}},
      {"<f2", Bytes("\0\x3c\x01\0", 4), {1, 5.9604644775390625e-08}},
      {">f2", Bytes("\xc0\0\x3c\0", 4), {-2, 1}},
      {"<f4", raw_bytes<float>({0.5f, -3}), {0.5, -3}},
      {">f8", Bytes("\x3f\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), {1, 0}},
  };
  for (const auto& [type, bytes, values] : cases) {
    const Array array = read(npy_bytes(type, "(2,)", bytes));
    EXPECT_EQ(array.values, values) << type;
    EXPECT_EQ(array.shape, std::vector<int64_t>{2});
    EXPECT_EQ(array.is_real, type[1] == 'f') << type;
  }
}

TEST_F(Npy, AllThreeVersionsAndBothOrdersAreRead) {
  const std::string rows = raw_bytes<uint8_t>({1, 2, 3, 4, 5, 6}),
                    columns = raw_bytes<uint8_t>({1, 4, 2, 5, 3, 6});
  const std::vector<double> expected{1, 2, 3, 4, 5, 6};
  for (char version : {'\1', '\2', '\3'})
    EXPECT_EQ(read(npy_bytes("|u1", "(2, 3)", rows, false, version)).values, expected);
  EXPECT_EQ(read(npy_bytes("|u1", "(2, 3)", columns, true)).values, expected);
  EXPECT_EQ(read(npy_bytes("|u1", "(2, 3)", columns, true)).shape, (std::vector<int64_t>{2, 3}));
}

TEST_F(Npy, ASingleNumberHasNoShape) {
  const Array array = read(npy_bytes("<i4", "()", raw_bytes<int32_t>({-7})));
  EXPECT_TRUE(array.shape.empty());
  EXPECT_EQ(array.values, std::vector<double>{-7});
}

TEST_F(Npy, ObjectsAreNeverUnpickled) {
  EXPECT_CONTAINS(complaint(npy_bytes("|O", "(2,)", "\x80\x04K\x01.")), "never unpickled");
  std::string records = npy_bytes("|u1", "(2,)", "ab");
  records.replace(records.find("'|u1'"), 5, "[('a", 4);
  EXPECT_NE(complaint(records), "");
}

TEST_F(Npy, OtherElementsAreNamed) {
  EXPECT_CONTAINS(complaint(npy_bytes("<c8", "(1,)", std::string(8, 0))), "'<c8'");
  EXPECT_CONTAINS(complaint(npy_bytes("<M8[ns]", "(1,)", std::string(8, 0))), "M8");
  EXPECT_CONTAINS(complaint(npy_bytes("<f16", "(1,)", std::string(16, 0))), "f16");
  EXPECT_CONTAINS(complaint(npy_bytes("<U2", "(1,)", std::string(8, 'a'))), "text");
}

TEST_F(Npy, ShapesMustBeWhatTheFileHolds) {
  EXPECT_CONTAINS(complaint(npy_bytes("|u1", "(4,)", "abc")), "cut short");
  EXPECT_CONTAINS(complaint(npy_bytes("|u1", "(2,)", "abc")), "longer");
  EXPECT_CONTAINS(complaint(npy_bytes("<f8", "(4611686018427387904, 8)", "abc")), "cut short");
  EXPECT_CONTAINS(complaint(npy_bytes("<f8", "(0, 4611686018427387904, 64)", "")), "no numbers");
  EXPECT_NE(complaint(npy_bytes("|u1", "(-1,)", "abc")), "");
  EXPECT_NE(complaint(npy_bytes("|u1", "(99999999999999999999,)", "abc")), "");
  EXPECT_NE(complaint(npy_bytes("|u1", "(1,1,1,1,1,1,1,1,1)", "a")), "");
}

TEST_F(Npy, DamagedHeadersAreRefused) {
  const std::string right = npy_bytes("|u1", "(3,)", "abc");
  EXPECT_EQ(read(right).values, (std::vector<double>{'a', 'b', 'c'}));
  EXPECT_CONTAINS(complaint(""), "empty");
  EXPECT_CONTAINS(complaint("x,y\n1,2\n"), "no .npy");
  for (size_t keep = 1; keep < right.size(); keep += 3)
    EXPECT_NE(complaint(right.substr(0, keep)), "") << keep;
  for (const auto& [from, to] : {std::pair{"descr", "descR"},
                                 {"False", "Maybe"},
                                 {"shape", "descr"},
                                 {"(3,)", "[3,]"},
                                 {", }", ", {"}}) {
    std::string wrong = right;
    wrong.replace(wrong.find(from), std::strlen(to), to);
    EXPECT_NE(complaint(wrong), "") << to;
  }
}

// ---------------------------------------------------------------- archives

class Npz : public ::testing::Test {
 protected:
  std::string complaint(const std::string& name = "x") {
    return testing::error_of([&] {
      NpyStream stream(open_npz_array(path_, name), "x");
      RawValue value;
      while (stream.next(value)) {
      }
    });
  }
  testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "arrays.npz";
};

TEST_F(Npz, ArraysAreReadRowByRow) {
  const std::string array = npy_bytes("<i2", "(3, 2)", raw_bytes<int16_t>({1, 2, 3, 4, 5, 6}));
  for (zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    testing::write_zip(path_, {{"x.npy", array}, {"readme.txt", "no array"}}, method);
    EXPECT_EQ(npz_names(path_), std::vector<std::string>{"x"});
    NpyStream stream(open_npz_array(path_, "x"), "x");
    EXPECT_EQ(stream.rows(), 3);
    RawValue value;
    for (double first : {1, 3, 5}) {
      ASSERT_TRUE(stream.next(value));
      EXPECT_EQ(value.values, (std::vector<double>{first, first + 1}));
    }
    EXPECT_FALSE(stream.next(value));
  }
}

TEST_F(Npz, TextsOfFixedWidthAreRead) {
  std::u32string wide = U"up\0\0é😀\0\0";
  wide.assign(U"up\0\0é😀\0\0", 8);
  testing::write_zip(path_,
                     {{"u.npy", npy_bytes("<U4", "(2,)", {reinterpret_cast<const char*>(wide.data()), 32})},
                      {"s.npy", npy_bytes("|S3", "(2,)", std::string("ab\0abc", 6))}});
  std::string text;
  NpyStream u(open_npz_array(path_, "u"), "u");
  u.next_text(text);
  EXPECT_EQ(text, "up");
  u.next_text(text);
  EXPECT_EQ(text, "é😀");
  NpyStream s(open_npz_array(path_, "s"), "s");
  s.next_text(text);
  EXPECT_EQ(text, "ab");
  s.next_text(text);
  EXPECT_EQ(text, "abc");
}

TEST_F(Npz, MissingArraysAreNamed) {
  testing::write_zip(path_, {{"x.npy", npy_bytes("|u1", "(1,)", "a")}});
  EXPECT_CONTAINS(complaint("z"), "no array 'z'");
}

TEST_F(Npz, TruncationIsFoundAtEveryLength) {
  testing::write_zip(path_, {{"x.npy", npy_bytes("|u1", "(1000,)", std::string(1000, 'a'))}}, ZIP_CM_STORE);
  const std::string whole = read_file(path_);
  for (size_t keep = 0; keep < whole.size(); keep += whole.size() / 30) {
    write_file_atomically(path_, whole.substr(0, keep));
    EXPECT_CONTAINS(complaint(), "arrays.npz") << keep;
  }
}

TEST_F(Npz, DamagedBytesAreFoundByTheirChecksum) {
  testing::write_zip(path_, {{"x.npy", npy_bytes("|u1", "(1000,)", std::string(1000, 'a'))}}, ZIP_CM_STORE);
  std::string bytes = read_file(path_);
  bytes[bytes.size() / 2] ^= 1;
  write_file_atomically(path_, bytes);
  EXPECT_CONTAINS(complaint(), "damaged");
}

TEST_F(Npz, ClaimsOfZipBombsAreRefusedBeforeAnythingIsRead) {
  testing::write_zip(path_, {{"x.npy", npy_bytes("|u1", "(1000,)", std::string(1000, 'a'))}});
  std::string bytes = read_file(path_);
  const size_t directory = bytes.find("PK\1\2");
  ASSERT_NE(directory, std::string::npos);
  bytes.replace(directory + 24, 4, "\xff\xff\xff\x7f");  // the size that it unpacks to
  write_file_atomically(path_, bytes);
  EXPECT_CONTAINS(complaint(), "not credible");
}

}  // namespace
}  // namespace neo

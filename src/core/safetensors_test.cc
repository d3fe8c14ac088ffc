#include "core/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

using testing::error_of;

std::string with_length(const std::string& header, const std::string& data = "") {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

TensorFile parse(const std::string& bytes) {
  return parse_safetensors({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, "w.safetensors");
}

std::string parse_error(const std::string& bytes) {
  return error_of([&] { parse(bytes); });
}

std::string header_error(const std::string& header, const std::string& data = "") {
  return parse_error(with_length(header, data));
}

TensorFile example() {
  TensorFile file;
  file.metadata = {{"world", "gridworld"}, {"note", "α \"quoted\""}};
  file.tensors["bytes"] = {"U8", {3}, {1, 2, 3}};
  file.tensors["a.weight"] = {"F32", {2, 1}, std::vector<uint8_t>(8, 7)};
  file.tensors["step"] = {"I64", {}, std::vector<uint8_t>(8, 1)};
  file.tensors["empty"] = {"F64", {0, 5}, {}};
  return file;
}

TEST(Safetensors, WritesAndReadsBack) {
  const testing::TemporaryFolder folder;
  write_safetensors(folder / "new/w.safetensors", example());
  EXPECT_EQ(read_safetensors(folder / "new/w.safetensors"), example());
}

TEST(Safetensors, BytesAreDeterministicAndAligned) {
  const testing::TemporaryFolder folder;
  write_safetensors(folder / "a", example());
  write_safetensors(folder / "b", example());
  const std::string bytes = read_file(folder / "a");
  EXPECT_EQ(bytes, read_file(folder / "b"));
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), 8);
  EXPECT_EQ(header_bytes % 8, 0u);
  // Widest first: empty (F64), step (I64), a.weight (F32), bytes (U8).
  EXPECT_CONTAINS(bytes, R"("step":{"data_offsets":[0,8],"dtype":"I64","shape":[]})");
  EXPECT_CONTAINS(bytes, R"("a.weight":{"data_offsets":[8,16],"dtype":"F32","shape":[2,1]})");
  EXPECT_CONTAINS(bytes, R"("bytes":{"data_offsets":[16,19],"dtype":"U8","shape":[3]})");
  EXPECT_EQ(bytes.size(), 8 + header_bytes + 19);
}

TEST(Safetensors, ReadsFilesOfOtherPrograms) {
  const TensorFile file = parse(
      with_length(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[1],"data_offsets":[4,5]},)"
                  R"("a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}     )",
                  std::string("\x01\x00\x00\x00\x09", 5)));
  EXPECT_EQ(file.metadata.at("format"), "pt");
  EXPECT_EQ(file.tensors.at("a").bytes, (std::vector<uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(file.tensors.at("b").bytes, (std::vector<uint8_t>{9}));
  EXPECT_EQ(parse(with_length("{}")), TensorFile{});
}

TEST(Safetensors, RefusesEveryTruncation) {
  const testing::TemporaryFolder folder;
  write_safetensors(folder / "w", example());
  const std::string bytes = read_file(folder / "w");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(parse_error(bytes.substr(0, size)), "") << size;
  EXPECT_CONTAINS(parse_error(bytes.substr(0, bytes.size() - 2)), "cut short, 2 bytes are missing");
}

TEST(Safetensors, RefusesEveryFlippedByte) {
  const testing::TemporaryFolder folder;
  write_safetensors(folder / "w", example());
  const std::string bytes = read_file(folder / "w");
  const std::string key = "neo.digest";  // under another name, the digest is any program's metadata
  const size_t key_at = bytes.find(key);
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i >= key_at && i < key_at + key.size()) continue;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_NE(parse_error(flipped), "") << "byte " << i;
  }
}

TEST(Safetensors, RefusesBadHeaderLengths) {
  EXPECT_CONTAINS(parse_error("short"), "only 5 bytes");
  EXPECT_CONTAINS(parse_error(std::string(8, '\xff')), "claims 18446744073709551615 bytes");
  EXPECT_CONTAINS(parse_error(std::string(8, '\0')), "not a JSON object");
}

TEST(Safetensors, RefusesHeadersThatAreNotObjects) {
  EXPECT_CONTAINS(header_error("[]"), "not a JSON object");
  EXPECT_CONTAINS(header_error(" {}"), "not a JSON object");
  EXPECT_CONTAINS(header_error("{\"a\""), "not JSON");
  EXPECT_CONTAINS(header_error("{\"\xff\":1}"), "not JSON");
  EXPECT_CONTAINS(header_error("{} trailing"), "not JSON");
}

TEST(Safetensors, RefusesDepthBombs) {
  EXPECT_CONTAINS(header_error("{\"a\":" + std::string(1'000'000, '[')), "nested too deeply");
}

TEST(Safetensors, RefusesDuplicateNames) {
  const std::string tensor = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_CONTAINS(header_error("{\"a\":" + tensor + ",\"a\":" + tensor + "}"), "`a` appears twice");
  EXPECT_CONTAINS(header_error(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
                  "`dtype` appears twice");
  EXPECT_EQ(header_error("{\"a\":" + tensor + ",\"b\":" + tensor + "}"), "");
}

TEST(Safetensors, RefusesIncompleteTensors) {
  for (const char* header : {R"({"a":1})", R"({"a":{"dtype":"U8","shape":[0]}})",
                             R"({"a":{"dtype":1,"shape":[0],"data_offsets":[0,0]}})",
                             R"({"a":{"dtype":"U8","shape":0,"data_offsets":[0,0]}})",
                             R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}})"}) {
    EXPECT_CONTAINS(header_error(header), "tensor `a` lacks its dtype, shape or data_offsets") << header;
  }
}

TEST(Safetensors, RefusesSizesThatAreNotWholeNumbers) {
  for (const char* extent : {"-1", "1.5", "\"1\"", "18446744073709551615", "1e3", "[]"}) {
    const std::string header =
        fmt::format(R"({{"a":{{"dtype":"U8","shape":[{}],"data_offsets":[0,0]}}}})", extent);
    EXPECT_NE(header_error(header), "") << extent;
  }
}

TEST(Safetensors, RefusesShapesThatOverflow) {
  EXPECT_CONTAINS(
      header_error(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}})"),
      "too large");
}

TEST(Safetensors, RefusesUnknownDtypesWithRemedy) {
  EXPECT_EQ(header_error(R"({"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}})", "12"),
            "w.safetensors: tensor `a` has dtype BF16, which is not supported; convert it to F32, F64, I64, "
            "I32 or U8");
}

TEST(Safetensors, RefusesOffsetsThatDoNotMatchTheShape) {
  EXPECT_CONTAINS(header_error(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234"),
                  "needs 8 bytes, its offsets say [0, 4)");
  EXPECT_NE(header_error(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "1"), "");
}

TEST(Safetensors, RefusesOverlappingTensors) {
  EXPECT_CONTAINS(header_error(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                               R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                               "1234"),
                  "tensor `b` overlaps another one");
}

TEST(Safetensors, RefusesHolesAndTrailingBytes) {
  EXPECT_CONTAINS(header_error(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "12"),
                  "a hole before tensor `a`");
  EXPECT_CONTAINS(header_error(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "12"),
                  "1 bytes follow the last tensor");
}

TEST(Safetensors, RefusesMetadataThatIsNotText) {
  EXPECT_CONTAINS(header_error(R"({"__metadata__":3})"), "metadata is not an object");
  EXPECT_CONTAINS(header_error(R"({"__metadata__":{"step":3}})"), "`step` is not a string");
}

TEST(Safetensors, RefusesContentThatDoesNotMatchItsDigest) {
  EXPECT_CONTAINS(header_error(R"({"__metadata__":{"neo.digest":"00"}})"), "does not match its digest");
}

TEST(Safetensors, FailedWriteKeepsTheOldFile) {
  const testing::TemporaryFolder folder;
  write_safetensors(folder / "w", example());
  TensorFile bad = example();
  bad.metadata["x"] = "\xff";
  EXPECT_CONTAINS(error_of([&] { write_safetensors(folder / "w", bad); }), "not UTF-8");
  bad = example();
  bad.tensors["step"].bytes.pop_back();
  EXPECT_THROW(write_safetensors(folder / "w", bad), std::logic_error);
  EXPECT_EQ(read_safetensors(folder / "w"), example());
}

}  // namespace
}  // namespace neo

#include "core/base64.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace neo {
namespace {

std::vector<uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Base64, ExamplesOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> examples{{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : examples) {
    EXPECT_EQ(base64_encode(bytes_of(plain)), coded);
    EXPECT_EQ(base64_decode(coded), bytes_of(plain));
  }
}

TEST(Base64, EveryByteComesBack) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(static_cast<uint8_t>(i));
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
  }
}

TEST(Base64, AnythingElseIsRefused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg= =", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm9v\n", "Z-_v"})
    EXPECT_THROW(base64_decode(text), Error) << text;
}

}  // namespace
}  // namespace neo

#include "serve/wire.h"

#include <gtest/gtest.h>

#include "core/testing.h"

namespace neo {
namespace {
using testing::error_of;

Observation bytes(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Wire, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : vectors) {
    EXPECT_EQ(base64_encode(bytes(plain)), coded);
    EXPECT_EQ(base64_decode(coded), bytes(plain));
  }
}

TEST(Wire, BrokenBase64IsRefused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9%", "Zh==", "Zm9=", "Zm 9"})
    EXPECT_NE(error_of([&] { base64_decode(text); }), "") << text;
}

TEST(Wire, ObservationsSurviveTheirText) {
  Observation image(3072);
  for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<uint8_t>(i * 7);
  EXPECT_EQ(observation_from_text(imaging(), observation_text(imaging(), image)), image);
  EXPECT_EQ(observation_text(arithmetic(), Observation{0, 0, 0, 0, 1, 2}), "000012");
  EXPECT_EQ(observation_from_text(arithmetic(), "000012"), (Observation{0, 0, 0, 0, 1, 2}));
}

TEST(Wire, ValuesOutsideTheWorldAreRefused) {
  EXPECT_CONTAINS(error_of([] { observation_from_text(gridworld(), std::string(100, '9')); }), "0 to 8");
  EXPECT_CONTAINS(error_of([] { observation_from_text(gridworld(), "12"); }), "100 digits, not 2");
  EXPECT_CONTAINS(error_of([] { observation_from_text(arithmetic(), "12345a"); }), "0 to 9");
  EXPECT_CONTAINS(error_of([] { observation_from_text(imaging(), "AAAA"); }), "3072 bytes");
}

TEST(Wire, DeepOrBrokenJsonIsRefused) {
  EXPECT_CONTAINS(error_of([] { parse_json(std::string(100'000, '[')); }), "nested deeper");
  for (const char* text : {"", "{", "{\"a\":}", "nul", "\"\xff\"", "{} {}"})
    EXPECT_CONTAINS(error_of([&] { parse_json(text); }), "not JSON") << text;
}

}  // namespace
}  // namespace neo

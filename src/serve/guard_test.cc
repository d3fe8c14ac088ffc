#include "serve/guard.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Guard, KnowsLoopbackAndAddresses) {
  const Guard guard("127.0.0.1", {});
  for (const char* host :
       {"localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765", "LOCALHOST", "192.168.1.2:80"})
    EXPECT_TRUE(guard.knows_host(host)) << host;
}

TEST(Guard, NamesOfOthersAreUnknown) {
  const Guard guard("127.0.0.1", {"lab.example"});
  EXPECT_TRUE(guard.knows_host("Lab.example:8765"));
  for (const char* host :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:evil",
        "localhost:80:80", "[::1", "[localhost]", "local host", "user@localhost"})
    EXPECT_FALSE(guard.knows_host(host)) << host;
}

TEST(Guard, OnlyPagesOfThisServerAreItsOrigin) {
  EXPECT_TRUE(Guard::same_origin("", "localhost:1"));
  EXPECT_TRUE(Guard::same_origin("http://localhost:1", "localhost:1"));
  EXPECT_TRUE(Guard::same_origin("https://localhost:1", "localhost:1"));
  for (const char* origin : {"null", "http://localhost:2", "https://localhost:2", "http://evil.example"})
    EXPECT_FALSE(Guard::same_origin(origin, "localhost:1")) << origin;
}

TEST(Guard, CrossSiteRequestsAreRecognised) {
  EXPECT_TRUE(Guard::same_site(""));
  EXPECT_TRUE(Guard::same_site("same-origin"));
  EXPECT_TRUE(Guard::same_site("none"));
  EXPECT_FALSE(Guard::same_site("cross-site"));
  EXPECT_FALSE(Guard::same_site("same-site"));
}

TEST(Guard, LoopbackIsRecognised) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "example.org"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace neo

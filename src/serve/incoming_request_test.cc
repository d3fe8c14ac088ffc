#include "serve/incoming_request.h"

#include <gtest/gtest.h>

namespace neo {
namespace {
using State = IncomingRequest::State;

IncomingRequest given(std::string_view bytes, const RequestLimits& limits = {}) {
  IncomingRequest request(limits);
  request.append(bytes);
  return request;
}

int refusal_of(std::string_view bytes, const RequestLimits& limits = {}) {
  IncomingRequest request = given(bytes, limits);
  return request.state() == State::refused ? request.refusal().status : 0;
}

TEST(IncomingRequest, IsCompleteWithItsLastByte) {
  const std::string_view whole =
      "POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
  IncomingRequest request;
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(request.state(), State::incomplete);
    request.append(whole.substr(i, 1));
  }
  ASSERT_EQ(request.state(), State::complete);
  EXPECT_EQ(request.take(), "POST /api/explain HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}");
  EXPECT_TRUE(request.empty());
}

TEST(IncomingRequest, PassesOnlyHeadersThatCount) {
  IncomingRequest request = given(
      "GET / HTTP/1.1\r\nRange: bytes=0-1,2-3\r\nhOsT:  a:1 \r\nAccept-Encoding: br\r\nPragma: x\r\n\r\n");
  ASSERT_EQ(request.state(), State::complete);
  EXPECT_EQ(request.take(), "GET / HTTP/1.1\r\nhost: a:1\r\n\r\n");
}

TEST(IncomingRequest, WhatFollowsIsTheNextRequest) {
  IncomingRequest request = given("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
  ASSERT_EQ(request.state(), State::complete);
  EXPECT_EQ(request.take(), "GET /a HTTP/1.1\r\n\r\n");
  ASSERT_EQ(request.state(), State::complete);
  EXPECT_EQ(request.take(), "GET /b HTTP/1.1\r\n\r\n");
}

TEST(IncomingRequest, ChunksAndMissingLengthsAreRefused) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\n\r\n"), 411);
}

TEST(IncomingRequest, BodiesBeyondTheLimitAreRefusedBeforeTheyArrive) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", {.body = 10}), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n"), 400);
}

TEST(IncomingRequest, TwoLengthsAreRefused) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nab"), 400);
}

TEST(IncomingRequest, HeadsWithoutEndAreRefusedAtTheLimit) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n" + std::string(100, 'a'), {.head = 100}), 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 200; ++i) many += "a: b\r\n";
  EXPECT_EQ(refusal_of(many + "\r\n"), 431);
}

TEST(IncomingRequest, WhatIsNoHttpIsRefused) {
  for (const char* bytes :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\nHost: c\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
        "GET /\x01 HTTP/1.1\r\n\r\n"}) {
    EXPECT_EQ(refusal_of(bytes), 400) << bytes;
  }
}

TEST(IncomingRequest, OtherMethodsAndLongPathsAreRefused) {
  EXPECT_EQ(refusal_of("DELETE / HTTP/1.1\r\n\r\n"), 405);
  EXPECT_EQ(refusal_of("OPTIONS / HTTP/1.1\r\n\r\n"), 405);
  EXPECT_EQ(refusal_of("GET /" + std::string(1000, 'a') + " HTTP/1.1\r\n\r\n"), 414);
}

}  // namespace
}  // namespace neo

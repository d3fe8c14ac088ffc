// Any bytes as what a client sends: taken in pieces, a request is complete, incomplete or refused, and the
// pieces make no difference. Any bytes as the body of every route: an answer with
// a sensible status that is JSON.

#include <nlohmann/json.hpp>

#include "require.h"
#include "serve/api.h"
#include "serve/incoming_request.h"
#include "serve/testing.h"

namespace {

using neo::IncomingRequest;

void check_request(std::string_view bytes) {
  const neo::RequestLimits limits{.head = 2048, .lines = 20, .target = 100, .body = 1024};
  IncomingRequest whole(limits);
  IncomingRequest pieces(limits);
  whole.append(bytes);
  for (size_t i = 0; i < bytes.size() && pieces.state() == IncomingRequest::State::incomplete; ++i)
    pieces.append(bytes.substr(i, 1));
  REQUIRE(whole.state() == pieces.state());
  if (whole.state() == IncomingRequest::State::refused) {
    REQUIRE(whole.refusal().status >= 400 && whole.refusal().status < 500);
    REQUIRE(whole.refusal().status == pieces.refusal().status);
  }
  for (int requests = 0; requests < 100 && whole.state() == IncomingRequest::State::complete; ++requests) {
    const std::string request = whole.take();
    REQUIRE(request.size() <= limits.head + limits.body);
    if (requests == 0) REQUIRE(request == pieces.take());
  }
}

void check_api(std::string_view body) {
  static neo::testing::TrueBackend backend;
  static neo::Api api(backend);
  for (const neo::Route& route : neo::api_routes()) {
    if (route.method != "POST") continue;
    const neo::Answer answer = api.answer(route.method, route.path, body);
    REQUIRE(answer.status == 200 || answer.status == 400 || answer.status == 404);
    const auto json = nlohmann::json::parse(answer.json, nullptr, /*allow_exceptions=*/false);
    REQUIRE(json.is_object());
    REQUIRE((answer.status == 200) != json.contains("error"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_request(bytes);
  check_api(bytes);
  return 0;
}

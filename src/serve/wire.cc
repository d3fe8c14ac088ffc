#include "serve/wire.h"

#include "core/error.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr int kDeepest = 8;

}  // namespace

json parse_json(std::string_view text) {
  try {
    return json::parse(text, [](int depth, json::parse_event_t, const json&) {
      if (depth > kDeepest) fail("the JSON is nested deeper than {} levels", kDeepest);
      return true;
    });
  } catch (const json::exception&) {
    fail("the body is not JSON");
  }
}

}  // namespace neo

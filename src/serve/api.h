#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/backend.h"
#include "serve/samples.h"

namespace neo {

struct Answer {
  int status = 200;
  std::string json;
};

// The explorer's API: from a request's body to an answer, without any HTTP. Every request is checked against
// the schema that openapi_document() publishes for it before anything else is done with it.
class Api {
 public:
  Api(Backend& backend, Samples& samples) : backend_(backend), samples_(samples) {}

  // Never throws; what goes wrong is an answer {"error": ...}.
  Answer answer(std::string_view method, std::string_view path, std::string_view body);

 private:
  Backend& backend_;
  Samples& samples_;
};

struct Route {
  std::string_view method, path;
};
std::vector<Route> api_routes();

// {"error": message}
std::string error_json(std::string_view message);

// What there is to ask and how, in OpenAPI 3.0: openapi.json beside this file.
const nlohmann::json& openapi_document();

}  // namespace neo

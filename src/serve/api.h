#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/backend.h"
#include "serve/served_model.h"
#include "serve/workshop.h"

namespace neo {

struct Answer {
  int status = 200;
  std::string json;
};

// The explorer's API: from a request's body to an answer, without any HTTP. Every request is checked against
// the schema that openapi_document() publishes for it before anything else is done with it.
class Api {
 public:
  // Without a workshop nothing is learned here.
  explicit Api(Backend& backend, Workshop* workshop = nullptr);

  // Never throws; a failure is an answer {"error": ...}.
  // `is_abandoned` says whether the client is still there; asked while long work goes on.
  Answer answer(std::string_view method, std::string_view path, std::string_view body,
                const std::function<bool()>& is_abandoned = [] { return false; });
  // Bytes that a request may need for a few observations of the model with the largest ones.
  size_t largest_body() const;

  Backend& backend() const { return backend_; }
  Workshop& workshop() const;  // ApiError 403 where there is none
  bool has_workshop() const { return workshop_ != nullptr; }
  const std::vector<ServedModel>& models() const { return models_; }
  const ServedModel& model(const std::string& id) const;  // ApiError 404 where there is none

 private:
  Backend& backend_;
  Workshop* workshop_;
  std::vector<ServedModel> models_;
};

struct Route {
  std::string_view method, path;
};
std::vector<Route> api_routes();
// Not answered by Api, as their answers are no JSON: Server does.
inline constexpr std::string_view kDataEvents = "/api/data/events", kDataTheory = "/api/data/theory";

// {"error": message}
std::string error_json(std::string_view message);

// The API in OpenAPI 3.0: openapi.json beside this file.
const nlohmann::json& openapi_document();

}  // namespace neo

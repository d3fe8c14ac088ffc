#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/allowed.h"

namespace neo {

// A config struct lists each field once, with what it may be, and that list feeds files, `--set`, flags, help
// and errors:
//
//   struct QuantizerConfig {
//     int64_t width = 64;
//     int64_t codes = 256;
//     static void visit(auto& c, auto&& field) {
//       field("width", c.width, "size of one code vector", between(1, 4096));
//       field("codes", c.codes, "codebook entries", between(1, 4096));
//     }
//   };
//
// A member is bool, int, int64_t, double (finite), std::string, std::vector<double> or another such struct,
// whose keys are then dotted: `quantizer.codes`.
namespace internal {
struct AnyField {
  template <typename T>
  void operator()(std::string_view name, T& member, std::string_view help, Allowed allowed = {}) const;
};
}  // namespace internal
template <typename C>
concept Configurable = std::is_class_v<C> && !std::is_const_v<C> && requires(C & config) {
  C::visit(config, internal::AnyField{});
};

struct ConfigField {
  std::string key;  // dotted from the root
  std::string help;
  Allowed allowed;
  // Where the value lives; monostate for a nested struct, whose own fields follow it.
  std::variant<std::monostate, bool*, int*, int64_t*, double*, std::string*, std::vector<double>*> value;
  bool is_table() const { return std::holds_alternative<std::monostate>(value); }
};

// The fields of a config, to read and to change. Points into the config, which must outlive it.
class ConfigFields {
 public:
  template <Configurable C>
  ConfigFields(C& config) {  // implicit, so that load_toml(config, path) reads naturally
    add(config, "");
  }
  const std::vector<ConfigField>& list() const { return list_; }
  const ConfigField* find(std::string_view key) const;

 private:
  template <typename C>
  void add(C& config, const std::string& prefix) {
    C::visit(config, [&](std::string_view name, auto& member, std::string_view help, Allowed allowed = {}) {
      const std::string key = prefix + std::string(name);
      if constexpr (Configurable<std::remove_reference_t<decltype(member)>>) {
        list_.push_back({key, std::string(help), {}, {}});
        add(member, key + ".");
      } else {
        list_.push_back({key, std::string(help), std::move(allowed), &member});
      }
    });
  }
  std::vector<ConfigField> list_;
};

// The same, of a copy: for reading a const config.
class ConfigSnapshot {
 public:
  template <Configurable C>
  ConfigSnapshot(const C& config) : ConfigSnapshot(std::make_shared<C>(config)) {}
  const ConfigFields& fields() const { return fields_; }

 private:
  template <Configurable C>
  explicit ConfigSnapshot(std::shared_ptr<C> copy) : copy_(copy), fields_(*copy) {}
  std::shared_ptr<void> copy_;
  ConfigFields fields_;
};

// Reading changes the fields that are named and leaves the others. An unknown key or a value of the wrong
// type or range is a UsageError that names key, origin and line; the config is then half-read.
void load_toml(const ConfigFields& config, const std::filesystem::path& path);
void load_toml_text(const ConfigFields& config, std::string_view text, const std::string& origin);
void set_key(const ConfigFields& config, std::string_view key, std::string_view text);
void set_assignment(const ConfigFields& config, std::string_view assignment);  // "key=value", as after --set
// `lines` (dotted key -> line in `origin`) makes errors precise where it is known.
void from_json(const ConfigFields& config, const nlohmann::json& json, const std::string& origin,
               const std::map<std::string, int>& lines = {});

// Every field, in the order listed, with its help as comment; load_toml_text gives back the same values.
std::string to_toml(const ConfigSnapshot& config);
nlohmann::json to_json(const ConfigSnapshot& config);
// Each key with its value, then in lines of a page help and what it may be. For --help-settings.
std::string describe(const ConfigSnapshot& config);

// "from 1 to 4096", "one of: ema, gradient", "a finite number"
std::string to_text(const Allowed& allowed);
// For values that did not come through the functions above: a UsageError names the first field that is not
// allowed, its key after `prefix`.
void check_allowed(const ConfigSnapshot& config, const std::string& prefix = "");

}  // namespace neo

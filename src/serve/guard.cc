#include "serve/guard.h"

#include <arpa/inet.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "serve/options.h"

namespace neo {
namespace {

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

}  // namespace

std::string host_of(std::string_view header) {
  if (header.starts_with('[')) {
    const size_t end = header.find(']');
    if (end == std::string_view::npos) return "";
    const std::string host = lowercase(header.substr(1, end - 1));
    const std::string_view rest = header.substr(end + 1);
    const bool port_fine = rest.empty() || (rest[0] == ':' && is_port(rest.substr(1)));
    return port_fine && is_ip_address(host) ? host : "";
  }
  const size_t colon = header.find(':');
  if (colon != std::string_view::npos && !is_port(header.substr(colon + 1))) return "";
  const std::string host = lowercase(header.substr(0, colon));
  return std::all_of(host.begin(), host.end(), is_host_character) ? host : "";
}

bool is_ip_address(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1 || inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool is_loopback(const std::string& host) {
  in_addr address;
  if (inet_pton(AF_INET, host.c_str(), &address) == 1) return (ntohl(address.s_addr) >> 24) == 127;
  return host == "localhost" || host == "::1";
}

Guard::Guard(const std::string& host, std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = lowercase(name);
  names_.push_back(lowercase(host));
  names_.emplace_back("localhost");
}

bool Guard::knows_host(std::string_view host_header) const {
  const std::string host = host_of(host_header);
  return !host.empty() &&
         (is_ip_address(host) || std::find(names_.begin(), names_.end(), host) != names_.end());
}

bool Guard::same_origin(std::string_view origin_header, std::string_view host_header) {
  // Behind a proxy that ends TLS, the page came by https.
  return origin_header.empty() || origin_header == "http://" + std::string(host_header) ||
         origin_header == "https://" + std::string(host_header);
}

bool equal_secrets(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

std::string token_cookie(std::string_view token) { return "neo_token=" + std::string(token); }

bool Guard::knows_token(std::string_view authorization, std::string_view cookies, std::string_view token) {
  constexpr std::string_view kBearer = "Bearer ";
  if (authorization.starts_with(kBearer)) return equal_secrets(authorization.substr(kBearer.size()), token);
  const std::string wanted = token_cookie(token);
  while (!cookies.empty()) {
    const size_t end = std::min(cookies.find("; "), cookies.size());
    if (equal_secrets(cookies.substr(0, end), wanted)) return true;
    cookies.remove_prefix(std::min(end + 2, cookies.size()));
  }
  return false;
}

std::string read_token(const std::filesystem::path& path) {
  constexpr size_t kShortest = 16, kLongest = 4096;
  namespace fs = std::filesystem;
  std::string token = read_file(path, kLongest);
  if ((fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none)
    fail("{} can be read by others; chmod 600 it", path.string());
  token = std::string(trimmed(token));
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  if (token.size() < kShortest || !std::ranges::all_of(token, is_plain))
    fail("{} holds no token of at least {} letters and digits; make one: head -c 24 /dev/urandom | basenc --base64url",
         path.string(), kShortest);
  return token;
}

void check_exposure(const ServerOptions& options) {
  if (is_loopback(options.host) || !options.token.empty() || options.insecure) return;
  fail_usage("{} is open to the network; give --token-file FILE, or --insecure where anyone may use it", options.host);
}

bool Guard::same_site(std::string_view header) {
  return header.empty() || header == "same-origin" || header == "none";
}

}  // namespace neo

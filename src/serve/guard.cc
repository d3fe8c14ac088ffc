#include "serve/guard.h"

#include <arpa/inet.h>

#include <algorithm>

#include "core/text.h"

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
  return origin_header.empty() || origin_header == "http://" + std::string(host_header);
}

bool Guard::same_site(std::string_view header) {
  return header.empty() || header == "same-origin" || header == "none";
}

}  // namespace neo

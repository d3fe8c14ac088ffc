#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neo {

// Who may talk to the server. A page of another site can make a visitor's browser send requests here; these
// rules ensure that none is answered.
class Guard {
 public:
  // `host`: what the server listens on; `names`: further names it is known by.
  Guard(const std::string& host, std::vector<std::string> names);

  // Whether the Host header names this server: loopback and IP addresses do; of names only the known ones.
  // A page whose name an attacker has pointed here (DNS rebinding) sends the attacker's name.
  bool knows_host(std::string_view host_header) const;
  // Whether the Origin header, where there is one, is a page of this server.
  static bool same_origin(std::string_view origin_header, std::string_view host_header);
  // Whether a client that must know `token` does: by "Authorization: Bearer <token>", or the cookie of token_cookie().
  static bool knows_token(std::string_view authorization, std::string_view cookies, std::string_view token);
  // Sec-Fetch-Site, where there is one: a page of ours, or typed by the user.
  static bool same_site(std::string_view header);

 private:
  std::vector<std::string> names_;
};

// "neo_token=...": what a browser sends, after the link with the token was followed once, to this server alone.
std::string token_cookie(std::string_view token);
// Takes as long whatever differs.
bool equal_secrets(std::string_view a, std::string_view b);

// The host of a Host header, in lower case, without its port: "localhost", "127.0.0.1", "::1". Empty when it
// is none.
std::string host_of(std::string_view header);
bool is_ip_address(const std::string& host);
bool is_loopback(const std::string& host);

}  // namespace neo

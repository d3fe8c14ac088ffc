// Loaded beneath a program (LD_PRELOAD): refuses to reach other machines or to look up their names, and records each
// attempt in $NEO_NETWORK_LOG. Sockets within the machine's kernel (AF_UNIX, AF_NETLINK) are left alone.
#include <dlfcn.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace {
void record(const char* what) {
  const char* path = std::getenv("NEO_NETWORK_LOG");
  std::FILE* log = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (log == nullptr) return;
  std::fprintf(log, "%s\n", what);
  std::fclose(log);
}
}  // namespace

extern "C" int socket(int domain, int type, int protocol) noexcept {
  if (domain == AF_INET || domain == AF_INET6) {
    record("socket");
    errno = ENETUNREACH;
    return -1;
  }
  using Socket = int (*)(int, int, int);
  static const auto original = reinterpret_cast<Socket>(dlsym(RTLD_NEXT, "socket"));
  return original(domain, type, protocol);
}

extern "C" int getaddrinfo(const char* node, const char*, const addrinfo*, addrinfo**) {
  record(node != nullptr ? node : "getaddrinfo");
  return EAI_FAIL;
}

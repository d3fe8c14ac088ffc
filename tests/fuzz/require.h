#pragma once

#include <cstdio>
#include <cstdlib>

// A fact that must hold for whatever a reader accepts; libFuzzer saves the input that breaks it.
#define REQUIRE(condition)                                                 \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

#pragma once

// Before a function of plain loops: compile it twice, for AVX2 and for any x86-64, and pick when the program
// is loaded. Not FMA: a fused multiply-add would round differently from the reference. Sanitized builds do
// without, because their runtime is not initialised yet when the version is picked; clang builds do as well.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define NEO_SIMD_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define NEO_SIMD_CLONES
#endif

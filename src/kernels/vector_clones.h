#pragma once

// Put before a function of plain loops: compiled once for every x86-64 processor and once for those with
// AVX2, chosen when the program is loaded.
#if defined(__x86_64__) && defined(__linux__)
#define NEO_VECTOR_CLONES [[gnu::target_clones("avx2", "default")]]
#else
#define NEO_VECTOR_CLONES
#endif

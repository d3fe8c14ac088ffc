#!/usr/bin/env bash
# neo against the same work in PyTorch, both in one run on this machine; bench/compare.py says how.
#   bench/compare.sh [gridworld|arithmetic|imaging|all] [--preset NAME] [--item NAME] [--python PATH]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh build bench
[ -x build/neo ] || { cmake --preset default >/dev/null && cmake --build --preset default --target neo; }
export OMP_NUM_THREADS=2
# An OpenBLAS older than the processor falls back on SSE, which would flatter us; both sides get the widest that fits.
if grep -q avx512f /proc/cpuinfo; then export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-SkylakeX}
elif grep -q avx2 /proc/cpuinfo; then export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}; fi
# The peer reads the same pairs as neo does. (Imaging's need the pictures first: build/neo data fetch cifar10.)
for name in gridworld arithmetic; do
  [ -f "data/$name-alpha0.33/train.h5" ] || build/neo data make "$name" --alpha 0.33 >/dev/null
done
exec /usr/bin/python3 bench/compare.py "$@"

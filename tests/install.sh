#!/usr/bin/env bash
# Installs the build, builds the example against the installed copy with find_package(neo), and runs it.
#   tests/install.sh BUILD_DIR
set -euo pipefail
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/neo" >/dev/null
test -x "$scratch/neo/bin/neo"
cmake -S "$source/examples" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/neo" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/build" >/dev/null
cd "$scratch"
/usr/bin/python3 "$source/tests/make_worlds.py" grid "$scratch/worlds"
build/learn_and_explain worlds/grid.jsonl runs/grid | tee out
grep -q "of pairs that were held out\|pairs that were held out" out
grep -q "^z" out
# The installed binary finds the theories that came with it, from any folder.
neo/bin/neo explain neo/share/neo/weights/arithmetic-alpha0.33.safetensors --x 12 --y 420 | grep -q "gives y exactly"
echo "install: ok"

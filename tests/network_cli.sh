#!/usr/bin/env bash
# No command but `neo data fetch` opens a network connection (`neo serve` waits for some, on this machine).
#   tests/network_cli.sh build/neo build/.../libneo_network_guard.so
set -euo pipefail
neo=$(realpath "$1")
guard=$(realpath "$2")
source "$(dirname "$(realpath "$0")")/lib.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export NEO_NETWORK_LOG=$folder/log
quiet() { LD_PRELOAD=$guard "$neo" "$@" >/dev/null 2>said || failed "neo $* fails: $(cat said)"; }

# The guard sees what there is to see.
LD_PRELOAD=$guard /usr/bin/python3 -c 'import socket
try: socket.create_connection(("localhost", 9))
except OSError: pass'
[ -s log ] || failed "the guard records nothing"
rm log

for i in $(seq 40); do echo "{\"x\": [[$((i % 4)), 1], [2, $((i / 4 % 4))]], \"y\": [[2, $((i / 4 % 4))], [$((i % 4)), 1]]}"; done >pairs.jsonl
quiet --version
quiet data import pairs.jsonl --out pairs.h5
quiet data make gridworld --alpha 0.33 --episodes 8 --out data
quiet data verify data
quiet data show pairs.h5
quiet report "$root/results" --out page.html
if [ -x "$(dirname "$neo")/neo-engine" ]; then
  theory=$root/weights/arithmetic-alpha0.33.safetensors
  quiet train gridworld --alpha 0.33 --steps 2 --set batch=8 --data data --out run
  quiet eval run --data data/id.h5 --search greedy
  quiet explain "$theory" --x 12 --y 420
  quiet transfer "$theory" --program "z0" --x 7
fi
[ ! -e log ] || failed "neo reaches for the network: $(sort -u log)"
echo "network: ok"

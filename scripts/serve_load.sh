#!/usr/bin/env bash
# 64 parallel clients, good, slow and hostile ones, against `neo serve` with the shipped theories: latencies of the good
# requests, and how much memory the server had before and after.
#   scripts/serve_load.sh [SECONDS]     60 by default
# Ends with 1 when a good request failed or the server did not survive. The server alone, with a perfect theory behind it,
# goes through the same under ASan and UBSan in `./test.sh --slow --preset sanitize`.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "serve_load.sh: SECONDS must be a whole number, not '$seconds'" >&2; exit 2; }
cmake --preset default >/dev/null
cmake --build --preset default --target neo serve_test

log=$(mktemp)
build/neo serve --port 0 --json >"$log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 100); do [ -s "$log" ] && break; sleep 0.1; done
port=$(sed -n 's|.*"url":"http://[^:]*:\([0-9]*\)/".*|\1|p' "$log")
[ -n "$port" ] || { echo "serve_load.sh: the server did not start" >&2; exit 1; }

# One client alone: the median of 51 greedy explanations, in seconds.
alone() { for _ in $(seq 51); do curl -sf -o /dev/null -w '%{time_total}\n' -H 'Content-Type: application/json' -d "$1" "http://127.0.0.1:$port/api/explain"; done | sort -g | sed -n 26p; }
echo "one client, arithmetic-alpha0.33: median $(alone '{"model": "arithmetic-alpha0.33", "x": "000012", "y": "000420"}') s"
memory() { sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$server/status"; }
load() { NEO_LOAD_PORT=$port NEO_LOAD_SECONDS=$1 build/src/serve_test --gtest_filter=SlowLoad.* --gtest_brief=1 | grep -v '^\[\|^Running\|^$'; }
load 5 >/dev/null  # buffers reach their size
before=$(memory)
load "$seconds"
kill -0 "$server" 2>/dev/null || { echo "serve_load.sh: the server is gone" >&2; exit 1; }
echo "memory of the server: $((before / 1024)) MB before, $(($(memory) / 1024)) MB after"

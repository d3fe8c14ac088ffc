#!/usr/bin/env bash
# How long neo takes for what needs no tensors, against a Python that does nothing, in one run on this machine.
#   bench/startup.sh [BINARY]     (default: build/neo)
# One line per item: <item> ratio <times of `python3 -c pass`>  (<best of 20> ms against <the same> ms)
# Both take turns; whatever else the machine does only ever adds to a time.
set -euo pipefail
cd "$(dirname "$0")/.."
exec /usr/bin/python3 - "${1:-build/neo}" <<'EOF'
import subprocess, sys, time

neo = sys.argv[1]
items = {
    "version": [neo, "--version"],
    "help": [neo, "--help"],
    "train-help": [neo, "train", "--help"],
    "usage-error": [neo, "train", "--no-such-option"],
    "missing-file": [neo, "data", "info", "no-such-file.h5"],
}
peer = [sys.executable, "-c", "pass"]


def milliseconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start)


for name, command in items.items():
    rounds = [(milliseconds(command), milliseconds(peer)) for _ in range(20)]
    ours, theirs = (min(times) for times in zip(*rounds))
    print(f"{name} ratio {ours / theirs:.2f}  ({ours:.1f} ms against {theirs:.1f} ms)")
EOF

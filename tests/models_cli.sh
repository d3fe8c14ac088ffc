#!/usr/bin/env bash
# Theories by their names, from any folder.
#   tests/models_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
weights=$(realpath "$(dirname "$0")/../weights")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/runs/mine" "$folder/runs/sweep/first" "$folder/runs/torn"
cp "$weights/arithmetic-alpha1.00.safetensors" "$folder/runs/mine/best.safetensors"
cp "$weights/gridworld-alpha1.00.safetensors" "$folder/runs/sweep/first/best.safetensors"
echo torn >"$folder/runs/torn/best.safetensors"
cd "$folder"

said=$("$neo" models)
for name in mine sweep/first imaging-0.66 gridworld-paper-0.33 "number of 6 digits"; do holds "neo models" "$said" "$name"; done
holds "a damaged theory" "$said" "damaged"
long=$(LC_ALL=C.UTF-8 grep -E '^.{81,}' <<<"$said" || true)
[ -z "$long" ] || failed "neo models has lines of more than 80 columns: $long"
holds "neo models --json" "$("$neo" models --json)" '"name": "imaging-0.66"'

for theory in mine arithmetic arithmetic-0.33 arithmetic-alpha0.33 runs/mine "$weights/arithmetic-alpha0.33.safetensors"; do
  holds "neo explain $theory" "$("$neo" explain "$theory" --x 12 --y 24)" "gives y exactly"
done
holds "a name with a mistake" "$(fails_in_a_line 2 explain arithmetc --x 1 --y 2)" "did you mean"
holds "a missing file" "$(fails_in_a_line 1 explain nothing.safetensors --x 1 --y 2)" "nothing.safetensors"
echo "models: ok"

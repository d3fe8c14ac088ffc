#!/usr/bin/env bash
# `neo train --resume` as users call it after Ctrl-C: the run folder says what it learns from.
#   tests/train_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for alpha in 0.33 0.66; do "$neo" data make gridworld --alpha $alpha --episodes 64 --out "$folder/$alpha" >/dev/null; done
"$neo" train gridworld --alpha 0.66 --seed 7 --steps 100000 --set batch=8 --set checkpoint_every=1 --set validate_every=100000 \
  --data "$folder/0.66" --out "$folder/run" >"$folder/log" 2>&1 &
run=$!
for _ in $(seq 600); do compgen -G "$folder/run/checkpoints/*" >/dev/null && break; sleep 0.1; done
kill -INT $run
status=0
wait $run || status=$?
[ $status = 130 ] || failed "an interrupted run ends with $status: $(tail -n 3 "$folder/log")"
holds "its last line" "$(tail -n 1 "$folder/log")" "resume with: neo train --resume --out $folder/run"

status=0
said=$("$neo" train --resume --out "$folder/run" --data "$folder/0.33" 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "resuming on other pairs ends with $status: $said"
holds "resuming on other pairs" "$said" "learns from other pairs"

sed -i 's/^steps = 100000/steps = 1/' "$folder/run/config.toml" # it has done more: there is nothing left to do
said=$("$neo" train --resume --out "$folder/run" 2>/dev/null) || failed "the run does not go on"
holds "the end" "$said" "trained: $folder/run"

sed -i -E 's/("alpha": ?)0\.66/\1"two thirds"/' "$folder/run/manifest.json"
grep -q 'two thirds' "$folder/run/manifest.json" || failed "the manifest has no alpha: $(cat "$folder/run/manifest.json")"
status=0
said=$("$neo" train --resume --out "$folder/run" 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "resuming with a damaged manifest ends with $status: $said"
holds "resuming with a damaged manifest" "$said" "run/manifest.json does not say what the run was asked for"

status=0
said=$("$neo" train 2>&1 >/dev/null) || status=$?
[ $status = 2 ] || failed "neo train without a benchmark or pairs ends with $status"
holds "neo train" "$said" "what to learn from?"

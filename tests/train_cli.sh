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

# A terminal that is closed, a reader of the output that goes away, a file beyond the limit: as after Ctrl-C, or one line.
metrics() { stat -c %s "$folder/run/metrics.jsonl"; }
for signal in HUP PIPE; do
  before=$(metrics)
  "$neo" train --resume --out "$folder/run" >"$folder/log" 2>&1 &
  run=$!
  for _ in $(seq 600); do [ "$(metrics)" -gt "$before" ] && break; sleep 0.1; done
  kill -$signal $run
  status=0
  wait $run || status=$?
  [ $status = 130 ] || failed "SIG$signal ends a run with $status: $(tail -n 3 "$folder/log")"
  holds "SIG$signal" "$(tail -n 1 "$folder/log")" "resume with: neo train --resume --out $folder/run"
  holds "the status after SIG$signal" "$(cat "$folder/run/status")" interrupted
done
status=0
said=$(ulimit -f 8; "$neo" train --resume --out "$folder/run" 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "a run beyond ulimit -f ends with $status"
holds "a run beyond ulimit -f" "$said" "cannot write"

# Folders that lost something: the run goes on, or says what helps.
rm "$folder/run/metrics.jsonl"
"$neo" train --resume --out "$folder/run" >"$folder/log" 2>&1 &
run=$!
for _ in $(seq 600); do [ -s "$folder/run/metrics.jsonl" ] && break; sleep 0.1; done
[ -s "$folder/run/metrics.jsonl" ] || failed "without its metrics a run does not go on: $(cat "$folder/log")"
mv "$folder/run" "$folder/moved"
status=0
wait $run || status=$?
[ $status = 1 ] || failed "a run whose folder went away ends with $status: $(tail -n 3 "$folder/log")"
holds "a run whose folder went away" "$(tail -n 1 "$folder/log")" "train again with another --out"
[ ! -e "$folder/run" ] || failed "a run whose folder went away made half a folder"
mv "$folder/moved" "$folder/run"
mv "$folder/run/manifest.json" "$folder/manifest.json"
status=0
said=$("$neo" train --resume --out "$folder/run" 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "a run without a manifest ends with $status"
holds "a run without a manifest" "$said" "has lost its manifest.json"
mv "$folder/manifest.json" "$folder/run/manifest.json"

status=0
said=$("$neo" train --resume --out "$folder/run" --data "$folder/0.33" 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "resuming on other pairs ends with $status: $said"
holds "resuming on other pairs" "$said" "learns from other pairs"

sed -i 's/^steps = 100000/steps = 1/' "$folder/run/config.toml" # it has done more: there is nothing left to do
said=$("$neo" train --resume --out "$folder/run" 2>/dev/null) || failed "the run does not go on"
holds "the end" "$said" "trained: $folder/run"

# A finished run goes on with more steps, and can be looked at.
made=$(sed -E 's/.*"step":([0-9]+).*/\1/' "$folder/run/status")
refused=$(fails_in_a_line 2 train --resume --out "$folder/run" --steps "$made")
holds "no more steps" "$refused" "has made $made steps already"
"$neo" train --resume --out "$folder/run" --steps $((made + 3)) >/dev/null 2>&1 || failed "a finished run is not extended"
holds "an extended run" "$(cat "$folder/run/status")" "\"step\":$((made + 3))"
said=$("$neo" watch "$folder/run")
holds "neo watch" "$said" "finished, step $((made + 3))"
holds "neo watch" "$said" "codes in use"
said=$("$neo" train --resume --out "$folder/run" --steps $((made + 4)) --watch)
holds "neo train --watch" "$said" "step $((made + 4))"
holds "a run without a folder" "$(fails_in_a_line 1 watch "$folder")" "holds no run"

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

#!/usr/bin/env bash
# neo against the same work in plain PyTorch, in one run on this machine with two threads each.
#   bench/compare.sh [gridworld|arithmetic|imaging]
# One line per item: <benchmark>-<preset>-<item> ratio <how many times faster neo is>
# Both take turns, three rounds each (five of training steps). The median of a round, and the best round of either:
# whatever else the machine does only ever adds to a time. Evaluation and search are of the shipped theory where there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
benchmark=${1:-gridworld}
declare -A shares=()
# Enough steps to leave the first ones behind, in which untrained codes all give the same.
case $benchmark in
  gridworld) steps=100 presets=(paper fast) items=(train eval search) ;;
  arithmetic) steps=6 presets=(paper) items=(train eval search) ;;
  imaging) # the three kinds of its training step, and what share of a run each is: coarse_share, wake_steps of steps
    steps=20 presets=(fast) items=(wake fit sleep)
    shares=([wake]=.35 [fit]=.15 [sleep]=.5) ;;
  *) echo "compare.sh: unknown benchmark '$benchmark'; one of: gridworld, arithmetic, imaging" >&2; exit 2 ;;
esac
their_run='' our_run=''
export OMP_NUM_THREADS=2
# An OpenBLAS older than the processor falls back on SSE, which would flatter us; both sides get the widest that fits.
if grep -q avx512f /proc/cpuinfo; then export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-SkylakeX}
elif grep -q avx2 /proc/cpuinfo; then export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}; fi
scripts/install.sh build bench
[ -x build/neo ] || { cmake --preset default >/dev/null && cmake --build --preset default --target neo; }

field() { python3 -c 'import json,sys; r=json.loads(sys.stdin.read().splitlines()[-1]); print(next(r[k] for k in sys.argv[1:] if k in r))' "$@"; }
neo() {
  case $2 in
    wake) set -- "$1" train ;;
    fit) set -- "$1" train --set latent_wake_sleep.coarse_share=0 ;;
    sleep) set -- "$1" train --set latent_wake_sleep.wake_steps=0 ;;
  esac
  local theory=weights/$benchmark-$1-alpha0.33.safetensors model=()
  [ "$1" = fast ] && theory=weights/$benchmark-alpha0.33.safetensors
  [ "$2" != train ] && [ -f "$theory" ] && model=(--model "$theory")
  build/neo bench "$benchmark" --preset "$1" --item "$2" --steps "$steps" "${model[@]}" "${@:3}" --json | field ms_per_step ms_per_episode
}
peer() {
  if [ "$1" = fast ]; then /usr/bin/python3 "bench/${benchmark}_fast_peer.py" --item "$2" --steps 20 --threads 2
  else (cd bench && /usr/bin/python3 torch_peer.py --benchmark "$benchmark" --preset "$1" --item "$2" --steps 3 --threads 2); fi |
    field ms_per_step ms_per_episode
}
least() { printf '%s\n' "$@" | sort -g | head -1; }
say() { python3 -c "print(f'$1 ratio {($2)/($3):.1f}  ({$2:.4g} ms against {$3:.4g} ms)')"; }

for preset in "${presets[@]}"; do
  for item in "${items[@]}"; do
    theirs=inf ours=inf
    rounds=3
    [ "$item" = train ] && rounds=5
    for _ in $(seq $rounds); do
      theirs=$(least "$theirs" "$(peer "$preset" $item)")
      ours=$(least "$ours" "$(neo "$preset" $item)")
    done
    say "$benchmark-$preset-$item" "$theirs" "$ours"
    [ "$preset-$item" = paper-train ] && paper_peer=$theirs
    their_run+=" + ${shares[$item]:-0} * $theirs" our_run+=" + ${shares[$item]:-0} * $ours"
  done
done
[ "$benchmark" = imaging ] && say imaging-fast-train "(0$their_run)" "(0$our_run)"
[ "$benchmark" = gridworld ] || exit 0
# What a pair costs over a whole run, validations and checkpoints included: fast theories get cheaper to search as they
# get better. The paper peer's step has 256 pairs.
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
pair_cost() { python3 -c 'import json,sys; rows=[json.loads(r) for r in open(sys.argv[1])]; print(1e3*sum(r["seconds"] for r in rows)/sum(r["seconds"]*r["pairs_per_second"] for r in rows))' "$1"; }
fast=inf
for round in 1 2 3; do
  build/neo train "$benchmark" --out "$runs/$round" >/dev/null 2>&1
  fast=$(least "$fast" "$(pair_cost "$runs/$round/timing-from-0.jsonl")")
done
say "$benchmark-fast-pair-against-paper-peer" "$paper_peer/256" "$fast"

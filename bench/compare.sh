#!/usr/bin/env bash
# neo against the same work in plain PyTorch, in one run on this machine with two threads each.
#   bench/compare.sh [gridworld|arithmetic|imaging]
# One line per item: <world>-<preset>-<item> ratio <how many times faster neo is>
# Both take turns, three rounds each (five of training steps). The median of a round, and the best round of either:
# whatever else the machine does only ever adds to a time.
set -euo pipefail
cd "$(dirname "$0")/.."
world=${1:-gridworld}
declare -A shares=()
# Enough steps to leave the first ones behind, in which untrained codes all give the same.
case $world in
  gridworld) steps=100 whole=800 presets=(paper fast) items=(train eval search) ;;
  arithmetic) steps=6 presets=(paper) items=(train eval search) ;;
  imaging) # the three kinds of its training step, and what share of a run each is: coarse_share, wake_steps of steps
    steps=20 presets=(fast) items=(wake fit sleep)
    shares=([wake]=.35 [fit]=.15 [sleep]=.5) ;;
  *) echo "compare.sh: unknown world '$world'; one of: gridworld, arithmetic, imaging" >&2; exit 2 ;;
esac
their_run='' our_run=''
export OMP_NUM_THREADS=2
scripts/install.sh build bench
[ -x build/neo ] || { cmake --preset default >/dev/null && cmake --build --preset default --target neo; }

field() { python3 -c 'import json,sys; r=json.loads(sys.stdin.read().splitlines()[-1]); print(next(r[k] for k in sys.argv[1:] if k in r))' "$@"; }
neo() {
  case $2 in
    wake) set -- "$1" train ;;
    fit) set -- "$1" train --set objective.coarse_share=0 ;;
    sleep) set -- "$1" train --set objective.wake_steps=0 ;;
  esac
  build/neo bench "$world" --preset "$1" --item "$2" --steps "$steps" "${@:3}" | field ms_per_step ms_per_episode
}
peer() {
  if [ "$1" = fast ]; then /usr/bin/python3 "bench/${world}_fast_peer.py" --item "$2" --steps 20 --threads 2
  else (cd bench && /usr/bin/python3 torch_peer.py --world "$world" --preset "$1" --item "$2" --steps 3 --threads 2); fi |
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
    say "$world-$preset-$item" "$theirs" "$ours"
    [ "$preset-$item" = paper-train ] && paper_peer=$theirs
    their_run+=" + ${shares[$item]:-0} * $theirs" our_run+=" + ${shares[$item]:-0} * $ours"
  done
done
[ "$world" = imaging ] && say imaging-fast-train "(0$their_run)" "(0$our_run)"
[ "$world" = gridworld ] || exit 0
# What a pair costs over a whole run: fast theories get cheaper to search as they get better, so the median step of a
# whole run (or of a long stretch) counts here.
fast=inf
for _ in 1 2 3; do
  record=$(build/neo bench "$world" --preset fast --item train --steps $whole)
  fast=$(least "$fast" "$(field ms_per_step <<<"$record")")
done
pairs() { build/neo bench "$world" --preset "$1" --item train --steps 1 | field pairs; }
say "$world-fast-pair-against-paper-peer" "$paper_peer/$(pairs paper)" "$fast/$(pairs fast)"

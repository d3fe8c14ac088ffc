#!/usr/bin/env bash
# neo against the same work in plain PyTorch, in one run on this machine with two threads each.
#   bench/compare.sh [gridworld|arithmetic]
# One line per item: <world>-<preset>-<item> ratio <how many times faster neo is>
set -euo pipefail
cd "$(dirname "$0")/.."
world=${1:-gridworld}
export OMP_NUM_THREADS=2
scripts/install.sh build bench
[ -x build/neo ] || { cmake --preset default >/dev/null && cmake --build --preset default --target neo; }

number() { python3 -c 'import json,sys; r=json.loads(sys.stdin.read().splitlines()[-1]); print(r.get("ms_per_step", r.get("ms_per_episode")))'; }
neo() { build/neo bench "$world" --preset "$1" --item "$2" | number; }
peer() {
  if [ "$1" = fast ]; then /usr/bin/python3 "bench/${world}_fast_peer.py" --item "$2" --steps 20 --threads 2 | number
  else (cd bench && /usr/bin/python3 torch_peer.py --world "$world" --preset "$1" --item "$2" --steps "$3" --threads 2) | number; fi
}
say() { python3 -c "print(f'$1 ratio {$2/$3:.1f}  ($2 ms against $3 ms)')"; }

presets=(paper)
[ -e "bench/${world}_fast_peer.py" ] && presets+=(fast)
for preset in "${presets[@]}"; do
  for item in train eval search; do
    theirs=$(peer $preset $item 5)
    ours=$(neo $preset $item)
    say "$world-$preset-$item" "$theirs" "$ours"
    [ "$preset-$item" = paper-train ] && paper_peer=$theirs
  done
done
pairs() { build/neo bench "$world" --preset "$1" --item train --steps 1 | python3 -c 'import json,sys; print(json.load(sys.stdin)["pairs"])'; }
# What a pair costs over a whole run: fast theories get cheaper to search as they get better.
fast=$(build/neo bench "$world" --preset fast --item train --steps 200 | number)
python3 -c "print(f'$world-fast-pair-against-paper-peer ratio {($paper_peer/$(pairs paper))/($fast/$(pairs fast)):.1f}')"

#!/usr/bin/env bash
# Trains a world's `fast` theories (3 alphas x 3 seeds), evaluates them, and puts the records into results/ and the
# theories of seed 42 into weights/. Finished runs are kept, interrupted ones resumed.
#   scripts/results.sh gridworld|arithmetic|imaging [jobs]
# One thread per run: two runs side by side finish sooner than one after the other on both cores, and the bytes do not
# depend on the number of cores.
set -euo pipefail
cd "$(dirname "$0")/.."
world=$1 jobs=${2:-2}
neo=${NEO:-build/neo}
export OMP_NUM_THREADS=1 world neo

one() {
  alpha=$1 seed=$2 name=$world-fast-alpha$1-seed$2
  run=runs/$name
  if ! [ -e "$run/last.safetensors" ]; then
    resume=(); [ -e "$run/manifest.json" ] && resume=(--resume)
    "$neo" train "$world" --alpha "$alpha" --seed "$seed" --out "$run" "${resume[@]}" >"runs/$name.log" 2>&1
  fi
  "$neo" eval "$run" --soft --json >/dev/null 2>>"runs/$name.log"
  mkdir -p "results/$world"
  python3 -m json.tool --sort-keys --indent 1 "$run/eval.json" >"results/$world/$name.json"
  if [ "$seed" = 42 ]; then cp "$run/best.safetensors" "weights/$world-alpha$alpha.safetensors"; fi
  echo "$name: done"
}
export -f one
mkdir -p runs
# The data first: two runs must not make the same file at once. (Imaging samples its pairs in memory; `neo eval` makes its
# splits, so its first runs go one after the other unless they are there.)
[ "$world" = imaging ] || for alpha in 0.33 0.66 1.00; do [ -e "data/$world-alpha$alpha/train.h5" ] || "$neo" data make "$world" --alpha "$alpha"; done
[ "$world" = imaging ] || [ -e "data/$world-length/length.h5" ] || "$neo" data make "$world" --profile length
for seed in 42 43 44; do for alpha in 0.33 0.66 1.00; do echo "$alpha $seed"; done; done |
  xargs -P "$jobs" -L 1 bash -euo pipefail -c 'one $0 $1'

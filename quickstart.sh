#!/usr/bin/env bash
# From an empty Debian 12 machine to a learned theory: installs what is missing, builds, makes the GridWorld
# benchmark data and checks them, learns a theory of the hardest split (half a minute), evaluates it, and
# shows its vocabulary and three explanations. A second run finds everything done.
#   ./quickstart.sh          ends by saying how to open the explorer
#   ./quickstart.sh --open   ends by opening it
set -euo pipefail
cd "$(dirname "$0")"

case "${1:-}" in
  "" | --open) ;;
  *) echo "quickstart.sh: unknown option $1; it takes --open" >&2; exit 2 ;;
esac

scripts/install.sh build
cmake --preset default >/dev/null
cmake --build --preset default --target neo

data=data/gridworld-alpha0.33
run=runs/quickstart
[ -f "$data/comp.h5" ] || build/neo data make gridworld --alpha 0.33 --out "$data"
build/neo data verify "$data"
build/neo data show "$data/id.h5" --png "$data/contact-sheet.png"
if [ ! -f "$run/last.safetensors" ]; then
  if [ -d "$run" ]; then resume=--resume; else resume=; fi
  build/neo train gridworld --alpha 0.33 --seed 42 --out "$run" $resume
fi
build/neo eval "$run" --search greedy
echo
build/neo explain "$run" --pair "$data/comp.h5:0" --count 3 || [ $? = 1 ]  # 1: it cannot explain one of them yet
echo
echo "look at it in the browser, with all shipped theories beside it:"
echo "  build/neo serve $run weights/*-alpha*.safetensors --open"
echo "every theory by name: build/neo models; for example build/neo explain arithmetic --x 12 --y 420 --query 7"
echo "learn from pairs of your own (docs/own-data.md): build/neo learn FILE..."
echo "more: build/neo --help"
if [ "${1:-}" = --open ]; then exec build/neo serve "$run" weights/*-alpha*.safetensors --open; fi

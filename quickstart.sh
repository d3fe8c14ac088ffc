#!/usr/bin/env bash
# From an empty Debian 12 machine to something to look at: installs what is missing, builds, makes the
# GridWorld benchmark data, checks them, and draws a contact sheet. A second run finds everything done.
set -euo pipefail
cd "$(dirname "$0")"

scripts/install.sh build
cmake --preset default >/dev/null
cmake --build --preset default --target neo

data=data/gridworld-alpha0.33
[ -f "$data/comp.h5" ] || build/neo data make gridworld --alpha 0.33 --out "$data"
build/neo data verify "$data"
build/neo data show "$data/id.h5" --png "$data/contact-sheet.png"
build/neo data show "$data/id.h5" --count 1

#!/usr/bin/env bash
# Nothing outside src/benchmark/ knows a benchmark by name, nor does the page; tests may.
set -euo pipefail
cd "$(dirname "$0")/.."
names='gridworld|arithmetic|imaging|cifar'
found=$(grep -rniE "$names" src --include=*.h --include=*.cc | grep -v '^src/benchmark/' | grep -v '_test\.cc:' || true)
found+=$(grep -rniE "$names" web/explorer web/report web/shared --include=*.ts --include=*.html || true)
[ -z "$found" ] || { printf 'layers.sh: these lines name a benchmark:\n%s\n' "$found" >&2; exit 1; }

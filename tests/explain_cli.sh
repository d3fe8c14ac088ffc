#!/usr/bin/env bash
# `neo explain` and `neo transfer` as users call them, on a shipped theory.
#   tests/explain_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
cd "$(dirname "$0")/.."
theory=weights/arithmetic-alpha0.33.safetensors
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What a wrong call answers: exit code 2, one line, with this in it.
refuses() {
  local wanted=$1 said
  shift
  said=$(fails_in_a_line 2 "$@")
  holds "neo $*" "$said" "$wanted"
}

said=$("$neo" explain $theory --x 12 --y 420 --query 7)
holds explain "$said" "gives y exactly"
holds explain "$said" "posterior mass"
holds explain "$said" "245"

holds "explain with names" "$said" "z4 (×5) → z6 (×7)"
said=$("$neo" explain $theory --x 12 --y 420 --query 7 --override "1=×2")
holds "an override on a query" "$said" "with step 1 overridden, on that input"
holds "an override on a query" "$said" "98"

# A pair that no program explains: what comes closest, a warning where it is applied, and exit code 1.
said=$("$neo" explain $theory --x 12 --y 422 --query 7 2>/dev/null) && failed "explaining 12 -> 422 succeeds"
holds "explain without a program" "$said" "no program found; closest is"
holds "explain without a program" "$said" "which did not explain its pair"
holds "what to try" "$(fails 1 explain $theory --x 12 --y 422)" "--search beam or --steps 12"

record=$("$neo" explain $theory --x 12 --y 420 --override 1=1 --json)
for key in run lengths reason alternatives mass counterfactual queries; do
  holds "the record" "$record" "\"$key\":"
done
program=$(sed 's/.*"run":{"codes":\[\([0-9,]*\)\].*/\1/' <<<"$record") # the last "run" of the record is the pair's own
said=$("$neo" transfer --program "$program" --x 7 --x 100 --y 245 --y 3500 $theory)
[ "$(grep -c 'gives y exactly' <<<"$said")" = 2 ] || failed "the program $program does not transfer: $said"

"$neo" explain $theory --x 12 --y 420 --png "$folder/a.png" --svg "$folder/a.svg" >/dev/null
[ "$(head -c 4 "$folder/a.png" | tail -c 3)" = PNG ] || failed "no PNG was written"
[ "$(tail -n 1 "$folder/a.svg")" = "</svg>" ] || failed "no SVG was written"

"$neo" explain $theory --x 12 --y 420 --programs "$folder/p.jsonl" >/dev/null
[ "$(cat "$folder/p.jsonl")" = '{"codes":[4,6],"explained":true,"pair":"pair"}' ] || failed "--programs wrote $(cat "$folder/p.jsonl")"
"$neo" explain $theory --x 12 --y 420 --programs "$folder/p.json" >/dev/null
holds "--programs for Stitch" "$(cat "$folder/p.json")" '"(lam (z6 (z4 $0)))"'

refuses "needs both" explain $theory --x 12
refuses "no step 9" explain $theory --x 12 --y 420 --override 9=1
refuses "is no code" explain $theory --x 12 --y 420 --override 1=z99
refuses "STEP=CODE" explain $theory --x 12 --y 420 --override nonsense
refuses "not a number" explain $theory --x twelve --y 420
refuses "is no code" transfer $theory --program "z1 up" --x 7
holds "a program by names" "$("$neo" transfer $theory --program "×5, *7" --x 7)" "245"
refuses "give one --y" transfer $theory --program "z1" --x 7 --x 8 --y 1
refuses "inputs with --x" transfer $theory --program "z1"
echo "explain and transfer answer as documented"

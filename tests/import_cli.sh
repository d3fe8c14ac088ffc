#!/usr/bin/env bash
# `neo data import` as users call it; under the sanitizers too.
#   tests/import_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
leaves_nothing() { [ -z "$(ls -A | grep -v '^numbers\|^pairs\|^broken')" ] || failed "left behind: $(ls -A)"; }

{ echo x,y; for i in $(seq 1000); do echo "$i,$((3 * i))"; done; } >numbers.csv
for i in $(seq 200); do echo "{\"x\":[[$((i % 4)),0,1]],\"y\":[[0,1,$((i % 3))]],\"task\":$((i / 10))}"; done >pairs.jsonl

said=$("$neo" data import numbers.csv --out out.h5 2>/dev/null)
holds "the paragraph" "$said" "1000 pairs"
holds "the paragraph" "$said" "number of 4 digits"
holds "--json" "$("$neo" data import pairs.jsonl --group task --out out.h5 --json 2>/dev/null)" '"held_out_by": "groups"'
holds "--as" "$("$neo" data import pairs.jsonl --as vector --out out.h5 2>/dev/null)" "vector of 3 real numbers"
"$neo" data import out.h5 --out again.h5 >/dev/null 2>&1 || failed "its own file is not taken"
rm out.h5 again.h5

holds "an unknown layout" "$(fails_in_a_line 2 data import numbers.csv --as cube --out out.h5)" "grid, sequence, number, image, vector"
holds "impossible lags" "$(fails_in_a_line 2 data import numbers.csv --lags 3-x --out out.h5)" "1-3"
holds "too few values" "$(fails_in_a_line 1 data import pairs.jsonl --values 3 --out out.h5)" "pairs.jsonl, line 3, x"
holds "a missing file" "$(fails_in_a_line 1 data import none.csv --out out.h5)" "none.csv"
echo '{"x":[[1]]' >broken.jsonl
holds "broken JSON" "$(fails_in_a_line 1 data import broken.jsonl --out out.h5)" "broken.jsonl, line"
leaves_nothing

said=$(trap '' XFSZ; ulimit -f 2; fails_in_a_line 1 data import numbers.csv --out out.h5)
holds "a full disk" "$said" "free some"
holds "a full disk" "$said" "cannot write out.h5:"
leaves_nothing

# What cannot be written, or must not be.
mkfifo pairs.pipe
holds "a pipe as --out" "$(fails_in_a_line 1 data import numbers.csv --out pairs.pipe)" "pairs.pipe: it is a device or a pipe"
[ -p pairs.pipe ] || failed "the pipe was replaced"
holds "a pipe as a source" "$(fails_in_a_line 1 data import pairs.pipe --out out.h5)" "save it as a file first"
holds "a folder as --out" "$(fails_in_a_line 1 data import numbers.csv --out .)" "it is a folder"
mkdir pairs-folder
cp numbers.csv pairs-folder/a.csv
cp numbers.csv pairs-folder/b.csv
holds "a source as --out" "$(fails_in_a_line 2 data import pairs-folder --out pairs-folder/a.csv)" "choose another --out"
cmp numbers.csv pairs-folder/a.csv || failed "a source was overwritten"
ln -s pairs-folder/linked.h5 pairs.link
"$neo" data import numbers.csv --out pairs.link >/dev/null 2>&1
[ -L pairs.link ] && [ -s pairs-folder/linked.h5 ] || failed "a link was not followed"
rm -r pairs.pipe pairs.link pairs-folder

# Options.
holds "a negative seed" "$(fails_in_a_line 2 data import numbers.csv --seed=-1 --out out.h5)" "from 0 to 18446744073709551615"
holds "a large seed" "$(fails_in_a_line 2 data import numbers.csv --seed 18446744073709551616 --out out.h5)" "from 0 to 18446744073709551615"
holds "many values" "$(fails_in_a_line 2 data import numbers.csv --values 99999999999999999999 --out out.h5)" "not in range 2 to 1024"
holds "an unknown option" "$(fails_in_a_line 2 data import numbers.csv --none --out out.h5)" 'see `neo data import --help`'
cp numbers.csv ./-numbers.csv
holds "a file named like an option" "$(fails_in_a_line 2 data import -numbers.csv --out out.h5)" "write './-numbers.csv'"
rm ./-numbers.csv
broken=$'broken\n\e[31m.csv'
echo x,y >"$broken"
holds "a name of two lines" "$(fails_in_a_line 1 data import "$broken" --out out.h5)" 'broken\x0a\x1b[31m.csv'
rm "$broken"
echo x,y >broken-größe.csv
holds "a name with letters" "$(fails_in_a_line 1 data import broken-größe.csv --out out.h5)" 'broken-größe.csv'
leaves_nothing

understood=$("$neo" data import numbers.csv --out out.h5 --json)
holds "--json" "$understood" '"pairs": 1000'
holds "--json" "$understood" '"held_out": 100'
rm out.h5

# Interrupted while it writes.
awk 'BEGIN { print "x,y"; for (i = 0; i < 1000000; ++i) print i "," 2 * i }' >numbers-many.csv
"$neo" data import numbers-many.csv --out out.h5 >/dev/null 2>numbers.log &
process=$!
until compgen -G 'out.h5.tmp.*' >/dev/null; do
  kill -0 $process 2>/dev/null || failed "it ended before it could be interrupted: $(cat numbers.log)"
  sleep 0.05
done
kill -TERM $process
status=0
wait $process || status=$?
[ $status = 130 ] || failed "interrupted it ends with $status: $(cat numbers.log)"
leaves_nothing

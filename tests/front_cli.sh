#!/usr/bin/env bash
# `neo` answers what needs no tensors without LibTorch, and becomes neo-engine for the rest.
#   tests/front_cli.sh build/neo
set -euo pipefail
neo=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/lib.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

loaded=$(ldd "$neo")
if grep -E 'libtorch|libc10|libgomp' <<<"$loaded"; then failed "neo loads the libraries above before it is asked for tensors"; fi

# Alone in a folder, it can only answer by itself.
cp "$neo" "$folder/neo"
engine=$(dirname "$neo")/neo-engine
neo=$folder/neo
changelog=$(dirname "$(realpath "$0")")/../CHANGELOG.md
released=$(sed -n 's/^## \([0-9.]*\) (20[0-9-]*)$/\1/p' "$changelog" | head -n 1)
holds "neo --version" "$("$neo" --version) " "$released "
holds "neo --version" "$(OMP_NUM_THREADS=3 "$neo" --version)" "; 3 threads)"
help=$("$neo" --help)
commands=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help")
for command in $commands; do
  said=$("$neo" "$command" --help) || failed "neo $command --help fails: $said"
  holds "neo $command --help" "$said" "Example"
done
long=$({ "$neo" --help; "$neo" data import --help; "$neo" train --help-settings; "$neo" pretrain --help-settings
         for command in $commands; do "$neo" help "$command"; done; } | LC_ALL=C.UTF-8 grep -E '^.{81,}' || true)
[ -z "$long" ] || failed "help has lines of more than 80 columns: $long"
holds "neo train --help-settings" "$("$neo" train --help-settings)" "optimizer.rate"
[[ "$("$neo" train --help)" != *optimizer.decay* ]] || failed "neo train --help lists every setting"
holds "neo help" "$("$neo" help data import)" "Usage: neo data import"
holds "help for nothing" "$(fails_in_a_line 2 help trian)" "did you mean 'train'?"
holds "an unknown command" "$(fails_in_a_line 2 explian)" "did you mean 'explain'?"
holds "an unknown benchmark" "$(fails_in_a_line 2 train girdworld)" "did you mean 'gridworld'?"
holds "no command" "$(fails_in_a_line 2)" "takes one of"
# The man page and completion are made from the same source.
manual=$("$neo" manual)
for command in $commands; do holds "the man page" "$manual" ".SS neo $command"; done
completed() { bash -c 'neo=$1; shift; source <("$neo" completion bash); COMP_WORDS=("$neo" "$@"); COMP_CWORD=$#; _neo; echo "${COMPREPLY[@]}"' _ "$neo" "$@"; }
holds "completion of a command" "$(completed exp)" explain
holds "completion of a subcommand" "$(completed data im)" import
holds "completion of an option" "$(completed learn --min)" --minutes
holds "completion of a benchmark" "$(completed train grid)" gridworld
for shell in zsh fish; do holds "completion for $shell" "$("$neo" completion "$shell")" "held out"; done
holds "an unknown option" "$(fails_in_a_line 2 learn pairs.npz --cods 3)" "did you mean '--codes'?; see \`neo learn --help"
holds "an unknown benchmark" "$(fails_in_a_line 2 train chess)" "unknown benchmark 'chess'"
holds "an unknown setting" "$(fails_in_a_line 2 train --data pairs.h5 --set bach=3)" "bach"
for trial in "--set steps=20" "--episodes 9" "--draws 2 --results ./results/ --out elsewhere"; do
  holds "a trial among the results" "$(fails_in_a_line 2 reproduce gridworld $trial)" "--out trial --results trial/results"
done
holds "a sweep over nothing" "$(fails_in_a_line 2 sweep gridworld --set steps=20)" "several values"
holds "a sweep over an unknown setting" "$(fails_in_a_line 2 sweep gridworld --set bach=2,3)" "bach"
holds "an unknown theory" "$(fails_in_a_line 2 explain somthing)" "\`neo models\` lists them"
holds "no benchmark" "$(fails_in_a_line 2 bench)" "--peak"
holds "unknown instructions" "$(NEO_INSTRUCTIONS=mmx fails_in_a_line 2 train --data pairs.h5)" "NEO_INSTRUCTIONS=mmx"
holds "bf16 without its instructions" "$(NEO_INSTRUCTIONS=portable fails_in_a_line 2 train --data pairs.h5 --precision bf16)" "--precision float32"

holds "a missing engine" "$(fails_in_a_line 1 signature)" "needs neo-engine, which is neither in $folder nor in"
echo nonsense >"$folder/neo-engine"
holds "a broken engine" "$(fails_in_a_line 1 signature)" "cannot start $folder/neo-engine"
[ -x "$engine" ] || { echo "front: ok, without an engine"; exit; }
cp --remove-destination "$engine" "$folder/neo-engine"
holds "the engine's own mistakes" "$(fails_in_a_line 1 eval "$folder/nothing.safetensors")" "nothing.safetensors"
neo=$folder/neo-engine
holds "an engine of another source" "$(NEO_FRONT=0.0.1 fails_in_a_line 1 signature)" "neo itself is 0.0.1"
echo "front: ok"

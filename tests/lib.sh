# What the tests of the command line share; sourced by them, with $neo set to the binary.
failed() { echo "$(basename "$0"): $*" >&2; exit 1; }
# holds WHAT TEXT PART: the text has that part in it
holds() { [[ "$2" == *"$3"* ]] || failed "$1 lacks '$3': $2"; }
# fails STATUS ARGUMENTS... : what it says on stderr
fails() {
  local status=0 said
  said=$("$neo" "${@:2}" 2>&1 >/dev/null) || status=$?
  [ $status = "$1" ] || failed "neo ${*:2} ends with $status and not $1: $said"
  echo "$said"
}
# The same; it must be one line.
fails_in_a_line() {
  local said
  said=$(fails "$@")
  [ "$(wc -l <<<"$said")" = 1 ] || failed "neo ${*:2} says more than a line: $said"
  echo "$said"
}

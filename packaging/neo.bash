# bash completion for neo: commands and options are asked of neo itself.
_neo() {
  local current=${COMP_WORDS[COMP_CWORD]} command=() word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || command+=("$word")
  done
  local help
  help=$("${COMP_WORDS[0]}" "${command[@]:0:1}" --help 2>/dev/null) || help=$("${COMP_WORDS[0]}" --help 2>/dev/null)
  [[ ${command[0]} != data || ${#command[@]} -lt 2 ]] || help=$("${COMP_WORDS[0]}" data "${command[1]}" --help 2>/dev/null)
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$current")
    return
  fi
  local subcommands
  subcommands=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$help")
  if [[ -n $subcommands && $COMP_CWORD -le $((${#command[@]} + 1)) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null || true
  fi
}
complete -F _neo neo

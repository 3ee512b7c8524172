/** The completion of bash. */
export const BASH = String.raw`# Completion of remit for bash. Load it with: source <(remit completion bash)
_remit() {
  # bash breaks words at =, : and @, remit does not: what it broke is put together again.
  local words=() word i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=$\{COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:@] || $\{COMP_WORDS[i - 1]} == *[=:@] ]]; then
      words[$\{#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  local current=$\{words[$\{#words[@]} - 1]} proposal
  # What stands before the last break is there already; an @ is part of what bash replaces.
  local last=$\{COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:@] ]] && last=""
  local kept=$\{current%"$last"}
  kept=$\{kept%@}
  COMPREPLY=()
  while IFS=$'\t' read -r proposal _; do
    COMPREPLY+=("$\{proposal#"$kept"}")
    [[ $proposal == *= ]] && compopt -o nospace
  done < <(remit __complete "$\{words[@]}" 2>/dev/null)
}
complete -o default -F _remit remit
`.replaceAll("$\\{", "${");

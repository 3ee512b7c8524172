/** The shells that have a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];

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

/** The completion of fish. */
export const FISH = String.raw`# Completion of remit for fish. Load it with: remit completion fish | source
function __remit_complete
    set -l words (commandline -opc)[2..]
    set -l current (commandline -ct)
    set -l proposals (remit __complete $words "$current" 2>/dev/null)
    if test (count $proposals) -gt 0
        printf '%s\n' $proposals
    else if string match -q -- '*=*' "$current"
        set -l flag (string replace -r '=.*' '=' -- "$current")
        printf "$flag%s\n" (__fish_complete_path (string replace -r '^[^=]*=' '' -- "$current"))
    else
        __fish_complete_path "$current"
    end
end
complete -c remit -f -a '(__remit_complete)'
`;

/** The completion of zsh. */
export const ZSH = String.raw`#compdef remit
# Completion of remit for zsh. Load it with: source <(remit completion zsh)
_remit() {
  local line
  local -a spaced open
  for line in "$\{(@f)$(remit __complete "$\{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    local name=$\{line%%$'\t'*} meaning=$\{line#*$'\t'}
    if [[ $name == *= ]]; then
      open+=("$\{name//:/\\:}:$meaning")
    else
      spaced+=("$\{name//:/\\:}:$meaning")
    fi
  done
  if (( $\{#spaced} + $\{#open} == 0 )); then
    [[ $PREFIX == *=* ]] && compset -P 1 '*='
    _files
    return
  fi
  (( $\{#spaced} )) && _describe remit spaced
  (( $\{#open} )) && _describe remit open -S ''
}
if [[ $\{funcstack[1]} == _remit ]]; then
  _remit "$@"
else
  compdef _remit remit
fi
`.replaceAll("$\\{", "${");

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

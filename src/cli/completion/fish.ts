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

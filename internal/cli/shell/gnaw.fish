# Completion of gnaw in fish: gnaw completion fish > ~/.config/fish/completions/gnaw.fish
function __gnaw_words
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l answer (gnaw complete-words $before "$current" 2>/dev/null)
    set -l flag (string match -r -- '^-[^=]*=' "$current")
    set -l path (string replace -r -- '^-[^=]*=' '' "$current")
    switch "$answer[1]"
        case dirs
            printf "$flag%s\n" (__fish_complete_directories "$path" '')
        case files
            printf "$flag%s\n" (__fish_complete_path "$path")
    end
    set -e answer[1]
    test (count $answer) -gt 0; and printf '%s\n' $answer
end
complete -c gnaw -f -a '(__gnaw_words)'

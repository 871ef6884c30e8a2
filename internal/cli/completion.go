package cli

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

const helpCompletion = `usage: gnaw completion bash|zsh|fish

Prints a script with which a shell completes commands, flags, their values, folders and files of gnaw. To load it when a shell starts:

	bash  echo 'source <(gnaw completion bash)' >> ~/.bashrc
	zsh   gnaw completion zsh > "${fpath[1]}/_gnaw"; compinit has to run in ~/.zshrc
	fish  gnaw completion fish > ~/.config/fish/completions/gnaw.fish

The script asks gnaw in PATH, so it stays the same for later versions.
`

// wordsCommand is the hidden command by which the scripts of shells ask for what may follow.
const wordsCommand = "complete-words"

//go:embed shell/gnaw.bash
var bashScript string

//go:embed shell/gnaw.zsh
var zshScript string

//go:embed shell/gnaw.fish
var fishScript string

// shells are the scripts of the shells that gnaw knows. A script runs wordsCommand with the words behind gnaw up to the cursor. The first line
// of the answer says what else may stand there: nothing, dirs or files. The others are words, each with a tab and a description.
var shells = map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}

// runCompletion is `gnaw completion`.
func runCompletion(_ context.Context, env Env, args []string) (int, error) {
	if len(args) == 1 && isHelp(args[0]) {
		return 0, flag.ErrHelp
	}
	shell, err := one("completion", "shell", args)
	if err != nil {
		return 0, err
	}
	script, ok := shells[shell]
	if !ok {
		return 0, usagef("gnaw has no completion for %q; there are %s", shell, listed(slices.Sorted(maps.Keys(shells))))
	}
	fmt.Fprint(env.Stdout, script)
	return exitcode.OK, nil
}

// runWords is wordsCommand.
func runWords(env Env, commands []command, words []string) (int, error) {
	if len(words) == 0 {
		return 0, usagef("the scripts of gnaw completion run gnaw %s; to print one, run gnaw completion", wordsCommand)
	}
	a := answerTo(commands, words)
	fmt.Fprintln(env.Stdout, a.also)
	for _, w := range a.words {
		fmt.Fprintf(env.Stdout, "%s\t%s\n", w.text, w.about)
	}
	return exitcode.OK, nil
}

// answerTo returns what may stand in place of the last of words, which may be empty.
func answerTo(commands []command, words []string) answer {
	last := len(words) - 1
	current, before := words[last], words[:last]
	a := answerBehind(commands, before, current)
	a.words = slices.DeleteFunc(a.words, func(w word) bool { return !strings.HasPrefix(w.text, current) })
	return a
}

func answerBehind(commands []command, before []string, current string) answer {
	isFlag := strings.HasPrefix(current, "-")
	if len(before) == 0 && !isFlag {
		return answer{dirs, commandWords(commands)}
	}
	name, rest := named(before)
	if len(before) == 0 {
		rest = nil // named gives the packages of gnaw without arguments
	}
	if slices.Contains(rest, "-args") || slices.Contains(rest, "--args") {
		return answer{also: files}
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return answer{also: nothing}
	}
	c := commands[i]
	if name == "help" {
		return answer{nothing, append(commandWords(commands), plainWords(slices.Sorted(maps.Keys(topics)))...)}
	}
	if c.flags != nil {
		fs := c.flags()
		if flag, _, ok := strings.Cut(current, "="); isFlag && ok {
			return fs.answer(flag+"=", strings.TrimLeft(flag, "-"), strings.TrimPrefix(current, flag+"="))
		}
		if isFlag {
			return answer{nothing, fs.words(strings.HasPrefix(current, "--"))}
		}
		if n := len(rest); n > 0 && fs.wantsValue(rest[n-1]) {
			return fs.answer("", strings.TrimLeft(rest[n-1], "-"), current)
		}
	}
	return c.arguments(rest)
}

// commandWords returns the names of the commands.
func commandWords(commands []command) (words []word) {
	for _, c := range commands {
		words = append(words, word{c.name, c.short})
	}
	return words
}

// arguments returns what may stand behind the arguments of a command, as the first lines of its page say: the words that come right behind its
// name there are actions, and names in capitals or brackets say what files they mean.
func (c command) arguments(before []string) answer {
	a := answer{also: nothing}
	for _, usage := range c.usages() {
		fields := strings.Fields(usage)[2:] // without gnaw and the name
		if len(fields) == 0 {
			continue
		}
		if len(before) == 0 {
			for action := range strings.SplitSeq(fields[0], "|") {
				if action != "" && strings.Trim(action, lower) == "" {
					a.words = append(a.words, word{text: action})
				}
			}
		}
		switch {
		case strings.Contains(usage, "FILE"), strings.Contains(usage, "DEST"), strings.Contains(usage, "SOURCE"), strings.Contains(usage, "PLACE"):
			a.also = files
		case a.also == nothing && (strings.Contains(usage, "[packages]") || strings.Contains(usage, "PKG")):
			a.also = dirs
		}
	}
	return a
}

// lower has the letters of actions.
const lower = "abcdefghijklmnopqrstuvwxyz"

// Package refusal keeps inputs from acting outside of their process.
//
// Edited functions of os, os/exec and net ask before they create, change or remove a file, start a program, or connect to an address; see
// package hook. While an input executes, what is not in a temporary folder or in the testdata of the package is refused, and the call gets
// an ordinary error. What the setup and the seeds do is noted and stays allowed. System calls that a program makes by package syscall or
// in C do not ask.
//
// There is one state for the process. Any goroutine may call a function of this package, because the goroutines of a target do.
package refusal

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// Kind is a kind of action.
type Kind uint8

// The kinds of actions.
const (
	Write   Kind = 1 + iota // create or change a file or folder
	Remove                  // remove or rename one
	Start                   // start a program
	Connect                 // connect to an address
)

// Action is what a process does outside of itself.
type Action struct {
	Kind Kind
	// Name is the absolute path of a file or program, or an address as host:port. In what is allowed, it is a folder for Write and Remove,
	// and stands for all that is in it.
	Name string
}

var verbs = [...]string{Write: "write ", Remove: "remove ", Start: "start the program ", Connect: "connect to "}

// String returns the action as the rest of a sentence, such as "start the program /bin/sh".
func (a Action) String() string {
	if int(a.Kind) >= len(verbs) {
		return a.Name
	}
	return verbs[a.Kind] + a.Name
}

// parse reads the form that Fresh writes. ok is false if text does not have it.
func parse(text []byte) (a Action, ok bool) {
	if len(text) == 0 || text[0] <= '0' || int(text[0]-'0') >= len(verbs) {
		return a, false
	}
	return Action{Kind(text[0] - '0'), string(text[1:])}, true
}

// Env is the environment variable with the actions that are allowed while an input of plain go test executes, in the form of
// [Variable]. A process removes it before the code of the target runs. Without it, such a process refuses nothing.
const Env = "GNAW_REFUSE"

// A process of plain go test in which something is refused ends with ExitCode, after a line that begins with ReplayHead and names the action.
const (
	ReplayHead = "gnaw: refused to "
	ExitCode   = 93
)

// Variable returns the assignment of [Env].
func Variable(allowed [][]byte) string {
	var b strings.Builder
	b.WriteString(Env + "=on")
	for _, text := range allowed {
		b.WriteString("\n" + strconv.Quote(string(text)))
	}
	return b.String()
}

// FromEnv returns the actions of [Env], and removes the variable. on is false if there is none, or if its value is not one of Variable.
func FromEnv() (allowed [][]byte, on bool) {
	value, ok := os.LookupEnv(Env)
	if !ok {
		return nil, false
	}
	_ = os.Unsetenv(Env) // the name is valid
	return parseVariable(value)
}

func parseVariable(value string) (allowed [][]byte, on bool) {
	first, rest, _ := strings.Cut(value, "\n")
	if first != "on" {
		return nil, false
	}
	for line := range strings.SplitSeq(rest, "\n") {
		if text, err := strconv.Unquote(line); err == nil {
			allowed = append(allowed, []byte(text))
		}
	}
	return allowed, true
}

// What becomes of an action.
const (
	noting   uint32 = iota // it is allowed, and noted
	refusing               // it is refused, unless it is allowed
	off                    // it is allowed
)

// maxNoted is how many actions are noted. A process that does more has a reason to: each of its folders is one action.
const maxNoted = 1024

var (
	mode  atomic.Uint32
	links atomic.Bool // the process has made a symbolic link, so that the name of a file does not say where it is

	mu        sync.Mutex
	allowed   []Action
	fresh     int          // the last ones of allowed that Fresh has not returned
	onRefused func(Action) // called with mu
)

func init() { hook.OnAct = act }

// Off allows everything from now on.
func Off() { mode.Store(off) }

// Note allows and notes everything from now on. This is how a process begins.
func Note() { mode.Store(noting) }

// Refuse refuses from now on what is not allowed.
func Refuse() { mode.Store(refusing) }

// OnRefused sets the function that is called for each action that is refused, on the goroutine that would do it; nil: none is. Calls do not
// overlap.
func OnRefused(f func(Action)) {
	mu.Lock()
	defer mu.Unlock()
	onRefused = f
}

// Allow allows actions that [Fresh] has returned in another process. It ignores what is none.
func Allow(list [][]byte) {
	mu.Lock()
	defer mu.Unlock()
	for _, text := range list {
		if a, ok := parse(text); ok && !slices.Contains(allowed, a) {
			allowed = slices.Insert(allowed, len(allowed)-fresh, a)
		}
	}
}

// Fresh returns the actions that were noted since the last call, for other processes. The form of an action is for Allow and Variable only.
func Fresh() (list [][]byte) {
	mu.Lock()
	defer mu.Unlock()
	for _, a := range allowed[len(allowed)-fresh:] {
		list = append(list, append([]byte{'0' + byte(a.Kind)}, a.Name...))
	}
	fresh = 0
	return list
}

// act decides about a call; see [hook.OnAct].
func act(kind uint8, base, name string) (refused bool) {
	now := mode.Load()
	if now == off || base == "" && harmless(kind, name) {
		return false
	}
	a, isOutside := resolve(kind, base, name)
	if !isOutside {
		return false
	}
	mu.Lock()
	defer mu.Unlock()
	switch {
	case covers(allowed, a):
		return false
	case now == noting:
		if len(allowed) < maxNoted {
			allowed = append(allowed, generalized(a))
			fresh++
		}
		return false
	}
	if onRefused != nil {
		onRefused(a)
	}
	return true
}

// covers reports whether an action is allowed by a list.
func covers(list []Action, a Action) bool {
	return slices.ContainsFunc(list, func(b Action) bool {
		switch a.Kind {
		case Write:
			return b.Kind == Write && within(a.Name, b.Name)
		case Remove:
			return b.Kind == Remove && a.Name != b.Name && within(a.Name, b.Name)
		}
		return a == b
	})
}

// generalized returns what is allowed after a was done.
func generalized(a Action) Action {
	if a.Kind == Write || a.Kind == Remove {
		a.Name = folderOf(a.Name)
	}
	return a
}

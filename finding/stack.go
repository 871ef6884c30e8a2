package finding

import (
	"strconv"
	"strings"
)

// Frame returns the frame of the user's code that is to blame in a stack as the runtime prints it, as "function
// file:line", or "" if there is none: the top one, or the one that panicked first if a deferred function panicked again
// with the same value. Frames of the runtime, of package testing and of gnaw itself are passed over. Only the first goroutine that has such a
// frame counts.
func Frame(lines []string) string {
	calls := stack(lines)
	if len(calls) == 0 {
		return ""
	}
	top := calls[0]
	return top.Func + " " + top.File[strings.LastIndexAny(top.File, `/\`)+1:] + ":" + strconv.Itoa(top.Line)
}

// stack returns the frames of the user's code from the one that [Frame] blames to the bottom.
func stack(lines []string) (calls []Call) {
	value, fresh := "", true
	for i := 0; i+1 < len(lines); i++ {
		if len(calls) > 0 && strings.TrimSpace(lines[i]) == "" {
			break // the next goroutine
		}
		name, at, ok := frame(lines[i], lines[i+1])
		if !ok {
			continue
		}
		i++
		switch {
		case name == "panic":
			call := strings.TrimSpace(lines[i-1])
			fresh, value = len(calls) == 0 || call == value, call
			continue
		case machinery(name):
			continue
		case fresh:
			calls, fresh = calls[:0], false
		}
		calls = append(calls, callAt(name, at))
	}
	return calls
}

// callAt reads the place of a frame, as in "/src/p/f.go:3 +0x1d".
func callAt(name, at string) Call {
	at, _, _ = strings.Cut(at, " +0x")
	at, _, _ = strings.Cut(at, " fp=0x")
	i := strings.LastIndexByte(at, ':')
	line, err := strconv.Atoi(at[i+1:])
	if err != nil {
		return Call{Func: name, File: at}
	}
	return Call{Func: name, File: at[:i], Line: line}
}

// frame splits the two lines that the runtime prints for a frame. ok is false if they are something else.
func frame(first, second string) (name, at string, ok bool) {
	first, at = strings.TrimSpace(first), strings.TrimSpace(second)
	paren := strings.LastIndexByte(first, '(')
	if paren <= 0 || strings.HasPrefix(first, "created by ") || !strings.Contains(at, ".go:") {
		return "", "", false
	}
	if strings.Contains(at, "(") || strings.HasPrefix(at, "created by ") {
		return "", "", false
	}
	if _, _, logged := logLine(second); logged {
		return "", "", false
	}
	return first[:paren], at, true
}

// machinery reports whether a function is not the user's.
func machinery(name string) bool {
	if name == "panic" || name == "main.main" || engine(name) {
		return true
	}
	for _, prefix := range []string{
		"runtime.", "runtime/", "testing.", "reflect.", "internal/fuzz.", "testing/internal/", "os/signal.", "internal/runtime/",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// engine reports whether a function is injected by gnaw.
func engine(name string) bool {
	return strings.HasPrefix(name, "internal/fuzz/gnaw/") || strings.HasPrefix(name, "testing.gnaw") ||
		strings.HasPrefix(name, "testing.(*F).Fuzz.func1")
}

// Clean returns output without what says nothing to a person: the frames of gnaw in stacks, the goroutines in which
// there is nothing but gnaw and the runtime, and the registers that SIGQUIT prints.
func Clean(output string) string {
	blocks := strings.Split(output, "\n\n")
	kept := blocks[:0]
	for _, b := range blocks {
		if b = cleanBlock(b); b != "" || len(kept) == 0 {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}

// cleanBlock cleans what stands between two empty lines: one goroutine in a dump of all of them.
func cleanBlock(block string) string {
	lines := strings.Split(block, "\n")
	if len(lines) > 3 && isRegister(lines[0]) && isRegister(lines[1]) {
		return restAfterRegisters(lines)
	}
	if blamesEngine(lines) {
		return block
	}
	var kept []string
	ours, theirs := 0, 0
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) {
			if name, _, ok := frame(lines[i], lines[i+1]); ok {
				switch {
				case engine(name):
					ours++
					i++
					continue
				case machinery(name):
					ours++
				default:
					theirs++
				}
			}
		}
		kept = append(kept, lines[i])
	}
	if strings.HasPrefix(strings.TrimSpace(lines[0]), "goroutine ") && theirs == 0 && ours > 0 {
		return ""
	}
	return strings.Join(kept, "\n")
}

// blamesEngine reports whether a panic comes from gnaw itself.
func blamesEngine(lines []string) bool {
	panicking := false
	for i := 0; i+1 < len(lines); i++ {
		name, _, ok := frame(lines[i], lines[i+1])
		switch {
		case !ok:
		case name == "panic":
			panicking = true
		case panicking && engine(name):
			return true
		case panicking && !machinery(name):
			panicking = false
		}
	}
	return false
}

// isRegister reports whether a line is like "rax    0xca".
func isRegister(line string) bool {
	f := strings.Fields(line)
	return len(f) == 2 && strings.HasPrefix(f[1], "0x") && len(f[0]) <= 6
}

func restAfterRegisters(lines []string) string {
	for len(lines) > 0 && isRegister(lines[0]) {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

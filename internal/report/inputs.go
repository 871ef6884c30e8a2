package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// inputs writes the arguments, and how they became what they are.
func inputs(w io.Writer, r finding.Record, o Options) {
	args, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		field(w, "input", "in a seed: "+r.Seed)
		return
	}
	note := ""
	switch {
	case r.Seed != "" && r.Dependency != nil:
		note = "a seed: " + filepath.Base(filepath.FromSlash(r.Seed))
	case r.Seed != "":
		note = "a seed of yours: " + filepath.Base(filepath.FromSlash(r.Seed))
	case r.Size < r.Original:
		note = fmt.Sprintf("minimized from %s in %s", bytesOf(r.Original), Seconds(r.Minimize))
	}
	name := "input"
	for i, v := range args {
		if i == maxValues && !o.Full {
			field(w, "", fmt.Sprintf("… %d arguments more", len(args)-i))
			break
		}
		text := value(v, o.Full)
		if i == 0 && note != "" {
			text += "   " + note
		}
		field(w, name, text)
		name = ""
	}
}

// Literals returns the arguments of an input in the encoding of testdata/fuzz as Go expressions.
func Literals(text string) []string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return all[1:]
}

// value is an argument as a Go expression. A long one is shortened, unless all of it is wanted.
func value(v input.Value, all bool) string {
	if !all && v.Kind.IsBuffer() && len(v.Data) > maxValue {
		n := len(v.Data)
		cut := v
		cut.Data = v.Data[:maxValue]
		text := Literals(string(input.Marshal(input.Args{cut})))[0]
		return fmt.Sprintf("%s…)   %s in all", strings.TrimSuffix(text, ")"), bytesOf(n))
	}
	return Literals(string(input.Marshal(input.Args{v})))[0]
}

func bytesOf(n int) string { return Plural(n, "byte") }

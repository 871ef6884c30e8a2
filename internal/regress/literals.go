package regress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
)

// literals returns the arguments as Go expressions. The encoding of testdata/fuzz is Go, except for some floats.
func literals(a input.Args) []string {
	text := strings.Split(strings.TrimRight(string(input.Marshal(a)), "\n"), "\n")[1:]
	for i, line := range text {
		for kind, bits := range map[string]string{"float64": "%s", "float32": "float32(%s)"} {
			value, ok := strings.CutPrefix(line, kind+"(")
			if !ok {
				continue
			}
			switch strings.TrimSuffix(value, ")") {
			case "NaN":
				text[i] = fmt.Sprintf(bits, "math.NaN()")
			case "+Inf":
				text[i] = fmt.Sprintf(bits, "math.Inf(1)")
			case "-Inf":
				text[i] = fmt.Sprintf(bits, "math.Inf(-1)")
			case "-0": // a constant has no sign of zero
				text[i] = fmt.Sprintf(bits, "math.Copysign(0, -1)")
			}
		}
	}
	return text
}

// needMath reports whether some of the literals are calls of package math.
func needMath(literals []string) bool {
	return slices.ContainsFunc(literals, func(text string) bool {
		return strings.HasPrefix(strings.TrimPrefix(text, "float32("), "math.")
	})
}

package finding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATitleSaysWhatAMessageAnnounces(t *testing.T) {
	for _, tt := range []struct{ name, message, output, want string }{
		{"testify", "Not equal:", "    x_test.go:18: \n        \tError Trace:\t/src/m/x_test.go:18\n        \tError:      \tNot equal: \n" +
			"        \t            \texpected: 1\n        \t            \tactual  : 2\n        \t            \t\n        \t            \tDiff:\n" +
			"        \t            \t-1\n        \tTest:       \tFuzzX\n", "Not equal: expected: 1, actual: 2"},
		{"an error of testify", "Received unexpected error:", "    x_test.go:24: \n        \tError:      \tReceived unexpected error:\n" +
			"        \t            \tcannot parse x\n        \tTest:       \tFuzzX\n        \tMessages:   \tparsing\n", "Received unexpected error: cannot parse x"},
		{"a sentence of testify", "Should be true", "    x_test.go:24: \n        \tError:      \tShould be true\n        \tTest:       \tFuzzX\n", "Should be true"},
		{"quicktest", "values are not equal", "    x_test.go:15: \n        error:\n          values are not equal\n        got:\n          \"\"\n" +
			"        want:\n          \"x\"\n        stack:\n          /src/m/x_test.go:15\n", `values are not equal: got: "", want: "x"`},
		{
			"a diff", "mismatch (-want +got):", "    x_test.go:34: mismatch (-want +got):\n        \u00a0\u00a0m.point{\n        -\u00a0\tY: 2,\n        +\u00a0\tY: 3,\n",
			"mismatch (-want +got): - Y: 2, + Y: 3",
		},
		{"a text of several lines", "no match:", "    x_test.go:3: no match:\n        one\n        two\n        three\n", "no match: one, two"},
		{"a text that says all", "no match", "    x_test.go:3: no match\n        one\n", "no match"},
		{"a text with nothing behind it", "no match:", "    x_test.go:3: no match:\n", "no match:"},
	} {
		r := Record{Kind: Failure, Message: tt.message, Output: "--- FAIL: FuzzX (0.00s)\n" + tt.output}
		if got := r.Title(); got != tt.want {
			t.Errorf("%s: the title is %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Assertion libraries list the frames of gnaw that call the target.
func TestFramesOfGnawAreNotInTracesOfLibraries(t *testing.T) {
	for _, name := range []string{"trace_of_testify", "trace_of_quicktest"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		_, output, _ := strings.Cut(string(text), "----\n")
		got := Clean(output)
		if strings.Contains(got, "gnaw") {
			t.Errorf("%s has frames of gnaw:\n%s", name, got)
		}
		if !strings.Contains(got, "/src/m/") || strings.Count(got, "\n") < 8 {
			t.Errorf("%s lacks lines of the target:\n%s", name, got)
		}
	}
}

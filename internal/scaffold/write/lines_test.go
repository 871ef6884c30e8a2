package write

import "testing"

const trialTarget = `package p

import "testing"

// FuzzF checks that F
// is right.
func FuzzF(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		v, err := F(s)
		if err != nil {
			return
		}
		if again, err := F(v); err != nil {
			t.Fatalf("refused: %v", err)
		} else if again != v {
			t.Errorf("%q, %q", v, again)
		}
	})
}
`

func TestTheLinesOfTheFailingCheckAreNamed(t *testing.T) {
	for _, tt := range []struct {
		name, target string
		line         int
		want         string
	}{
		{"a check with an else branch", "FuzzF", 14, "lines 13 to 17"},
		{"the innermost check", "FuzzF", 16, "lines 15 to 17"},
		{"a panic", "FuzzF", 0, "FuzzF, lines 5 to 19"},
		{"a line without a condition", "FuzzF", 9, "FuzzF, lines 5 to 19"},
		{"a target that has been removed", "FuzzG", 14, "FuzzG"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := LinesOfCheck([]byte(trialTarget), tt.target, tt.line); got != tt.want {
				t.Errorf("LinesOfCheck(%s, %d) = %q, want %q", tt.target, tt.line, got, tt.want)
			}
		})
	}
	if got := LinesOfCheck([]byte("no Go"), "FuzzF", 1); got != "FuzzF" {
		t.Errorf("LinesOfCheck of a file that is not Go = %q, want FuzzF", got)
	}
}

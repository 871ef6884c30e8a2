package proof

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestWhatATestBinaryPrintsSaysHowTheSubtestEnded(t *testing.T) {
	exit := errors.New("exit status 2")
	const begin = "\x16=== RUN   FuzzX\n\x16=== RUN   FuzzX/abc\n"
	for _, tt := range []struct {
		name, output string
		err          error
		want         outcome
		why          string
	}{
		{"it passes", begin + "\x16--- PASS: FuzzX (0.00s)\n\x16    --- PASS: FuzzX/abc (0.00s)\nPASS\n", nil, passed, ""},
		{"it fails", begin + "\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/abc (0.00s)\n        x_test.go:9: wrong\nFAIL\n", exit, failed, ""},
		{"a subtest of it fails", begin + "\x16=== RUN   FuzzX/abc/sub\n\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/abc (0.00s)\n" +
			"\x16        --- FAIL: FuzzX/abc/sub (0.00s)\n", exit, failed, ""},
		{"it is skipped", begin + "\x16--- PASS: FuzzX (0.00s)\n\x16    --- SKIP: FuzzX/abc (0.00s)\n", nil, skipped, "it is skipped there"},
		{"the process dies", begin + "panic: oh\n\ngoroutine 1 [running]:\n", exit, failed, ""},
		{"the process ends with exit code 0", begin, nil, failed, ""},
		{"the target prints a line without an end", begin + "some text\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/abc (0.00s)\n", exit, failed, ""},
		{"it passes behind a long line without an end", begin + strings.Repeat("x", 2*lineKept) + "\x16--- PASS: FuzzX (0.00s)\n" +
			strings.Repeat("x", 2*lineKept) + "\x16    --- PASS: FuzzX/abc (0.00s)\nPASS\n", nil, passed, ""},
		{"it passes, and prints the byte of the mark", begin + "a\x16b\x16    --- PASS: FuzzX/abc (0.00s)\nPASS\n", nil, passed, ""},
		{"the target prints what looks like a verdict", begin + "--- PASS: FuzzX/abc (0.00s)\npanic: oh\n", exit, failed, ""},
		{"the target is skipped", "\x16=== RUN   FuzzX\n\x16--- SKIP: FuzzX (0.00s)\n    x_test.go:3: only with -fuzz\nPASS\n", nil, notRun, "FuzzX calls Skip there"},
		{"the file is not found", "\x16=== RUN   FuzzX\n\x16--- PASS: FuzzX (0.00s)\nPASS\n", nil, notRun, "another folder"},
		{"nothing matches", "testing: warning: no tests to run\nPASS\n", nil, notRun, "ends before"},
		{"TestMain fails", "connecting\nno database\n", exit, notRun, "(exit status 2): no database"},
		{"TestMain fails after a message that has marks", "\x0f    x_test.go:3: no database\x0e\n", exit, notRun, "(exit status 2): x_test.go:3: no database"},
		{"it fails with messages that have marks", begin + "\x0f    x_test.go:9: wrong\x0e\n\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/abc (0.00s)\n", exit, failed, ""},
		{"TestMain panics", "panic: no database\n\ngoroutine 1 [running]:\n", exit, notRun, "(exit status 2): panic: no database"},
		{"the start takes too long", "", errNotBegun, notRun, "does not get to the input within 2m0s"},
		{"the subtest takes too long", begin, errUnfinished, unfinished, ""},
		{"a line is endless", begin + strings.Repeat("x", 1<<20) + "\n\x16    --- FAIL: FuzzX/abc (0.00s)\n", exit, failed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := &output{target: "FuzzX", now: time.Now}
			if _, err := io.Copy(out, iotest.HalfReader(strings.NewReader(tt.output))); err != nil {
				t.Fatal(err)
			}
			r := test{target: "FuzzX", start: 2 * time.Minute}.resultOf(out, tt.err, false)
			if r.outcome != tt.want || !strings.Contains(r.why, tt.why) || (r.why == "") != (tt.why == "") {
				t.Errorf("resultOf = %v %q, want %v %q", r.outcome, r.why, tt.want, tt.why)
			}
		})
	}
}

func TestOnlyTheEndOfTheOutputIsKept(t *testing.T) {
	out := &output{target: "FuzzX", now: time.Now}
	for range 1000 {
		io.WriteString(out, strings.Repeat("y", 2*lineKept)+"\n")
	}
	if n := len(out.rest()); n > linesKept*(lineKept+1) {
		t.Errorf("%d bytes are kept, want %d at most", n, linesKept*(lineKept+1))
	}
}

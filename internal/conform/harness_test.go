package conform

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestFullVersion(t *testing.T) {
	tests := []struct{ want, current, full string }{
		{"1.26.8", "go1.26.8", "1.26.8"},
		{"1.26", "go1.26.8", "1.26.8"},
		{"go1.26.8", "go1.26.8", "1.26.8"},
		{"1.25", "go1.26.8", "1.25.0"},
		{"1.25.3", "go1.26.8", "1.25.3"},
		{"1.2", "go1.26.8", "1.2.0"},
	}
	for _, tt := range tests {
		if got := fullVersion(tt.want, tt.current); got != tt.full {
			t.Errorf("fullVersion(%q, %q) = %q, want %q", tt.want, tt.current, got, tt.full)
		}
	}
}

func TestTableShowsWhatDidNotPass(t *testing.T) {
	var tb table
	tb.set("1.26", "b", result{"fail", "b.txt:3: no match", 2})
	tb.set("1.26", "a", result{"pass", "", 1.25})
	tb.set("1.25", "a", result{"skip", "[!race] skip", 0})
	tb.expect("1.25", "b")
	want := `script  1.26                            1.25
a       pass 1.2s                       skip
b       fail 2.0s                       -
sum     1 pass, 1 fail, 0 skip in 3s    0 pass, 0 fail, 1 skip in 0s
1.25 a: skip: [!race] skip
1.26 b: fail: b.txt:3: no match
`
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if got := tb.String(); squeeze(got) != squeeze(want) {
		t.Errorf("table:\n%s\nwant:\n%s", got, want)
	}
}

func TestLastLine(t *testing.T) {
	log := "> [!fuzz] skip\n> go test\n[stdout]\nFAIL\nFAIL: /a/b/test_fuzz.txt:7: no match for `(?m)ok: x`\n"
	if got, want := lastLine(log, true), "test_fuzz.txt:7: no match for `(?m)ok: x`"; got != want {
		t.Errorf("lastLine of a failure = %q, want %q", got, want)
	}
	if got, want := lastLine("> env A=b\n> [!race] skip\n", false), "[!race] skip"; got != want {
		t.Errorf("lastLine of a skip = %q, want %q", got, want)
	}
	if got := lastLine("", true); got != "" {
		t.Errorf("lastLine of nothing = %q", got)
	}
}

func TestFillCacheLeavesAUsedCacheAlone(t *testing.T) {
	warm, dst := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write := func(name, data string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(warm, "a0", "a0ff-a"), "action")
	write(filepath.Join(warm, "ff", "ffaa-d"), "output")
	write(filepath.Join(warm, "fuzz", "x", "1"), "corpus")
	if err := fillCache(dst, warm); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a0/a0ff-a": true, "ff/ffaa-d": true, "fuzz": false, "00": true} {
		if _, err := os.Stat(filepath.Join(dst, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s in the filled cache: %v, want there %v", name, err, want)
		}
	}
	write(filepath.Join(dst, "a0", "a0ff-a"), "other")
	if err := fillCache(dst, warm); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{filepath.Join(dst, "a0", "a0ff-a"): "other", filepath.Join(warm, "a0", "a0ff-a"): "action"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestWatchEndsWhatIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("watch has no effect on other systems than Linux")
	}
	work := t.TempDir()
	cmd := exec.Command("sleep", "60")
	cmd.Env = append(os.Environ(), "WORK="+work)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := watch(work, 50*time.Millisecond)
	if err := cmd.Wait(); err == nil {
		t.Error("the process was not ended")
	}
	if n := stop(); n != 0 {
		t.Errorf("%d processes left after the limit, want none", n)
	}
}

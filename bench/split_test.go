package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestTheGeneratedModuleBuilds(t *testing.T) {
	dir := t.TempDir()
	if err := generate(dir, "example.com/split"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", "./p0", "./p9")
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func TestReadSplit(t *testing.T) {
	lines := func(result string) string {
		var b strings.Builder
		fmt.Fprintln(&b, `{"event":"start","targets":200}`)
		for i := range splitPackages * splitTargets {
			name, seconds := "FuzzShallow", 1
			if i%deepEvery == 0 {
				name, seconds = "FuzzDeep", 9
			}
			fmt.Fprintf(&b, `{"event":"target","target":"%s%d","result":%q,"seconds":%d,"execs":10,"edges":3}`+"\n", name, i, result, seconds)
		}
		return b.String()
	}
	got, err := readSplit(lines("clean"))
	if want := (splitSide{Edges: 600, DeepShare: 0.5, Execs: 2000}); err != nil || got != want {
		t.Errorf("readSplit = %+v, %v, want %+v", got, err, want)
	}
	for name, out := range map[string]string{
		"a target is missing": strings.TrimSuffix(lines("clean"), "}\n") + "\n", "a bug": lines("bug"), "nothing": "",
	} {
		if got, err := readSplit(out); err == nil {
			t.Errorf("%s: readSplit = %+v, want an error", name, got)
		}
	}
}

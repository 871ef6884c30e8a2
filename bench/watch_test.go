package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPretendFuzzer is a fuzzer when another test runs it.
func TestPretendFuzzer(*testing.T) {
	script := os.Getenv("BENCH_PRETEND")
	for word := range strings.FieldsSeq(script) {
		switch word {
		case "progress":
			fmt.Println("fuzz: elapsed: 3s, execs: 123 (41/sec), new interesting: 1 (total: 5)")
		case "solve":
			_ = os.WriteFile("solved", nil, 0o666)
		case "sleep":
			time.Sleep(time.Minute)
		case "late":
			fmt.Print("--- FAIL: FuzzTarget (10.04s)\n    context deadline exceeded\nFAIL\n")
			os.Exit(1)
		case "fail":
			fmt.Println("alas")
			os.Exit(1)
		}
	}
	if script != "" {
		os.Exit(0)
	}
}

func TestWatch(t *testing.T) {
	tests := []struct {
		name, script string
		limit        time.Duration
		execs        int64
		solved       bool
		problem      string
	}{
		{"a fuzzer that ends by itself", "progress", 0, 123, false, ""},
		{"one that ends without a word", "", 0, 0, false, "no executions"},
		{"one that fails", "progress fail", 0, 123, false, "alas"},
		{"one whose end comes too late for it", "progress late", 0, 123, false, ""},
		{"one that says so and has run nothing", "late", 0, 0, false, "context deadline"},
		{"one that runs until the limit", "progress sleep", time.Second / 2, 123, false, ""},
		{"one that is stopped when it has solved", "progress solve sleep", 0, 123, true, ""},
		{"one that solves before it says anything", "solve sleep", time.Minute, 0, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestPretendFuzzer$")
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "BENCH_PRETEND=begin "+tt.script)
			r, err := watch(cmd, parseStatus, tt.limit, filepath.Join(cmd.Dir, "solved"))
			if (err != nil) != (tt.problem != "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
				t.Fatalf("watch: %v, want %q", err, tt.problem)
			}
			if r.Execs != tt.execs || (r.Solved > 0) != tt.solved {
				t.Errorf("watch = %+v, want %d executions, solved %v", r, tt.execs, tt.solved)
			}
		})
	}
}

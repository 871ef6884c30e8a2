//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// newProcess returns a process of the target and how it fails with an input.
func newProcess(t *testing.T, text string) (*Process, *finding.Finding) {
	t.Helper()
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	first, err := p.Execute(t.Context(), args(text))
	if err != nil || first == nil {
		t.Fatalf("it fails as %+v, %v", first, err)
	}
	return p, first
}

func TestOtherInputsHaveToFitAndToFail(t *testing.T) {
	for _, tt := range []struct {
		name  string
		other input.Args
	}{
		{"a larger one", args("long and longer than that")},
		{"one of another target", input.Args{{Kind: input.Bytes, Data: []byte("long")}}},
		{"one that passes", args("short")},
		{"one that fails in another way", args("exit")},
	} {
		p, first := newProcess(t, "long and longer")
		ctx, cancel := context.WithCancel(t.Context())
		best, _, err := p.Minimize(ctx, first, Search{Execs: 1, Others: []input.Args{tt.other}})
		cancel()
		if err != nil || best.Input.Equal(tt.other) {
			t.Errorf("%s: the search begins with it and ends with %q (%v)", tt.name, best.Input.Values(), err)
		}
	}
}

func TestTheEndOfTheTimeIsNoErrorOfASearch(t *testing.T) {
	p, first := newProcess(t, "long and longer")
	if best, _, err := p.Minimize(t.Context(), first, Search{Time: 1}); err != nil || !best.Input.Equal(first.Input) {
		t.Errorf("after a nanosecond it is %q (%v)", best.Input.Values(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if best, _, err := p.Minimize(ctx, first, Search{}); err != nil || !best.Input.Equal(first.Input) {
		t.Errorf("after an interrupt it is %q (%v)", best.Input.Values(), err)
	}
}

func TestASearchWithoutAProcessIsAnError(t *testing.T) {
	p, first := newProcess(t, "long and longer")
	p.End()
	p.Config.Path = filepath.Join(t.TempDir(), "none")
	if best, _, err := p.Minimize(t.Context(), first, Search{}); !errors.Is(err, os.ErrNotExist) || !best.Input.Equal(first.Input) {
		t.Errorf("it becomes %q (%v)", best.Input.Values(), err)
	}
}

func TestTheBytesThatMatterOfAnInput(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		in   string
		want []finding.Matter
	}{
		{"of a failure", t.Context(), "longer", []finding.Matter{{Bytes: [][2]int{{0, 4}}}}},
		{"of the end of a process", t.Context(), "exit", []finding.Matter{{Bytes: [][2]int{{0, 4}}}}},
		{"are unknown after an interrupt", ended, "longer", nil},
	} {
		p, f := newProcess(t, tt.in)
		if got := p.Matter(tt.ctx, f); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q has %v, want %v", tt.name, tt.in, got, tt.want)
		}
	}
}

package coverage

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// inputsOf makes inputs of texts.
func inputsOf(texts ...string) (list []input.Args) {
	for _, s := range texts {
		list = append(list, text(s))
	}
	return list
}

// lines returns the lines on which blocks begin. The blocks 0 to 3 of a fakeProcess begin on lines 1, 2, 101 and 102.
func lines(list []Block) (all []int) {
	for _, b := range list {
		all = append(all, b.Start.Line)
	}
	slices.Sort(all)
	return all
}

func TestLiveReturnsTheBlocksThatAreReachedForTheFirstTime(t *testing.T) {
	var l Live
	always := func() bool { return true }
	for i, step := range []struct {
		inputs []string
		want   []int // lines
	}{
		{[]string{"", "1"}, []int{1, 2, 102}}, // 1 and 102 are around inputs
		{[]string{"1"}, nil},
		{[]string{"2x", "1"}, []int{101}}, // the first one ends its process
		{[]string{"12k"}, nil},
		{nil, nil},
	} {
		p := &fakeProcess{}
		done, added, err := l.Execute(t.Context(), p, inputsOf(step.inputs...), always)
		if err != nil || done != len(step.inputs) || !slices.Equal(lines(added), step.want) || p.running {
			t.Errorf("step %d: %d inputs were executed and reach lines %v first (%v); want %v", i, done, lines(added), err, step.want)
		}
	}
	if len(l.Blocks()) != 4 {
		t.Errorf("there are %d blocks", len(l.Blocks()))
	}
}

func TestLiveStopsWhenMoreReturnsFalse(t *testing.T) {
	var l Live
	asked := 0
	p := &fakeProcess{}
	done, _, err := l.Execute(t.Context(), p, inputsOf("1", "2", "3"), func() bool { asked++; return asked < 3 })
	if err != nil || done != 2 || fmt.Sprint(p.executed) != "[1 2]" {
		t.Errorf("%d inputs were executed, %q (%v)", done, p.executed, err)
	}
}

func TestLiveReturnsAnError(t *testing.T) {
	var l Live
	broken := errors.New("broken")
	done, added, err := l.Execute(t.Context(), &fakeProcess{fail: broken}, inputsOf("2", "e", "1"), func() bool { return true })
	if !errors.Is(err, broken) || done != 1 || !slices.Equal(lines(added), []int{101}) {
		t.Errorf("%d inputs were executed and reach lines %v first (%v)", done, lines(added), err)
	}
}

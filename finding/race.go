package finding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DataRace is a report of the race detector.
type DataRace struct {
	Message string    // what the two do, and in which functions
	Sides   [2][]Call // frames of the user's code of both, from the access to where their goroutines were started
	Text    string    // the report
}

const (
	raceHead = "WARNING: DATA RACE"
	raceEnd  = "=================="
)

// RaceIn reads the first report of the race detector in what a process has printed. Which of the two came first is chance,
// so the sides are in the order of their functions. ok is false if there is none.
func RaceIn(output string) (r DataRace, ok bool) {
	_, text, ok := strings.Cut(output, raceHead)
	if !ok {
		return r, false
	}
	text, _, _ = strings.Cut(text, raceEnd)
	r.Text = raceHead + strings.TrimRight(text, "\n") + "\n"
	type side struct {
		verb, goroutine string
		calls           []Call
	}
	var sides []*side
	for section := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.Trim(section, "\n"), "\n")
		head := strings.TrimSpace(lines[0])
		if verb, goroutine, ok := access(head); ok {
			sides = append(sides, &side{verb, goroutine, stack(append(lines[1:], ""))})
			continue
		}
		for _, s := range sides { // "Goroutine 9 (running) created at:"
			if strings.HasPrefix(head, "Goroutine ") && strings.Fields(head)[1] == s.goroutine {
				s.calls = append(s.calls, stack(append(lines[1:], ""))...)
			}
		}
	}
	if len(sides) < 2 {
		return r, false
	}
	sides = sides[:2]
	slices.SortStableFunc(sides, func(a, b *side) int { return strings.Compare(topOf(a.calls), topOf(b.calls)) })
	r.Sides = [2][]Call{sides[0].calls, sides[1].calls}
	r.Message = fmt.Sprintf("data race: %s in %s, %s in %s", sides[0].verb, nameOf(sides[0].calls), sides[1].verb, nameOf(sides[1].calls))
	return r, true
}

// access reads a line such as "Previous write at 0x00c0000a by goroutine 8:".
func access(head string) (verb, goroutine string, ok bool) {
	what, who, ok := strings.Cut(strings.TrimSuffix(head, ":"), " by ")
	what, _, at := strings.Cut(what, " at 0x")
	if !ok || !at {
		return "", "", false
	}
	return strings.ToLower(strings.TrimPrefix(what, "Previous ")), strings.TrimPrefix(who, "goroutine "), true
}

// topOf is a text that distinguishes stacks by their tops.
func topOf(calls []Call) string {
	if len(calls) == 0 {
		return ""
	}
	return calls[0].Func + ":" + strconv.Itoa(calls[0].Line)
}

// nameOf is the name of the function on top, without the folder of its package.
func nameOf(calls []Call) string {
	if len(calls) == 0 {
		return "code that is not yours"
	}
	name := calls[0].Func
	head, _, _ := strings.Cut(name, "[") // type arguments have slashes too
	return name[strings.LastIndexByte(head, '/')+1:]
}

// Place is the place of a race: that of its first side.
func (r DataRace) Place() string {
	for _, side := range r.Sides {
		if len(side) > 0 {
			return side[0].Func + " " + side[0].File[strings.LastIndexAny(side[0].File, `/\`)+1:] + ":" + strconv.Itoa(side[0].Line)
		}
	}
	return ""
}

// Tops are the two frames that distinguish races.
func (r DataRace) Tops() (tops []Call) {
	for _, side := range r.Sides {
		tops = append(tops, side[:min(1, len(side))]...)
	}
	return tops
}

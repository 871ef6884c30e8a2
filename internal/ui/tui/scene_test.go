package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// names returns the names of targets in the order of the list.
func (sc *scene) names() (list []string) {
	for _, t := range sc.sorted(sc.at.sort, sc.at.reverse) {
		list = append(list, strings.TrimPrefix(sc.nameOf(t), "./"))
	}
	return list
}

func TestTheTargetsAreSortedByEachColumn(t *testing.T) {
	for _, tt := range []struct {
		column string
		first  string
	}{
		{"target", "expr FuzzEval"},
		{"state", "expr FuzzEval"}, // which is fuzzed
		{"execs/s", "rle FuzzDecode"},
		{"edges", "rle FuzzDecode"},
		{"entries", "rle FuzzDecode"},
		{"bugs", "expr FuzzEval"},
		{"share", "expr FuzzEval"},
	} {
		sc := recordCampaign().play(80, 24)
		for columns[sc.at.sort].title != tt.column {
			sc.keys("s")
		}
		list := sc.names()
		if len(list) != len(targets) || list[0] != tt.first {
			t.Errorf("by %s the targets are %q, want %s first", tt.column, list, tt.first)
		}
		sc.keys("r")
		reverse := sc.names()
		if slices.Reverse(reverse); !slices.Equal(reverse, list) {
			t.Errorf("by %s the other order is %q", tt.column, reverse)
		}
	}
}

func TestTheSelectedTargetStaysSelectedWhenTheOrderChanges(t *testing.T) {
	sc := recordCampaign().play(80, 24)
	sc.keys("down", "down", "s", "s", "r")
	if sc.at.target != targets[2].Target() || !strings.Contains(sc.frame(), "\n>./query FuzzDecode") {
		t.Errorf("the frame is\n%s", sc.frame())
	}
}

func TestKeysMoveBetweenPages(t *testing.T) {
	for _, tt := range []struct {
		keys string
		want page
	}{
		{"", pageTargets},
		{"enter", pageTarget},
		{"enter esc", pageTargets},
		{"q", pageTargets},
		{"2", pageFindings},
		{"2 enter", pageFinding},
		{"2 enter q", pageFindings},
		{"2 enter q q", pageTargets},
		{"tab tab", pageLog},
		{"tab tab tab", pageTargets},
		{"shift+tab", pageLog},
		{"enter tab", pageFindings},
		{"enter ?", pageHelp},
		{"enter ? ?", pageTarget},
		{"3 ? esc", pageLog},
		{"x", pageTargets},
	} {
		sc := recordCampaign().play(80, 24)
		sc.keys(strings.Fields(tt.keys)...)
		if sc.at.page != tt.want {
			t.Errorf("after %q the page is %d, want %d", tt.keys, sc.at.page, tt.want)
		}
		checkSize(t, sc)
	}
}

func TestAFilterSelectsLines(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys string
		page page
		want []string // of the lines of the list
	}{
		{"a text in any case", "/ D e C", pageTargets, []string{"query FuzzDecode", "rle FuzzDecode", "tlv FuzzDecode"}},
		{"a state", "/ a s i d e", pageTargets, []string{"rle FuzzDecode"}},
		{"a text with a space", "/ r l e space F enter", pageTargets, []string{"rle FuzzDecode"}},
		{"without its last character", "/ t l v x backspace enter", pageTargets, []string{"tlv FuzzDecode"}},
		{"nothing", "/ z z z enter", pageTargets, nil},
		{"a page for which there is no target", "/ z z z enter enter", pageTargets, nil},
		{"a page for one target", "/ t l v enter enter", pageTarget, []string{"tlv FuzzDecode"}},
		{"keys that are characters", "/ q s 2", pageTargets, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sc := recordCampaign().play(80, 24)
			sc.keys(strings.Fields(tt.keys)...)
			var got []string
			for _, one := range sc.listed() {
				got = append(got, strings.TrimPrefix(sc.nameOf(one), "./"))
			}
			if !slices.Equal(got, tt.want) || sc.at.page != tt.page {
				t.Errorf("the list on page %d is %q, want %q", sc.at.page, got, tt.want)
			}
			checkSize(t, sc)
			if sc.keys("esc", "esc"); sc.at.page != pageTargets || len(sc.listed()) != len(targets) {
				t.Errorf("esc does not remove the filter: %d targets are listed", len(sc.listed()))
			}
		})
	}
}

func TestEachListHasItsFilter(t *testing.T) {
	sc := recordCampaign().play(80, 24)
	sc.log = []string{"one line", "\x1b[1manother\x1b[m line"}
	sc.keys("3", "/", "1", "m", "enter", "2", "/", "i", "n", "i", "enter")
	if log := sc.listedLog(); len(log) != 0 { // an escape code is no text
		t.Errorf("the log has the lines %q", log)
	}
	if list := sc.listedFindings(); len(list) != 1 || list[0].Record.Target != "FuzzRoundTrip" || len(sc.listed()) != len(targets) {
		t.Errorf("the findings are %+v, and %d targets are listed", list, len(sc.listed()))
	}
}

func TestTheMouse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		keys   string
		clicks [][2]int // columns and lines
		page   page
		target string
	}{
		{"selects a target", "", [][2]int{{20, 7}}, pageTargets, "FuzzDecode"},
		{"opens it at the second click", "", [][2]int{{20, 7}, {20, 7}}, pageTarget, "FuzzDecode"},
		{"opens a page", "", [][2]int{{13, tabLine}}, pageFindings, ""},
		{"opens the last page", "", [][2]int{{25, tabLine}}, pageLog, ""},
		{"opens a finding", "2", [][2]int{{20, 6}, {20, 6}}, pageFinding, ""},
		{"does nothing between the pages", "", [][2]int{{50, tabLine}, {11, 0}}, pageTargets, ""},
		{"does nothing below the list", "", [][2]int{{20, 20}, {20, 23}}, pageTargets, ""},
		{"ends the input of a filter", "/ D", [][2]int{{13, tabLine}}, pageFindings, ""},
		{"does nothing on a page of a target", "enter", [][2]int{{20, 7}}, pageTarget, "FuzzEval"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sc := recordCampaign().play(80, 24)
			sc.keys(strings.Fields(tt.keys)...)
			for _, at := range tt.clicks {
				controls{sc}.click(at[0], at[1])
			}
			if sc.at.page != tt.page || sc.at.target.Func != tt.target || sc.at.typing {
				t.Errorf("the page is %d and the target %q, want %d and %q; a filter has input: %v", sc.at.page, sc.at.target.Func, tt.page, tt.target, sc.at.typing)
			}
		})
	}
}

func TestTheWheel(t *testing.T) {
	sc := recordCampaign().play(80, 24)
	sc.log = make([]string, 100)
	controls{sc}.wheel(1)
	if sc.at.target != targets[1].Target() {
		t.Errorf("the selected target is %v", sc.at.target)
	}
	sc.keys("3")
	controls{sc}.wheel(-1)
	if sc.at.up != scrollLines {
		t.Errorf("the log is %d lines up", sc.at.up)
	}
	sc.keys("1", "enter")
	controls{sc}.wheel(1)
	if sc.at.target != targets[1].Target() {
		t.Errorf("on the page of a target, the wheel selects %v", sc.at.target)
	}
}

func TestKeysAskForActions(t *testing.T) {
	for _, tt := range []struct {
		before string
		key    string
		want   action
	}{
		{"", "ctrl+c", interrupt},
		{"?", "ctrl+c", interrupt},
		{"", "ctrl+z", suspend},
		{"/", "ctrl+c", interrupt},
		{"/ a", "ctrl+z", suspend},
		{"2", "c", copyCommand},
		{"2 enter", "c", copyCommand},
		{"", "c", nothing},
		{"", "q", nothing},
	} {
		sc := recordCampaign().play(80, 24)
		sc.keys(strings.Fields(tt.before)...)
		if got := (controls{sc}).key(tt.key); got != tt.want {
			t.Errorf("after %q the key %s asks for %d, want %d", tt.before, tt.key, got, tt.want)
		}
	}
}

func TestAFrameFitsEachSize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {81, 25}, {100, 30}, {120, 40}, {300, 100}} {
		for name, play := range frames {
			t.Run(fmt.Sprintf("%s %d", name, size[0]), func(t *testing.T) { checkSize(t, play(size[0], size[1])) })
		}
	}
	for _, size := range [][2]int{{79, 24}, {80, 23}, {60, 15}, {20, 5}, {1, 1}, {0, 0}} {
		sc := recordCampaign().play(size[0], size[1])
		lines := sc.view()
		if len(lines) > max(1, size[1]) || slices.ContainsFunc(lines, func(line string) bool { return ansi.StringWidth(line) > max(1, size[0]) }) {
			t.Errorf("in %v the frame is %q", size, lines)
		}
		if all := strings.Join(lines, " "); size[0]*size[1] > 90 && !strings.HasSuffix(all, "^C ends the campaign.") {
			t.Errorf("in %v the frame does not say how to end the campaign: %q", size, lines)
		}
		for _, key := range []string{"down", "pgdown", "enter", "2", "enter", "3", "up", "?", "end"} {
			controls{sc}.key(key)
		}
	}
}

// hostile are texts of targets that contain control characters or are long.
var hostile = []string{
	"\x1b[2J\x1b]52;c;ZXZpbA==\x07", "a\r\nb\tc\x00", "\u202ertl\u200b\u009b31m", "\xff\xfe", strings.Repeat("界", 500), strings.Repeat("e\u0301\u0301\u0301", 1000),
	strings.Repeat("x", 1<<20), "👨‍👩‍👧‍👦 🇩🇪", "",
}

func TestTextOfTargetsHasNoEffectOnTheTerminal(t *testing.T) {
	for _, text := range hostile {
		name := event.Subject{Package: text, Folder: text, Func: text}
		r := &recording{}
		r.at(0, event.Plan{Targets: []event.Subject{name}}, event.Start{Module: text, Targets: 1, Workers: 1})
		r.at(1, event.Progress{Subject: name, Run: event.Run{Workers: 1, Execs: 9, Edges: 3}}, event.Entry{Subject: name, Path: text, Edges: 1})
		found := record("0123456789abcdef", name, text, false)
		found.Short, found.Rerun = text, text
		r.at(2, found, event.Notice{What: event.Warning, Subject: name, Text: text}, event.Notice{What: event.Aside, Subject: name, Text: text})
		sc := r.play(80, 24)
		sc.module, sc.builds = text, text
		sc.at.literals = map[string]string{text: text}
		for _, key := range []string{"up", "enter", "2", "enter", "?", "3"} {
			sc.keys(key)
			sc.at.remark = text
			checkSize(t, sc)
		}
	}
}

func TestStatementsAreShownIfTheyAreCounted(t *testing.T) {
	r := recordCampaign()
	r.at(80, event.Status{Seconds: 60, Reached: event.Reached{Covered: 12, Statements: 345}})
	if got := r.play(120, 40).frame(); !strings.Contains(got, "1602 edges  12 of 345 statements  1 finding") {
		t.Errorf("the frame is\n%s", got)
	}
}

func TestTheHeadSaysWhatTheCampaignDoes(t *testing.T) {
	r := recordCampaign()
	r.at(80, event.Turn{Subject: targets[0], Slots: []int{0}, Over: true}, event.Turn{Subject: targets[1], Slots: []int{1}, Over: true})
	r.at(80, event.Notice{What: event.Paused, Text: "the campaign is paused"})
	sc := r.play(80, 24)
	sc.Advance(begin.Add(time.Hour))
	if got := sc.frame(); !strings.Contains(got, " paused 1m0s, 1m0s left \n") || strings.Contains(got, "fuzzing") || !strings.Contains(got, "begun  0/s") {
		t.Errorf("in a pause of an hour the frame is\n%s", got)
	}
	r.at(3600, event.Notice{What: event.Resumed}, event.Status{Seconds: 60, Last: true})
	if got := r.play(80, 24).frame(); !strings.Contains(got, " ended 1m0s, 0s left ") {
		t.Errorf("at the end the frame is\n%s", got)
	}
}

func TestATargetKeepsItsResult(t *testing.T) {
	r := recordCampaign()
	r.at(80, event.TargetEnd{Subject: targets[0], Result: event.Fails, Reason: "go test fails", Execs: 9, Seconds: 3})
	sc := r.play(80, 24)
	if got := sc.frame(); !strings.Contains(got, "./expr FuzzEval        fails ") {
		t.Errorf("the frame is\n%s", got)
	}
	if sc.keys("enter"); !strings.Contains(sc.frame(), "fails: go test fails ") {
		t.Errorf("the page is\n%s", sc.frame())
	}
}

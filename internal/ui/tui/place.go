package tui

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// page is one of the pages that the body of a frame shows.
type page int

const (
	pageTargets page = iota
	pageFindings
	pageLog
	pageTarget
	pageFinding
	pageHelp
)

// place is what the user looks at, and what was read from files for that.
type place struct {
	page     page
	before   page              // the page from which the user opened help
	target   fuzz.Name         // the selected target; the zero value selects the first one
	sort     int               // index of a column
	reverse  bool              // reverse the order
	finding  string            // ID of the selected finding; empty selects the first one
	scroll   int               // lines of the page of a finding above the screen
	up       int               // lines of the log below the screen
	filters  [3]string         // of the lists, by their tabs; see listed
	typing   bool              // the user types the filter of the current list
	mouse    bool              // the terminal reports the mouse
	remark   string            // shown in place of the keys until the user presses a key
	blockOf  string            // ID of the finding in block
	block    []string          // the text of a finding, in lines
	literals map[string]string // the arguments of entries as Go expressions, by the paths of their files
}

// tab returns the page whose tab is highlighted.
func (p *place) tab() page {
	at := p.page
	if at == pageHelp {
		at = p.before
	}
	switch at {
	case pageTarget:
		return pageTargets
	case pageFinding:
		return pageFindings
	}
	return at
}

// action is what a key asks for, other than a change of place.
type action int

const (
	nothing action = iota
	interrupt
	suspend
	copyCommand
)

// controls changes what the user looks at, by keys and by the mouse.
type controls struct{ *scene }

// key handles a key: it changes the place, or returns an action.
func (sc controls) key(name string) action {
	sc.at.remark = ""
	if sc.at.typing {
		return sc.edit(name)
	}
	switch name {
	case "ctrl+c":
		return interrupt
	case "ctrl+z":
		return suspend
	case "?", "h", "f1":
		if sc.at.page == pageHelp {
			sc.leave()
		} else {
			sc.at.before = sc.at.page
			sc.at.turn(pageHelp)
		}
	case "1":
		sc.at.turn(pageTargets)
	case "2":
		sc.at.turn(pageFindings)
	case "3":
		sc.at.turn(pageLog)
	case "tab":
		sc.at.turn((sc.at.tab() + 1) % 3)
	case "shift+tab":
		sc.at.turn((sc.at.tab() + 2) % 3)
	case "esc", "backspace", "left", "q":
		sc.leave()
	case "enter", "right":
		sc.enter()
	case "c":
		if sc.at.page == pageFinding || sc.at.page == pageFindings {
			return copyCommand
		}
	case "s", "S", "r":
		sc.resort(name)
	case "/":
		sc.at.typing = sc.at.canFilter()
	case "m":
		sc.at.mouse = !sc.at.mouse
		sc.at.remark = "the mouse selects lines; m returns it to the terminal"
		if !sc.at.mouse {
			sc.at.remark = "the mouse belongs to the terminal"
		}
	default:
		if by, ok := sc.steps()[name]; ok {
			sc.move(by)
		}
	}
	return nothing
}

// targetCursor returns the index of the selected target in a list.
func (sc *scene) targetCursor(list []*board.TargetState) int {
	return max(0, slices.Index(list, sc.Find(sc.at.target)))
}

// turn opens a page at its beginning.
func (p *place) turn(to page) { p.page, p.scroll, p.up = to, 0, 0 }

// leave removes the filter of a list, or returns to the page from which the user came.
func (sc controls) leave() {
	if sc.at.canFilter() && *sc.at.filter() != "" {
		*sc.at.filter() = ""
		return
	}
	switch sc.at.page {
	case pageHelp:
		sc.at.turn(sc.at.before)
	case pageTarget, pageFinding, pageFindings, pageLog:
		if tab := sc.at.tab(); tab != sc.at.page {
			sc.at.turn(tab)
		} else {
			sc.at.turn(pageTargets)
		}
	default:
		sc.at.remark = "^C ends the campaign"
	}
}

// enter opens the selected target or finding.
func (sc controls) enter() {
	switch sc.at.page {
	case pageTargets:
		if list := sc.listed(); len(list) > 0 {
			sc.at.target = list[sc.targetCursor(list)].Subject.Target()
			sc.at.turn(pageTarget)
		}
	case pageFindings:
		if e, ok := sc.selected(); ok {
			sc.at.finding, sc.at.blockOf = e.ID, "" // another finding with this ID may have replaced the one in block
			sc.at.turn(pageFinding)
		}
	}
}

// resort sorts the targets by the next or the previous column, or reverses the order.
func (sc controls) resort(key string) {
	if sc.at.page != pageTargets {
		return
	}
	switch key {
	case "s":
		sc.at.sort = (sc.at.sort + 1) % len(columns)
	case "S":
		sc.at.sort = (sc.at.sort + len(columns) - 1) % len(columns)
	case "r":
		sc.at.reverse = !sc.at.reverse
	}
}

// steps returns by how many lines each key moves down.
func (sc controls) steps() map[string]int {
	const all = 1 << 30
	return map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1,
		"pgup": -(sc.body() - 2), "pgdown": sc.body() - 2, "space": sc.body() - 2,
		"home": -all, "g": -all, "end": all, "G": all,
	}
}

// move selects another line of a list, or scrolls a text.
func (sc controls) move(by int) {
	switch sc.at.page {
	case pageTargets, pageTarget: // on its own page too, where it shows another target
		list := sc.listed()
		if len(list) > 0 {
			sc.at.target = list[within(sc.targetCursor(list)+by, len(list))].Subject.Target()
		}
	case pageFindings:
		list := sc.listedFindings()
		if len(list) > 0 {
			sc.at.finding = list[within(sc.cursor(list)+by, len(list))].ID
		}
	case pageFinding:
		sc.at.scroll = within(sc.at.scroll+by, sc.deepest()+1)
	case pageLog:
		sc.at.up = within(sc.at.up-by, max(0, len(sc.listedLog())-sc.body())+1)
	}
}

// within returns the number from 0 to n-1 that is nearest to i.
func within(i, n int) int { return max(0, min(i, n-1)) }

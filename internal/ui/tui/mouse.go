package tui

// scrollLines is the number of lines by which one step of the wheel scrolls a text.
const scrollLines = 3

// wheel handles a step of the wheel of the mouse; by is -1 or 1.
func (sc controls) wheel(by int) {
	switch sc.at.page {
	case pageTargets, pageFindings:
		sc.move(by)
	case pageFinding, pageLog:
		sc.move(scrollLines * by)
	}
}

// tabLine is the line of a frame with the names of the pages, counted from 0.
const tabLine = 2

// click handles a click on a cell of the terminal: it opens a page, selects a line of a list, or opens the selected line. It ends the input of
// a filter.
func (sc controls) click(x, y int) {
	sc.at.typing = false
	if y == tabLine {
		for i, end := range tabEnds() {
			if x < end {
				sc.at.turn([]page{pageTargets, pageFindings, pageLog}[i])
				return
			}
		}
	}
	row := y - headLines - 1 // without the titles of the columns
	if row < 0 || row >= sc.body()-1 {
		return
	}
	switch sc.at.page {
	case pageTargets:
		list := sc.listed()
		cursor := sc.targetCursor(list)
		switch i := first(cursor, sc.body()-1, len(list)) + row; {
		case i == cursor:
			sc.enter()
		case i < len(list):
			sc.at.target = list[i].Subject.Target()
		}
	case pageFindings:
		list := sc.listedFindings()
		cursor := sc.cursor(list)
		switch i := first(cursor, sc.body()-1, len(list)) + row; {
		case i == cursor:
			sc.enter()
		case i < len(list):
			sc.at.finding = list[i].ID
		}
	}
}

package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// redraw is the time between two frames if the user presses no key.
const redraw = 500 * time.Millisecond

// model connects the campaign with Bubble Tea: it turns keys and ticks into frames. Bubble Tea calls its methods on one goroutine.
type model struct {
	ui            *UI
	at            place
	width, height int
	styles        styles
}

// tick is the message to draw another frame.
type tick struct{}

// blockRead is the message that has the text of a finding, with lines of its sources.
type blockRead struct {
	id    string
	lines []string
}

// entriesRead is the message that has the arguments of entries, by the paths of their files.
type entriesRead map[string]string

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, next()) }

func next() tea.Cmd { return tea.Tick(redraw, func(time.Time) tea.Msg { return tick{} }) }

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.styles = newStyles(msg.IsDark())
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.scene(func(sc *scene) { controls{sc}.click(msg.X, msg.Y) })
			return m, m.missing()
		}
	case tea.MouseWheelMsg:
		if by, ok := wheelSteps[msg.Button]; ok {
			m.scene(func(sc *scene) { controls{sc}.wheel(by) })
		}
	case tick:
		return m, tea.Batch(next(), m.missing())
	case blockRead:
		m.at.blockOf, m.at.block = msg.id, msg.lines
	case entriesRead:
		m.at.literals = msg
	}
	return m, nil
}

// wheelSteps has the number of lines by which each direction of the wheel moves down.
var wheelSteps = map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}

// View implements [tea.Model].
func (m *model) View() tea.View {
	var lines []string
	m.scene(func(sc *scene) { lines = sc.view() })
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.DisableBracketedPasteMode = true
	if m.at.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// scene calls f with the scene of the next frame. The state does not change while f runs.
func (m *model) scene(f func(*scene)) {
	m.ui.mu.Lock()
	defer m.ui.mu.Unlock()
	s := m.ui.state
	if s.Started && !s.Last {
		s.Advance(time.Now())
	}
	sc := &scene{state: s, at: &m.at, width: m.width, height: m.height, styles: m.styles}
	for _, b := range s.Builds {
		if line := text.Building(b, m.ui.o.Text.Dir, m.ui.o.Text.Module); sc.builds == "" {
			sc.builds = line
		}
	}
	if m.at.page == pageLog {
		sc.log = m.ui.journal.texts()
	}
	f(sc)
}

// key handles a key.
func (m *model) key(name string) tea.Cmd {
	var do action
	var chosen event.Finding
	m.scene(func(sc *scene) {
		do = controls{sc}.key(name)
		chosen, _ = sc.selected()
	})
	switch {
	case do == interrupt:
		m.ui.o.Interrupt()
	case do == suspend:
		return tea.Suspend
	case do == copyCommand && chosen.Rerun != "":
		if report.Escape(chosen.Rerun) != chosen.Rerun || strings.Contains(chosen.Rerun, "\n") {
			m.at.remark = "the command has control characters, so gnaw does not copy it"
			return nil
		}
		m.at.remark = "copied: " + chosen.Rerun
		return tea.SetClipboard(chosen.Rerun)
	}
	return m.missing()
}

// missing returns a command that reads the files that the page needs and that were not read yet. It returns nil if there are none.
func (m *model) missing() (cmd tea.Cmd) {
	m.scene(func(sc *scene) {
		switch sc.at.page {
		case pageFinding:
			if e, ok := sc.selected(); ok && e.ID != sc.at.blockOf {
				cmd = m.readFinding(e)
			}
		case pageTarget:
			if t := sc.Find(sc.at.target); t != nil {
				cmd = readEntries(t.Entries, sc.at.literals)
			}
		}
	})
	return cmd
}

// readFinding returns a command that reads the sources of a finding.
func (m *model) readFinding(e event.Finding) tea.Cmd {
	o := m.ui.o.Text
	return func() tea.Msg {
		block := report.Escape(spaced(text.Block(e, o)))
		return blockRead{e.ID, strings.Split(strings.TrimRight(block, "\n"), "\n")}
	}
}

// maxEntry is the size in bytes of the largest entry whose arguments the page shows.
const maxEntry = 64 << 10

// readEntries returns a command that reads the arguments of entries, except those that before has. It returns nil if before has all of them.
func readEntries(entries []board.Entry, before map[string]string) tea.Cmd {
	literals, files := entriesRead{}, []string(nil)
	for _, e := range entries {
		literal, ok := before[e.Path]
		switch {
		case ok:
			literals[e.Path] = literal
		case e.Path != "" && e.Size <= maxEntry:
			files = append(files, e.Path)
		}
	}
	if files == nil {
		return nil
	}
	return func() tea.Msg {
		for _, file := range files {
			content, err := disk.Read(file, maxEntry)
			if err != nil {
				literals[file] = "its file cannot be read" // another process may have removed it
				continue
			}
			literals[file] = strings.Join(report.Literals(string(content)), ", ")
		}
		return literals
	}
}

package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// bookInterval is the time between two records of what the campaign knows: as much as a kill may lose of it. What was found
// is on disk at once.
const bookInterval = 2 * time.Second

// state is what is kept of a target for the case that the campaign is killed.
type state struct {
	campaign.Past
	Told   map[string]string `json:"told"`   // findings by ID, with what each makes of the target
	Seeded bool              `json:"seeded"` // all its seeds were executed
}

// sameArgs are the arguments by which a campaign is recognized: all but the flags that change the output only.
func sameArgs(args []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return strings.HasPrefix(a, "-") && slices.Contains([]string{"json", "v", "fresh"}, name)
	}), " ")
}

// resume goes on with the campaign that was killed, if there is one.
func (c *console) resume(ctx context.Context) {
	k, list := c.history.begin(ctx, c.flags, c.builder.Site.Name())
	if k.ID == 0 {
		return
	}
	c.spent = k.Spent
	var execs uint64
	for _, p := range list {
		var s state
		if err := json.Unmarshal([]byte(p.State), &s); err != nil {
			continue // it begins anew
		}
		for _, m := range c.members {
			if m.target.Package == p.Package && m.target.Name == p.Target {
				m.code, m.past = p.Code, s
				execs += s.Execs
			}
		}
	}
	text := fmt.Sprintf("resumes the campaign of %s, which was killed after %v and %s execs",
		k.Start.Local().Format(time.DateTime), k.Spent.Round(time.Second), amount(float64(execs)))
	if c.flags.time > 0 {
		text += fmt.Sprintf(", for the %v that are left", (c.flags.time - k.Spent).Round(time.Second))
	}
	c.say(&noticeLine{Text: text, what: "resume", shown: text + "\n"})
}

// Past returns what the campaign knew about the target when it was killed, if its code is still the same.
func (m *member) Past() campaign.Past {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.past.Past
}

// recognize compares the code of the target with what it was when the campaign was killed. If it is the same, what was found counts
// on.
func (m *member) recognize(code string) {
	m.mu.Lock()
	before, told := m.code, m.past.Told
	m.code = code
	if before != "" && before != code {
		m.past = state{}
		m.mu.Unlock()
		m.console.notice(m, "resume", m.console.name(m.target)+" has changed since and begins anew", "the code has changed since, so the target begins anew")
		return
	}
	m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(told)) {
		what := m.console.retell(m, id, resultOf(told[id]))
		m.mu.Lock()
		m.told[id] = what
		m.mu.Unlock()
	}
}

// retell tells a finding that the campaign had told before it was killed, and what it makes of the target now: the list of known
// findings may be another one.
func (c *console) retell(m *member, id string, was result) result {
	c.telling.Lock()
	defer c.telling.Unlock()
	if r, ok := c.history.find(c.ctx, id); ok {
		return c.tell(c.ctx, r)
	}
	if e, ok := c.known.Match(id, time.Now()); ok && !e.Expired(time.Now()) {
		return familiar
	}
	text := fmt.Sprintf("the finding %s of before counts on; the history does not have it any more", finding.Short(id, nil))
	c.notice(m, "resume", c.name(m.target)+": "+text, text)
	c.counted(id, was)
	return was
}

// resultOf is the result with that name.
func resultOf(name string) result {
	for r := clean; r <= unreached; r++ {
		if r.String() == name {
			return r
		}
	}
	return clean
}

// digestOf returns what tells one test binary from another; empty if it cannot be read, which fuzzing will tell.
func digestOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}

// booked notes what is known about the target after a turn.
func (m *member) booked(p campaign.Past) {
	s := m.snapshot()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest, m.changed = state{Past: p, Seeded: m.past.Seeded || seeded(s)}, true
}

// book records what has changed since the last time.
func (c *console) book() {
	var list []store.Progress
	for _, m := range c.members {
		m.mu.Lock()
		if m.changed {
			m.changed = false
			m.latest.Told = map[string]string{}
			for id, what := range m.told {
				m.latest.Told[id] = what.String()
			}
			text, err := json.Marshal(m.latest)
			if err == nil { // these types can always be written
				list = append(list, store.Progress{Package: m.target.Package, Target: m.target.Name, Code: m.code, State: string(text)})
			}
		}
		m.mu.Unlock()
	}
	if spent := c.elapsed(); spent > 0 {
		c.history.book(spent, list)
	}
}

package web

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// peer is another process that runs a campaign of the history of a site.
func peer(t *testing.T, s *site, path string) (live *Live, close func()) {
	t.Helper()
	c := newCampaign()
	c.now.Number = s.running(t)
	live = NewLive("./...", "", s.cache, c.snapshot)
	o := s.Options
	o.Live, o.Socket = live, nil
	other := New(o)
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	other.ServeSocket(l)
	return live, func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
}

// running records a campaign whose process lives, and returns its number.
func (s *site) running(t *testing.T) int64 {
	t.Helper()
	db, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	id, err := db.Begin(t.Context(), store.Campaign{Module: module, Start: time.Now(), Run: "alive", Root: s.root, Cache: s.cache})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestACampaignOfAnotherProcessIsShown(t *testing.T) {
	for _, tt := range []struct{ name, folder string }{{"a short path", "s"}, {"a long path", strings.Repeat("long", 30)}} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.folder) > maxSocket && runtime.GOOS != "linux" {
				t.Skip("only Linux has a short name for each path")
			}
			base, err := os.MkdirTemp("", "")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(base)
			if err := os.Mkdir(filepath.Join(base, tt.folder), 0o777); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(base, tt.folder, "ui", "socket")
			s := newSite(t, func(o *Options) { o.Socket = func(string) string { return path } })
			live, closePeer := peer(t, s, path)
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the socket is %v (%v)", info, err)
			}
			if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the folder of the socket is %v (%v)", info, err)
			}
			if list := at(t, s.object(t, "/api/campaigns"), "campaigns").([]any); at(t, list[0], "state") != "running" || at(t, list[1], "state") != "ended" {
				t.Errorf("the campaigns are %v", list)
			}
			if got := at(t, s.object(t, "/api/campaigns/2"), "totals", "execs"); got != 1000.0 {
				t.Errorf("the campaign of the other process has executed %v inputs", got)
			}
			answer, err := s.client.Get(s.base + "/api/campaigns/2")
			if err != nil || len(answer.Header["Content-Security-Policy"]) != 1 {
				t.Errorf("the headers are %v (%v)", answer.Header, err)
			}
			_ = answer.Body.Close()
			s.followPeer(t, live)
			closePeer()
			if got := at(t, s.object(t, "/api/campaigns/2"), "totals"); got != nil {
				t.Errorf("when the process is gone, the totals are %v, want those of the history", got)
			}
		})
	}
}

// followPeer reads the events of a campaign of another process until its end.
func (s *site) followPeer(t *testing.T, live *Live) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/api/campaigns/2/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	reader := bufio.NewReader(answer.Body)
	next(t, reader, "state")
	live.Event(event.Stamped{At: time.Now(), Event: event.End{}})
	next(t, reader, "end")
}

func TestThePathOfASocketCanBeTooLong(t *testing.T) {
	if runtime.GOOS == "linux" {
		t.Skip("Linux has a short name for each path")
	}
	if l, err := ListenSocket(filepath.Join(t.TempDir(), strings.Repeat("long", 30), "socket")); err == nil {
		_ = l.Close()
		t.Error("it listens on a path that is too long")
	}
}

func TestASocketIsNotMadeTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ui", "socket")
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if other, err := ListenSocket(path); err == nil {
		_ = other.Close()
		t.Error("a second process listens on the socket")
	}
}

package web

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Sizes of the history of BenchmarkFirstPage: a day in which 16 workers give turns to 1,000 targets, which record a point every ten seconds
// while they are fuzzed.
const (
	manyTargets = 1000
	manyPoints  = 138 // of each target
)

// largeHistory writes a history with one campaign, and returns its file and the number of the campaign.
func largeHistory(tb testing.TB, targets, points int) (file string, number int64) {
	tb.Helper()
	file = filepath.Join(tb.TempDir(), store.FileName)
	s, err := store.Open(tb.Context(), file)
	if err != nil {
		tb.Fatal(err)
	}
	number, err = s.Begin(tb.Context(), store.Campaign{Module: module, Packages: "./...", Start: someTime})
	if err = errors.Join(err, s.SaveTotals(tb.Context(), number, store.Totals{Targets: targets}), s.End(tb.Context(), number, someTime.Add(24*time.Hour)), s.Close()); err != nil {
		tb.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file)) // with one transaction for all points
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		tb.Fatal(err)
	}
	step := 24 * time.Hour / time.Duration(points)
	for i := range targets {
		if _, err := tx.Exec("INSERT INTO targets VALUES (?, ?, ?, ?, 0, 0)", i+1, module, fmt.Sprintf("%s/p%d", module, i/10), fmt.Sprintf("Fuzz%d", i)); err != nil {
			tb.Fatal(err)
		}
		if _, err := tx.Exec("INSERT INTO progress VALUES (?, ?, '', ?)", number, i+1, `{"turns":9,"time":9000000000,"worker":9000000000,"samples":[{"w":1000000000,"e":5}]}`); err != nil {
			tb.Fatal(err)
		}
		for n := range points {
			at := someTime.Add(time.Duration(n) * step).UnixMilli()
			if _, err := tx.Exec("INSERT INTO coverage VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)", number, i+1, at, n*1000, n+i, n, n); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
	return file, number
}

// request sends requests to a new server.
func request(tb testing.TB, file string, paths ...string) {
	tb.Helper()
	s := New(Options{Module: project.Module{Path: module}, Describe: describeRecord, Open: openFile(file)})
	defer func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	}()
	h := s.pages(s.api(nil))
	for _, path := range paths {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			tb.Fatalf("%s answers %d %s", path, w.Code, w.Body)
		}
	}
}

// BenchmarkFirstPage measures the time in which a server that has just started answers all requests of the first page, and those with the new
// edges over time, which the page sends when it is drawn.
func BenchmarkFirstPage(b *testing.B) {
	file, number := largeHistory(b, manyTargets, manyPoints)
	first := []string{"/", "/api/info", "/api/campaigns", fmt.Sprintf("/api/campaigns/%d", number)}
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			request(b, file, first...)
		}
	})
	b.Run("lines", func(b *testing.B) {
		for b.Loop() {
			request(b, file, fmt.Sprintf("/api/campaigns/%d/sparks", number))
		}
	})
}

func TestAPageOfManyTargetsHasAllOfThem(t *testing.T) {
	const targets = 200
	file, number := largeHistory(t, targets, 70)
	s := newSite(t, func(o *Options) { o.Open = openFile(file) })
	s.sparks.mu.Lock()
	s.sparks.limit = time.Hour // the machine may be busy
	s.sparks.mu.Unlock()
	rows := at(t, s.object(t, fmt.Sprintf("/api/campaigns/%d", number)), "targets").([]any)
	if len(rows) != targets {
		t.Fatalf("there are %d targets, want %d", len(rows), targets)
	}
	s.sparks.mu.Lock()
	if len(s.sparks.kept) != 0 {
		t.Error("the page has read the lines, which takes longer than all the rest of it")
	}
	s.sparks.mu.Unlock()
	lines := at(t, s.object(t, fmt.Sprintf("/api/campaigns/%d/sparks", number)), "sparks")
	for _, row := range rows {
		if spark := at(t, lines, at(t, row, "key")).([]any); len(spark) > sparkPoints || len(spark) < sparkPoints/2 {
			t.Fatalf("a line has %d points, want at most %d", len(spark), sparkPoints)
		}
	}
}

// The points of a large campaign may take longer to read than a page waits. The pages that follow do not wait again.
func TestAHistoryThatIsTooSlowIsAskedAgainLater(t *testing.T) {
	s := newSite(t, nil)
	s.sparks.mu.Lock()
	s.sparks.limit = 1
	s.sparks.mu.Unlock()
	if lines := at(t, s.object(t, "/api/campaigns/1/sparks"), "sparks").(map[string]any); len(lines) != 0 {
		t.Errorf("the lines are %v, want none", lines)
	}
	s.sparks.mu.Lock()
	defer s.sparks.mu.Unlock()
	if one, ok := s.sparks.kept[s.number]; !ok || time.Until(one.next) <= 0 {
		t.Error("the next page asks the history again")
	}
}

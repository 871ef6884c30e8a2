package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Entry is an entry of a corpus, with the edges and buckets that were new when it was found.
type Entry struct {
	Target  fuzz.Name
	File    string // base name of its file
	At      time.Time
	Size    int // bytes of its file
	Buckets int // new hit-count buckets
	Edges   int // new edges

	Technique string // the technique that made the entry, as in event.Entry; empty: unknown
}

// AddEntries records entries that a campaign has found. It does not change an entry that is already recorded.
func (s *Store) AddEntries(ctx context.Context, campaign int64, module string, list []Entry) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		for _, e := range list {
			target, err := targetID(ctx, tx, module, e.Target, e.At)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				target, e.File, campaign, e.At.UnixMilli(), e.Size, e.Buckets, e.Edges, e.Technique)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return s.fail("record entries", err)
	}
	return nil
}

// Entries returns the recorded entries of a target, the newest first. Their files may be gone.
func (r Reader) Entries(ctx context.Context, module string, target fuzz.Name) (list []Entry, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		e := Entry{Target: target}
		var at int64
		err := rows.Scan(&e.File, &at, &e.Size, &e.Buckets, &e.Edges, &e.Technique)
		e.At = time.UnixMilli(at)
		list = append(list, e)
		return err
	}, `SELECT entries.name, at, size, buckets, edges, technique FROM entries JOIN targets ON targets.id = target
		WHERE module = ? AND package = ? AND targets.name = ? ORDER BY at DESC, entries.name`, module, target.Package, target.Func)
	if err != nil {
		return nil, r.s.fail("read entries", err)
	}
	return list, nil
}

// Technique is the number of entries and new edges that a technique found in a target.
type Technique struct {
	Name    string
	Entries int
	Edges   int // new ones
}

// Techniques returns the entries and new edges that each technique found in a target of a campaign. The one with the most entries is the first.
func (r Reader) Techniques(ctx context.Context, campaign int64, target fuzz.Name) (list []Technique, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		var one Technique
		err := rows.Scan(&one.Name, &one.Entries, &one.Edges)
		list = append(list, one)
		return err
	}, `SELECT technique, count(*), sum(edges) FROM entries JOIN targets ON targets.id = target
		WHERE campaign = ? AND package = ? AND targets.name = ? AND technique <> '' GROUP BY technique ORDER BY 2 DESC, 1`, campaign, target.Package, target.Func)
	if err != nil {
		return nil, r.s.fail("read entries", err)
	}
	return list, nil
}

// Sources are the statements that the entries of a target reach.
type Sources struct {
	Target fuzz.Name
	At     time.Time // when the campaign began, or gnaw cover recorded them; only Reader.Sources sets it
	Data   []byte    // as package coverage writes it
}

// SaveSources records which statements the entries of a target reach. campaign is 0 for gnaw cover.
func (s *Store) SaveSources(ctx context.Context, campaign int64, module string, one Sources) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		target, err := targetID(ctx, tx, module, one.Target, now)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", campaign, target, now.UnixMilli(), one.Data)
		}
		return err
	})
	if err != nil {
		return s.fail("save which statements entries reach", err)
	}
	return nil
}

// Sources returns which statements the entries of the targets of a module reach, as a campaign recorded them; campaign is 0 for gnaw cover.
func (r Reader) Sources(ctx context.Context, campaign int64, module string) (list []Sources, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		var one Sources
		var at int64
		err := rows.Scan(&one.Target.Package, &one.Target.Func, &at, &one.Data)
		one.At = time.UnixMilli(at)
		list = append(list, one)
		return err
	}, `SELECT package, targets.name, coalesce(started, at), data FROM sources JOIN targets ON targets.id = target LEFT JOIN campaigns ON campaigns.id = campaign
		WHERE campaign = ? AND targets.module = ? ORDER BY package, targets.name`,
		campaign, module)
	if err != nil {
		return nil, r.s.fail("read which statements entries reach", err)
	}
	return list, nil
}

// frontiersKept is how many results of gnaw frontier the history keeps of a module, each in another state.
const frontiersKept = 8

// SaveFrontier records what gnaw frontier found in a module. state names the statements that the inputs reach.
func (s *Store) SaveFrontier(ctx context.Context, module, state string, data []byte) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO frontiers VALUES (?, ?, ?, ?)", module, state, time.Now().UnixMilli(), data); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM frontiers WHERE module = ?1 AND state NOT IN
			(SELECT state FROM frontiers WHERE module = ?1 ORDER BY at DESC LIMIT ?2)`, module, frontiersKept)
		return err
	})
	if err != nil {
		return s.fail("save the branches of gnaw frontier", err)
	}
	return nil
}

// Frontier returns what gnaw frontier found in a state of a module or, if it never ran there, what it found the last time; nil: it found nothing.
func (r Reader) Frontier(ctx context.Context, module, state string) (data []byte, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error { return rows.Scan(&data) },
		"SELECT data FROM frontiers WHERE module = ? ORDER BY state = ? DESC, at DESC LIMIT 1", module, state)
	if err != nil {
		return nil, r.s.fail("read the branches of gnaw frontier", err)
	}
	return data, nil
}

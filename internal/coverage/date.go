package coverage

import "time"

// DateEntries gives entries of the corpus the times at which campaigns found them. It returns the number of those that are not older than the
// time began and that no campaign found; they become older.
func DateEntries(entries []Entry, found map[string]time.Time, began time.Time) (copied int) {
	for i := range entries {
		e := &entries[i]
		at, ok := found[e.Name]
		switch {
		case e.Seed:
		case ok:
			e.Came = at
		case !e.Came.Before(began):
			e.Came = began.Add(-time.Nanosecond)
			copied++
		}
	}
	return copied
}

// Package known reads and writes .gnaw/known.toml, the list of findings that gnaw does not report. The file is in the root of the
// module and belongs into version control.
//
//	[[known]]
//	id = "3f9a1c2be07d"
//	reason = "waits for the new lexer, issue 12"
//	until = 2027-03-01
//	module = "example.com/dep"
//	version = "v1.2.0"
//
// An entry with a module holds for findings of this dependency only, and one with a version for this version only.
//
// A missing file is an empty list.
package known

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// File is the name of the list, relative to the root of the module, with slashes.
const File = ".gnaw/known.toml"

// minID is how many digits an ID in the list must have at least: it has to be right for years, not only for the findings of
// today.
const minID = 4

// maxKey is how many characters of a key a message shows.
const maxKey = 100

// idDigits is how many digits of an ID are written: enough never to meet another one.
const idDigits = 12

// Entry is one finding of the list.
type Entry struct {
	ID     string // the first digits of the ID, at least 4
	Reason string // why it is not fixed yet
	Until  time.Time
	What   string // what it is, for those who read the file; without effect

	Module  string // path of the dependency that the entry is for; empty: it is for all modules
	Version string // of the dependency; empty: any
}

// holds reports whether the entry is for findings of a version of a module.
func (e Entry) holds(module, version string) bool {
	return (e.Module == "" || e.Module == module) && (e.Version == "" || e.Version == version)
}

// Expired reports whether the finding is to be reported again. The day that the entry names is the last one on which it
// holds; without one it holds for ever.
func (e Entry) Expired(now time.Time) bool {
	return !e.Until.IsZero() && !now.Before(e.Until.AddDate(0, 0, 1))
}

// List is the content of the file.
type List struct{ Entries []Entry }

// Match returns the entry for the finding with this ID in a version of a module. The module is empty for a finding of the main module. Of
// several entries, one that has not expired wins.
func (l List) Match(id, module, version string, now time.Time) (match Entry, ok bool) {
	for _, e := range l.Entries {
		if e.holds(module, version) && strings.HasPrefix(id, strings.ToLower(e.ID)) && (!ok || match.Expired(now)) {
			match, ok = e, true
		}
	}
	return match, ok
}

// document is the file as package toml sees it.
type document struct {
	Known []struct {
		ID     string
		Reason string
		Until  any
		What   string

		Module, Version string
	}
}

// Load reads the list of the module in root. The error is one sentence with the name of the file.
func Load(root string) (List, error) {
	_, l, err := read(filepath.Join(root, filepath.FromSlash(File)))
	return l, err
}

// read returns the text of the file and what it says.
func read(path string) (string, List, error) {
	text, err := disk.Read(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return "", List{}, nil
	}
	if err != nil {
		return "", List{}, fmt.Errorf("%w; make it readable or remove it", disk.Explain("read the list of known findings", path, err))
	}
	l, err := parse(string(text))
	if err != nil {
		return "", List{}, fmt.Errorf("read the list of known findings %s: %w; `gnaw help known` shows what belongs there", path, err)
	}
	return string(text), l, nil
}

func parse(text string) (l List, err error) {
	if err := checkShape(text); err != nil {
		return l, err
	}
	var doc document
	meta, err := toml.Decode(text, &doc)
	var bad toml.ParseError
	if errors.As(err, &bad) {
		return l, fmt.Errorf("line %d: %s", bad.Position.Line, strings.TrimSuffix(bad.Message, "."))
	}
	if err != nil {
		return l, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return l, fmt.Errorf("there is no key %.*s", maxKey, keys[0])
	}
	for i, k := range doc.Known {
		e := Entry{ID: k.ID, Reason: k.Reason, What: k.What, Module: k.Module, Version: k.Version}
		if len(e.ID) < minID || strings.Trim(strings.ToLower(e.ID), "0123456789abcdef") != "" {
			return l, fmt.Errorf("entry %d: the id is %q, it must be at least %d hex digits", i+1, e.ID, minID)
		}
		if e.Reason == "" {
			return l, fmt.Errorf("entry %d (%s): there is no reason", i+1, e.ID)
		}
		if e.Version != "" && e.Module == "" {
			return l, fmt.Errorf("entry %d (%s): there is a version without a module", i+1, e.ID)
		}
		if e.Until, err = date(k.Until); err != nil {
			return l, fmt.Errorf("entry %d (%s): until must be a date such as 2027-03-01", i+1, e.ID)
		}
		l.Entries = append(l.Entries, e)
	}
	return l, nil
}

// date is a date of TOML, or one in quotes; nothing is the zero time.
func date(value any) (time.Time, error) {
	switch v := value.(type) {
	case nil:
		return time.Time{}, nil
	case time.Time:
		return ParseDate(v.Format(time.DateOnly)) // the day where the user is
	case string:
		return ParseDate(v)
	}
	return time.Time{}, errors.New("no date")
}

// ParseDate reads a day, as in "2027-03-01".
func ParseDate(s string) (time.Time, error) {
	day, err := time.ParseInLocation(time.DateOnly, s, time.Local)
	if err != nil {
		return time.Time{}, errors.New("want a date such as 2027-03-01")
	}
	return day, nil
}

// addWait is how long Add waits for another process that adds an entry.
const addWait = 5 * time.Second

// Add appends an entry to the list of the module in root and returns the path of the file. What is in the file stays as
// it is, comments too. The file is replaced by a longer one, so that a full disk or a crash leaves the old one.
func Add(root string, e Entry) (path string, err error) {
	path = filepath.Join(root, filepath.FromSlash(File))
	fail := func(err error) (string, error) {
		return path, fmt.Errorf("change the list of known findings: %w", err)
	}
	if err := disk.CheckLinks(filepath.Dir(path)); err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fail(fmt.Errorf("%w; make its folder writable", err))
	}
	unlock, err := disk.Lock(filepath.Dir(path), addWait)
	if err != nil {
		return fail(err)
	}
	defer unlock()
	old, _, err := read(path)
	if err != nil {
		return path, err // a new entry would not make it better
	}
	entry := e.text(old == "")
	if _, err := parse(old + entry); err != nil { // TOML has lists that cannot be appended to
		return path, fmt.Errorf("the list of known findings %s cannot be read with a [[known]] table at its end: %w; "+
			"write each entry as a [[known]] table and try again", path, err)
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fail(fmt.Errorf("%s is a link, in whose place a file would be; add the entry by hand to the file that it leads to", path))
	}
	if err := disk.Write(path, []byte(old+entry)); err != nil {
		return fail(err)
	}
	return path, nil
}

// text is the entry as it is appended to the file, or begins it.
func (e Entry) text(first bool) string {
	var b strings.Builder
	if first {
		b.WriteString("# Findings that gnaw does not report. `gnaw help known` explains this file.\n")
	}
	fmt.Fprintf(&b, "\n[[known]]\nid = %q\n", e.ID[:min(idDigits, len(e.ID))])
	fmt.Fprintf(&b, "reason = %s\n", quote(e.Reason))
	if !e.Until.IsZero() {
		fmt.Fprintf(&b, "until = %s\n", e.Until.Format(time.DateOnly))
	}
	if e.Module != "" {
		fmt.Fprintf(&b, "module = %s\n", quote(e.Module))
	}
	if e.Version != "" {
		fmt.Fprintf(&b, "version = %s\n", quote(e.Version))
	}
	if e.What != "" {
		fmt.Fprintf(&b, "what = %s\n", quote(e.What))
	}
	return b.String()
}

// quote writes a basic string of TOML, which has fewer escapes than Go.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

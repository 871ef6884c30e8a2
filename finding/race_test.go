package finding

import (
	"strings"
	"testing"
)

const raceReport = `==================
WARNING: DATA RACE
Write at 0x00c000094208 by goroutine 9:
  example.com/race.(*counter).add()
      /src/race/c.go:7 +0x5d
  example.com/race.parse.func1()
      /src/race/c.go:17 +0x37

Previous read at 0x00c000094208 by goroutine 8:
  example.com/race.(*counter).sum()
      /src/race/c.go:11 +0x15b
  example.com/race.parse()
      /src/race/c.go:20 +0x151
  testing.tRunner()
      /usr/local/go/src/testing/testing.go:2036 +0x21c

Goroutine 9 (running) created at:
  example.com/race.parse()
      /src/race/c.go:16 +0x150
  testing.tRunner()
      /usr/local/go/src/testing/testing.go:2036 +0x21c

Goroutine 8 (running) created at:
  testing.(*F).Fuzz.func1()
      /usr/local/go/src/testing/fuzz.go:328 +0xcb2
==================
`

func TestARaceHasTwoSides(t *testing.T) {
	r, ok := RaceIn("something else\n" + raceReport + "more\n" + raceReport)
	if !ok {
		t.Fatal("there is no race in it")
	}
	if want := "data race: write in race.(*counter).add, read in race.(*counter).sum"; r.Message != want {
		t.Errorf("the message is %q, want %q", r.Message, want)
	}
	if want := "example.com/race.(*counter).add c.go:7"; r.Place() != want {
		t.Errorf("the place is %q, want %q", r.Place(), want)
	}
	var got []string
	for _, side := range r.Sides {
		for _, c := range side {
			got = append(got, c.Func[strings.LastIndexByte(c.Func, '/')+1:])
		}
		got = append(got, "|")
	}
	if want := "race.(*counter).add race.parse.func1 race.parse | race.(*counter).sum race.parse |"; strings.Join(got, " ") != want {
		t.Errorf("the sides are %s, want %s", got, want)
	}
	if !strings.HasPrefix(r.Text, "WARNING: DATA RACE\n") || strings.Count(r.Text, "WARNING") != 1 || strings.Contains(r.Text, "===") {
		t.Errorf("the text is\n%s", r.Text)
	}
}

// Which side the detector sees second is chance.
func TestARaceIsTheSameFromBothSides(t *testing.T) {
	turned := strings.NewReplacer("Write at", "Read at", "Previous read", "Previous write", "add()", "sum()", "sum()", "add()",
		"c.go:7 ", "c.go:11 ", "c.go:11 ", "c.go:7 ").Replace(raceReport)
	a, _ := RaceIn(raceReport)
	b, ok := RaceIn(turned)
	if !ok || a.Message != b.Message || a.Place() != b.Place() {
		t.Errorf("%q at %s becomes %q at %s", a.Message, a.Place(), b.Message, b.Place())
	}
}

func TestWhatIsNoRace(t *testing.T) {
	for _, text := range []string{"", "panic: x", "WARNING: DATA RACE\n", "WARNING: DATA RACE\nWrite at 0x00c by goroutine 7:\n  m.f()\n      /f.go:1 +0x1\n"} {
		if r, ok := RaceIn(text); ok {
			t.Errorf("RaceIn(%q) = %+v", text, r)
		}
	}
}

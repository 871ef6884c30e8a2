package compare

import "testing"

func TestARecordIsNewOnce(t *testing.T) {
	const site, numberSite = 7, 8
	missing := func() { StrCmp("", "word", site) }
	there := func() { StrCmp("other", "word", site) }
	number := func() {
		if l := current; l != nil {
			l.text(Number, "1", "2", numberSite)
		}
	}
	l := new(Log)
	var s Seen
	for i, tt := range []struct {
		compared []func()
		want     int
	}{
		{[]func(){missing, missing}, 2},
		{[]func(){missing}, 0},
		{nil, 0},
		{[]func(){missing, there}, 1},
		{[]func(){there, number}, 0},
	} {
		record(l, func() {
			for _, f := range tt.compared {
				f()
			}
		})
		got := s.New(l)
		if len(got) != tt.want {
			t.Errorf("log %d: %d records are new, want %d", i, len(got), tt.want)
		}
		for _, r := range got {
			if r.Site != site || string(r.SB) != "word" {
				t.Errorf("log %d: the record is %+v", i, r)
			}
		}
	}
}

// Most logs have nothing new, and are many.
func TestLookingForNewRecordsDoesNotAllocate(t *testing.T) {
	l := new(Log)
	var s Seen
	record(l, func() { compareAll("some operand", "another one") })
	s.New(l)
	if n := testing.AllocsPerRun(100, func() { s.New(l) }); n != 0 {
		t.Errorf("New allocates %v times", n)
	}
}

package field

import "testing"

func FuzzCheck(f *testing.F) {
	f.Add([]byte("field"))
	f.Fuzz(func(t *testing.T, b []byte) { Check(b) })
}

func FuzzEscape(f *testing.F) {
	f.Add("a b")
	f.Fuzz(func(t *testing.T, s string) {
		if again := Unescape(Escape(s)); again != s {
			t.Errorf("%q comes back as %q", s, again) // bug 11
			return
		}
		if len(s) > 3 && s[0] == s[1] && s[2] == s[3] && s[0] != s[2] {
			t.Fatal("two pairs") // bug 12
		}
		Unclosed(s)
	})
}

func FuzzState(f *testing.F) {
	f.Add([]byte("ab"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		var s State
		for _, op := range ops {
			s.Step(op)
		}
		if s.Depth() == 5 {
			t.Fatalf("%d are left", s.Depth()) // bug 37
		}
		Lower(ops)
	})
}

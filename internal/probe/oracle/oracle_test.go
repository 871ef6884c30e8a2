package oracle

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

func TestExcessiveIsOutOfProportion(t *testing.T) {
	limit := Defaults().Of(Alloc)
	tests := []struct {
		name      string
		allocated uint64
		size      int
		want      bool
	}{
		{"much for nothing", 129 << 20, 0, true},
		{"the limit itself", 128 << 20, 0, false},
		{"much for a small input", 129 << 20, 1000, true},
		{"much for a large input", 129 << 20, 200_000, false},
		{"very much for a large input", 1 << 30, 200_000, true},
		{"little for nothing", 1 << 20, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := excessive(tt.allocated, limit, tt.size); got != tt.want {
				t.Errorf("excessive(%d, %d) = %v, want %v", tt.allocated, tt.size, got, tt.want)
			}
		})
	}
}

func TestConstantsAreInTheOrderOfTheTable(t *testing.T) {
	for name, want := range map[string]Set{"alloc": Alloc, "growth": Growth, "leak": Leak, "modify": Modify, "keep": Keep, "flaky": Flaky} {
		if one, o, ok := Named(name); !ok || one != want || o.Name != name {
			t.Errorf("Named(%q) = %v, %q, %v, want %v", name, one, o.Name, ok, want)
		}
	}
	if got := (Leak | Alloc).String(); got != "alloc,leak" {
		t.Errorf("two oracles are %q", got)
	}
}

func TestEveryRegistrationIsComplete(t *testing.T) {
	if n := len(All.Names()); n != count {
		t.Fatalf("All has %d oracles, the table %d", n, count)
	}
	for one, o := range All.Each() {
		if o.Name == "" || o.measure == nil && o.observe == nil {
			t.Errorf("oracle %d (%q) has no name or no measurement", one, o.Name)
		}
		if same, _, _ := Named(o.Name); same != one {
			t.Errorf("two oracles are called %q", o.Name)
		}
		if l := o.Limit; (l.Unit == NoUnit) != (l.Default == 0) || l.Fast > l.Default {
			t.Errorf("the limit of %s is %+v", o.Name, l)
		}
	}
}

func TestFastLimitsAreForAFirstMeasurement(t *testing.T) {
	l := Defaults()
	if got := l.Fast(Leak); got.On != Leak || got.Time(Leak) != 20*time.Millisecond || got.Of(Alloc) != l.Of(Alloc) {
		t.Errorf("Fast = %+v", got)
	}
	l.Set(Leak, uint64(time.Millisecond))
	if got := l.Fast(Leak).Time(Leak); got != time.Millisecond {
		t.Errorf("a limit that is lower becomes %v", got)
	}
}

func text(data string) input.Args {
	return input.Args{{Kind: input.Int, Bits: 7}, {Kind: input.String, Data: []byte(data)}}
}

func TestGrowRepeatsThePieceOnly(t *testing.T) {
	tests := []struct {
		name  string
		data  string
		piece Piece
		want  string
	}{
		{"in the middle", "abcd", Piece{Arg: 1, From: 1, To: 3}, "abcbcbcd"},
		{"the whole", "ab", Piece{Arg: 1, From: 0, To: 2}, "ababab"},
		{"a pair", "f(x)y", Piece{1, 1, 2, 3, 4}, "f(((x)))y"},
		{"a pair with a word", "f(x)y", Piece{1, 0, 2, 3, 4}, "f(f(f(x)))y"},
		{"a pair without anything between", "()", Piece{1, 0, 1, 1, 2}, "((()))"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := text(tt.data)
			if !tt.piece.Fits(a) {
				t.Fatalf("%+v does not fit %q", tt.piece, tt.data)
			}
			grown := tt.piece.Grow(a, 3)
			if got := string(grown[1].Data); got != tt.want {
				t.Errorf("Grow = %q, want %q", got, tt.want)
			}
			if n := len(tt.want) - len(tt.data); n != 2*tt.piece.Len() {
				t.Errorf("two more repetitions add %d bytes, Len is %d", n, tt.piece.Len())
			}
			if string(a[1].Data) != tt.data || grown[0].Bits != 7 {
				t.Error("Grow has changed something else")
			}
		})
	}
}

func TestFitsRefusesWhatIsNotThere(t *testing.T) {
	for name, p := range map[string]Piece{
		"nothing":               {Arg: 1},
		"no buffer":             {Arg: 0, From: 0, To: 1},
		"no such argument":      {Arg: 2, From: 0, To: 1},
		"before the start":      {Arg: 1, From: -1, To: 1},
		"behind the end":        {Arg: 1, From: 0, To: 5},
		"closes behind the end": {1, 0, 1, 3, 5},
		"closes before it ends": {1, 0, 3, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			if p.Fits(text("abcd")) {
				t.Errorf("%+v fits", p)
			}
		})
	}
}

func TestPiecesAreWhatRepeats(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"a bracket is nested", `{"a":[1]}`, `{"a":[[[1]]]}`},
		{"a bracket with its key is nested", `{"a":{"b":1}}`, `{"a":{"a":{"a":{"b":1}}}}`},
		{"a list grows", "a, b, c", "a, a, a, b, c"},
		{"a word grows", "xyz=1", "xyzxyzxyz=1"},
		{"a letter grows", "xyz=1", "xxxyz=1"},
		{"a line grows", "a=1\nb=2\n", "a=1\na=1\na=1\nb=2\n"},
		{"the whole grows", "xy=1", "xy=1xy=1xy=1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range Pieces(text(tt.data), 1000) {
				if !p.Fits(text(tt.data)) {
					t.Fatalf("%+v does not fit", p)
				}
				grown := string(p.Grow(text(tt.data), 3)[1].Data)
				if grown == tt.want {
					return
				}
				got = append(got, grown)
			}
			t.Errorf("no piece makes %q of it; there are %q", tt.want, got)
		})
	}
}

func TestPiecesAreDistinctAndFew(t *testing.T) {
	a := text("a,a,a,a,b,b,b,(a),(a),(a)")
	seen := map[string]bool{}
	for _, p := range Pieces(a, 1000)[1:] {
		data := a[p.Arg].Data
		part := string(data[p.From:p.To]) + "…" + string(data[p.CloseFrom:p.CloseTo])
		if seen[part] {
			t.Errorf("%q comes twice", part)
		}
		seen[part] = true
	}
	if n := len(Pieces(a, 5)); n != 5 {
		t.Errorf("%d pieces, want 5", n)
	}
	if n := len(Pieces(text(""), 5)); n != 0 {
		t.Errorf("%d pieces of nothing", n)
	}
}

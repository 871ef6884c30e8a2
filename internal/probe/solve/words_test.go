package solve

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

func TestAWordThatStandsTwiceIsReplacedAtOnce(t *testing.T) {
	tests := []struct {
		name     string
		in, want string
		made     bool
	}{
		{"the name of an element", "<a><leaf x=1>y</leaf></a>", "<a><node x=1>y</node></a>", true},
		{"a name in a text of the same letters", "leaf=leaflet+leaf", "node=leaflet+node", true},
		{"one occurrence makes no other edit", "leaf=leaflet", "node=nodelet", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := contents(suggested(table(texts("leaf", "node")), buffer(tt.in)))
			if slices.Contains(got, tt.want) != tt.made {
				t.Errorf("Edits(%q) = %q; has %q: %v, want %v", tt.in, got, tt.want, !tt.made, tt.made)
			}
		})
	}
}

func TestAMapMayHoldWordsOfTheInput(t *testing.T) {
	for _, tt := range []struct {
		name      string
		seen, key string
		in, want  string
	}{
		{"the input is looked up among words of the program", "name", "Host", "name: x", "Host: x"},
		{"a word of the program is looked up among those of the input", "port", "name", "name=x", "port=x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := compare.Record{Op: compare.Map, SA: []byte(tt.seen), SB: []byte(tt.key)}
			if got := contents(suggested(table(r), buffer(tt.in))); !slices.Contains(got, tt.want) {
				t.Errorf("Edits(%q) = %q, want %q among them", tt.in, got, tt.want)
			}
		})
	}
}

// labelled compares the number in the first line with the CRC of the rest.
func labelled(base int) func(a input.Args) []compare.Record {
	return func(a input.Args) []compare.Record {
		i := slices.Index(a[0].Data, '\n')
		n, _ := strconv.ParseUint(string(a[0].Data[:i]), base, 32)
		return []compare.Record{{Site: 9, Op: compare.Int, Width: 4, A: n, B: uint64(crc32.ChecksumIEEE(a[0].Data[i+1:]))}}
	}
}

func TestAChecksumInTextIsACandidate(t *testing.T) {
	body := "some text"
	sum := crc32.ChecksumIEEE([]byte(body))
	for _, tt := range []struct {
		name, label, repaired string
		base                  int
	}{
		{"in hexadecimal", fmt.Sprintf("%08x", sum), fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte("some texu"))), 16},
		{"in decimal", fmt.Sprint(sum), fmt.Sprint(crc32.ChecksumIEEE([]byte("some texu"))), 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			compared, a := labelled(tt.base), buffer(tt.label+"\n"+body)
			tb := table(compared(a)...)
			list := tb.Candidates(compared(a), a)
			if len(list) != 1 || list[0].At != 0 || list[0].Len != len(tt.label) {
				t.Fatalf("the candidates are %+v", list)
			}
			a[0].Data[len(a[0].Data)-1]++
			if !tb.sums.Confirm(list[0], compared(a)) {
				t.Fatal("the candidate was not confirmed")
			}
			if !tb.sums.Repair(compared(a), a, 99) || string(a[0].Data) != tt.repaired+"\nsome texu" {
				t.Errorf("repaired is %q", a[0].Data)
			}
		})
	}
	if a := buffer(hex.EncodeToString([]byte("ab")) + "\n"); len(table().Candidates(labelled(16)(a), a)) > 0 {
		t.Error("a number that is not what it is compared with is a candidate")
	}
}

func TestOtherKeysBecomeMembers(t *testing.T) {
	r := compare.Record{Op: compare.Map, SA: []byte("Name"), SB: []byte("Level")}
	for _, tt := range []struct {
		name, in, want string
		off            technique.Set
		made           bool
	}{
		{"before the one that is there", `{"Name" : "x"}`, `{"Level":1,"Name" : "x"}`, 0, true},
		{"with a value of another type", `{"a":2,"Name":{}}`, `{"a":2,"Level":"1","Name":{}}`, 0, true},
		{"not without the technique", `{"Name":"x"}`, `{"Level":1,"Name":"x"}`, technique.JSON, false},
		{"not if there is one", `{"Level":7,"Name":"x"}`, `{"Level":7,"Level":1,"Name":"x"}`, 0, false},
		{"not before a value", `["Name"]`, `["Level":1,"Name"]`, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tb rig
			tb.Without = tt.off
			tb.Fill([]compare.Record{r})
			if got := contents(suggested(&tb, buffer(tt.in))); slices.Contains(got, tt.want) != tt.made {
				t.Errorf("Edits(%q) = %q; has %q: %v, want %v", tt.in, got, tt.want, !tt.made, tt.made)
			}
		})
	}
}

func TestOtherTagsBecomeRecords(t *testing.T) {
	const in = "headers.\x00\x00\x00\x01IDATx1234\x00\x00\x00\x00IEND5678"
	const want = "headers.\x00\x00\x00\x01tRNSx1234\x00\x00\x00\x01IDATx1234\x00\x00\x00\x00IEND5678"
	for _, off := range []technique.Set{0, technique.LengthFields} {
		var tb rig
		tb.Without = off
		tb.Fill([]compare.Record{texts("zzzz", "tRNS")})
		suggested(&tb, buffer("zzzz")) // another entry
		tb.Fill(nil)
		if got := contents(suggested(&tb, buffer(in))); slices.Contains(got, want) != (off == 0) {
			t.Errorf("without %b, Edits(%q) = %q; want %q: %v", off, in, got, want, off == 0)
		}
	}
}

func TestWhatIsCompressedIsEdited(t *testing.T) {
	var w bytes.Buffer
	z := gzip.NewWriter(&w)
	_, _ = z.Write([]byte("hello, hello, hello, world"))
	_ = z.Close()
	for _, off := range []technique.Set{0, technique.Checksums} {
		var tb rig
		tb.Without = off
		tb.Fill([]compare.Record{texts("world", "universe")})
		made := false
		for _, a := range suggested(&tb, buffer(w.String())) {
			r, err := gzip.NewReader(bytes.NewReader(a[0].Data))
			if err != nil {
				continue
			}
			text, err := io.ReadAll(r)
			made = made || err == nil && string(text) == "hello, hello, hello, universe"
		}
		if want := off == 0; made != want {
			t.Errorf("without %b, made: %v, want %v", off, made, want)
		}
	}
}

func TestEditsOfCompressedDataStayWithinLimits(t *testing.T) {
	var w bytes.Buffer
	z := gzip.NewWriter(&w)
	_, _ = z.Write([]byte("some text"))
	_ = z.Close()
	in := input.Args{{Kind: input.Bytes, Data: w.Bytes()}, {Kind: input.Bytes, Data: w.Bytes()}}
	records := []compare.Record{constant(8, uint64(len("some text")), 1<<20), {Site: 2, Op: compare.Str, SA: []byte("text"), SB: []byte("other")}}
	t.Run("what does not fit is left out, not cut", func(t *testing.T) {
		made := 0
		table(records...).Edits(in, func(e Edit) bool {
			made++
			if len(e.New) >= mutate.MaxStored {
				t.Errorf("an edit has %d bytes", len(e.New))
			}
			return true
		})
		if made == 0 {
			t.Error("there are no edits")
		}
	})
	t.Run("none comes behind the one that is enough", func(t *testing.T) {
		made := 0
		table(records...).Edits(in, func(Edit) bool {
			made++
			return false
		})
		if made != 1 {
			t.Errorf("%d edits are listed, want one", made)
		}
	})
}

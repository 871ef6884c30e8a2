package coverage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// metaOf makes the meta-data of a package p in m/p with functions that have so many blocks each, of one statement.
func metaOf(functions ...int) []byte {
	texts := []string{"p", "m/p", "m", "m/p/p.go"}
	for i := range functions {
		texts = append(texts, fmt.Sprintf("F%d", i))
	}
	table := binary.AppendUvarint(nil, uint64(len(texts)))
	for _, s := range texts {
		table = append(binary.AppendUvarint(table, uint64(len(s))), s...)
	}
	var bodies [][]byte
	for i, n := range functions {
		b := binary.AppendUvarint(nil, uint64(n))
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(4+i)), 3)
		for j := range n {
			for _, v := range []int{100*i + j + 1, 1, 100*i + j + 1, 300, 1} {
				b = binary.AppendUvarint(b, uint64(v))
			}
		}
		bodies = append(bodies, b)
	}
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, metaHead{Name: 0, Path: 1, Module: 2, Files: 1, Functions: uint32(len(functions))})
	at := out.Len() + 4*len(functions) + len(table)
	for _, b := range bodies {
		_ = binary.Write(&out, binary.LittleEndian, uint32(at))
		at += len(b)
	}
	out.Write(table)
	for _, b := range bodies {
		out.Write(b)
	}
	return out.Bytes()
}

// fakeProcess is a target of one string. It reaches block 0 before its inputs, block 3 after them, and the blocks whose digits are in an
// input. It ends with "x", and is killed with "k". It wants to do what follows "!" outside of itself, which is refused unless it is allowed.
type fakeProcess struct {
	seeds    []string
	running  bool
	record   []uint32
	executed []string
	starts   int
	fail     error // of Execute, at the input "e"
	allowed  []string
	refused  string
}

func (p *fakeProcess) Start(context.Context) error {
	if !p.running {
		p.running = true
		p.starts++
		p.reach("0")
	}
	return nil
}

func (p *fakeProcess) Running() bool { return p.running }

func (p *fakeProcess) Hello() wire.Hello {
	h := wire.Hello{Kinds: []input.Kind{input.String}, Binary: cover.Digest{1}, Packages: []blocks.Package{{ID: 1, Meta: metaOf(2, 2)}}}
	for _, s := range p.seeds {
		h.Seeds = append(h.Seeds, input.Append(nil, text(s)))
	}
	return h
}

func (p *fakeProcess) Execute(_ context.Context, a input.Args) (*finding.Finding, error) {
	s := string(a[0].Data)
	p.executed = append(p.executed, s)
	if _, p.refused, _ = strings.Cut(s, "!"); slices.Contains(p.allowed, p.refused) {
		p.refused = ""
	}
	p.reach(s)
	switch {
	case s == "e" && p.fail != nil:
		p.running, p.record = false, nil
		return nil, p.fail
	case strings.Contains(s, "k"):
		p.running, p.record = false, nil
		return &finding.Finding{Kind: finding.Hang}, nil
	case strings.Contains(s, "x"):
		p.running = false
		return &finding.Finding{Kind: finding.Exit}, nil
	}
	return nil, nil
}

func (p *fakeProcess) ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error) {
	if _, action, acts := strings.Cut(string(a[0].Data), "!"); acts {
		actions = [][]byte{[]byte(action)}
		p.Allow(actions)
	}
	f, err = p.Execute(ctx, a)
	return f, actions, err
}

func (p *fakeProcess) Allow(actions [][]byte) {
	for _, a := range actions {
		p.allowed = append(p.allowed, string(a))
	}
}

func (p *fakeProcess) Refused() string { return p.refused }

func (p *fakeProcess) Record() []uint32 { return p.record }

func (p *fakeProcess) End() {
	if p.running {
		p.running = false
		p.reach("3")
	}
}

// reach writes a record: functions 0 and 1 have two blocks each.
func (p *fakeProcess) reach(s string) {
	p.record = []uint32{1}
	for f := range 2 {
		counters := []uint32{0, 0}
		for b := range counters {
			counters[b] = uint32(strings.Count(s, fmt.Sprint(2*f+b)))
		}
		p.record = append(p.record, 2, 1, uint32(f), counters[0], counters[1])
	}
	p.record[0] = uint32(len(p.record))
}

func text(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }

// fakeStore keeps one value.
type fakeStore struct {
	data  []byte
	saves int
}

func (s *fakeStore) Replays(context.Context, string, fuzz.Name) ([]byte, error) {
	return s.data, nil
}

func (s *fakeStore) SaveReplays(_ context.Context, _ string, _ fuzz.Name, data []byte) error {
	s.data, s.saves = data, s.saves+1
	return nil
}

func replayOf(t *testing.T, p *fakeProcess, s Store, corpus ...string) (*Replayed, error) {
	t.Helper()
	dir := t.TempDir()
	target := Task{Name: fuzz.Name{Package: "m/p", Func: "FuzzX"}, Folders: FoldersOf(dir, filepath.Join(dir, "cache"), "FuzzX")}
	saveInputs(t, target.Folders.Corpus, corpus)
	return Replay(t.Context(), p, target, s, nil)
}

func indexes(s Set) []int { return slices.Collect(s.All()) }

func TestEachInputHasItsBlocks(t *testing.T) {
	p := &fakeProcess{seeds: []string{"1", "12"}}
	got, err := replayOf(t, p, nil, "2x", "1k", "1", "")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range got.Entries {
		list = append(list, fmt.Sprintf("%s seed=%v %v %s lost=%v", e.Args[0].Data, e.Seed, indexes(e.Blocks), e.Failed, e.Lost))
	}
	slices.Sort(list)
	want := []string{
		" seed=false []  lost=false", "1 seed=true [1]  lost=false", "12 seed=true [1 2]  lost=false", "1k seed=false [] hang lost=true",
		"2x seed=false [2] exit lost=false",
	}
	if !slices.Equal(list, want) {
		t.Errorf("the entries are\n%q, want\n%q", list, want)
	}
	if around := indexes(got.Around); !slices.Equal(around, []int{0, 3}) {
		t.Errorf("around the inputs, blocks %v are reached, want 0 and 3", around)
	}
	if got.Executed != 5 || p.starts < 2 {
		t.Errorf("%d inputs were executed in %d processes", got.Executed, p.starts)
	}
}

func TestTheNextReplayExecutesNewInputsOnly(t *testing.T) {
	s := &fakeStore{}
	first, err := replayOf(t, &fakeProcess{}, s, "1", "2x")
	if err != nil {
		t.Fatal(err)
	}
	p := &fakeProcess{}
	second, err := replayOf(t, p, s, "1", "2x", "3")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.executed, []string{"3"}) || second.Executed != 1 {
		t.Errorf("it executes %q", p.executed)
	}
	for _, e := range first.Entries {
		i := slices.IndexFunc(second.Entries, func(f Entry) bool { return f.Args.Equal(e.Args) })
		if f := second.Entries[i]; !bytes.Equal(f.Blocks, e.Blocks) || !bytes.Equal(f.Counts, e.Counts) || f.Failed != e.Failed {
			t.Errorf("%q: %v, was %v", e.Args[0].Data, f, e)
		}
	}
	p = &fakeProcess{}
	if _, err := replayOf(t, p, s, "1", "3"); err != nil || len(p.executed) > 0 || s.saves != 2 {
		t.Errorf("with nothing new it executes %q and has saved %d times (%v)", p.executed, s.saves, err)
	}
	s.data = []byte("damaged")
	if _, err := replayOf(t, p, s, "1"); err != nil || !slices.Equal(p.executed, []string{"1"}) {
		t.Errorf("with a damaged history it executes %q (%v)", p.executed, err)
	}
}

func TestWhatSeedsDoOutsideIsAllowedForOtherInputs(t *testing.T) {
	s := &fakeStore{}
	refused := func(p *fakeProcess, corpus ...string) string {
		got, err := replayOf(t, p, s, corpus...)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range got.Entries {
			if e.Refused != "" {
				list = append(list, e.Refused)
			}
		}
		return fmt.Sprintf("%v of %q, allowed %q", list, p.executed, got.Allowed())
	}
	for _, step := range []struct {
		corpus []string
		want   string
	}{
		{[]string{"!dial", "!write"}, `[dial] of ["1!write" "!dial" "!write"], allowed ["write"]`}, // the smaller inputs come after the seed
		{[]string{"!dial", "!write", "2!write"}, `[dial] of ["2!write"], allowed ["write"]`},       // the seed is not executed again
	} {
		if got := refused(&fakeProcess{seeds: []string{"1!write"}}, step.corpus...); got != step.want {
			t.Errorf("with the corpus %q: %s, want %s", step.corpus, got, step.want)
		}
	}
	if got, want := refused(&fakeProcess{}, "1!write"), `[write] of ["1!write"], allowed []`; got != want {
		t.Errorf("if the seed has become an entry: %s, want %s", got, want)
	}
}

func TestWhatWasExecutedBeforeAnErrorIsKept(t *testing.T) {
	s, broken := &fakeStore{}, errors.New("broken")
	if _, err := replayOf(t, &fakeProcess{fail: broken}, s, "", "e"); !errors.Is(err, broken) {
		t.Fatalf("the error is %v", err)
	}
	p := &fakeProcess{}
	if _, err := replayOf(t, p, s, "", "e"); err != nil || !slices.Equal(p.executed, []string{"e"}) {
		t.Errorf("then it executes %q (%v)", p.executed, err)
	}
}

func TestMergeKnowsTheSmallestInputOfEachBlock(t *testing.T) {
	one, err := replayOf(t, &fakeProcess{seeds: []string{"1111"}}, nil, "112", "1")
	if err != nil {
		t.Fatal(err)
	}
	two, err := replayOf(t, &fakeProcess{}, nil, "22")
	if err != nil {
		t.Fatal(err)
	}
	smallest := func(by By) (list []string) {
		for _, r := range Merge([]*Replayed{one, two}, by) {
			s := "-"
			if r.Smallest != nil {
				s = string(r.Smallest.Args[0].Data)
			}
			list = append(list, fmt.Sprintf("%s %d %v", s, r.Inputs, r.Around))
		}
		return list
	}
	for by, want := range map[By][]string{
		All:    {"- 0 true", "1 3 false", "22 2 false", "- 0 true"},
		Seeds:  {"- 0 true", "1111 1 false", "- 0 false", "- 0 true"},
		Corpus: {"- 0 true", "1 2 false", "22 2 false", "- 0 true"},
	} {
		if got := smallest(by); !slices.Equal(got, want) {
			t.Errorf("selection %d: %q, want %q", by, got, want)
		}
	}
	list := Summarize(Merge([]*Replayed{one, two}, Seeds))
	if len(list) != 1 || list[0].Path != "m/p" || list[0].Count != (Count{4, 3}) || len(list[0].Functions) != 2 ||
		list[0].Functions[1] != (Function{"F1", "m/p/p.go", 101, Count{2, 1}}) {
		t.Errorf("the numbers are %+v", list)
	}
}

func TestDamagedMetaDataAreAnError(t *testing.T) {
	meta := metaOf(2, 3)
	for n := range meta {
		if _, err := readCode([]blocks.Package{{ID: 1, Meta: meta[:n]}}); !errors.Is(err, errMeta) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	for i := range meta {
		bad := bytes.Clone(meta)
		bad[i] ^= 0xff
		_, _ = readCode([]blocks.Package{{ID: 1, Meta: bad}}) // it does not panic
	}
}

func TestAnInputIsExecutedAgainIfTheSystemKilledItsProcess(t *testing.T) {
	s := &fakeStore{}
	first, err := replayOf(t, &fakeProcess{fail: &executor.Exit{External: true}}, s, "e", "12")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(first.Entries, func(e Entry) bool { return string(e.Args[0].Data) == "e" })
	if e := first.Entries[i]; e.Failed != Killed || !e.Lost || len(first.Entries) != 2 {
		t.Errorf("the entries are %+v", first.Entries)
	}
	p := &fakeProcess{}
	if _, err := replayOf(t, p, s, "e", "12"); err != nil || !slices.Equal(p.executed, []string{"e"}) {
		t.Errorf("then it executes %q (%v)", p.executed, err)
	}
}

func TestResultsOfOtherConditionsAreNotUsed(t *testing.T) {
	dir := t.TempDir()
	target := Task{Name: fuzz.Name{Package: "m/p", Func: "FuzzX"}, Folders: FoldersOf(dir, filepath.Join(dir, "cache"), "FuzzX")}
	s := keptByDigest{}
	for i, step := range []struct {
		conditions string
		executed   int
	}{{"1s", 1}, {"1s", 0}, {"10s", 1}, {"1s", 0}} {
		target.Conditions = step.conditions
		got, err := Replay(t.Context(), &fakeProcess{seeds: []string{"1"}}, target, s, nil)
		if err != nil || got.Executed != step.executed {
			t.Errorf("call %d with the limit %s: %+v (%v), want %d executions", i, step.conditions, got, err, step.executed)
		}
	}
}

// keptByDigest is a Store of one target.
type keptByDigest map[string][]byte

func (s keptByDigest) Replays(_ context.Context, binary string, _ fuzz.Name) ([]byte, error) {
	return s[binary], nil
}

func (s keptByDigest) SaveReplays(_ context.Context, binary string, _ fuzz.Name, data []byte) error {
	s[binary] = data
	return nil
}

func TestAnEntryCountsExecutionsOfItsBlocks(t *testing.T) {
	r, err := replayOf(t, &fakeProcess{}, nil, "31133")
	if err != nil {
		t.Fatal(err)
	}
	e := r.Entries[0]
	if got := slices.Collect(e.Counts.All()); !slices.Equal(indexes(e.Blocks), []int{1, 3}) || !slices.Equal(got, []uint64{2, 3}) {
		t.Errorf("blocks %v are executed %v times", indexes(e.Blocks), got)
	}
}

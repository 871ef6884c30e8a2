package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
)

// corpusRounds are the rounds of TestKilledCorpusCommandsLoseNothing, each of which kills two processes.
const corpusRounds = 25

// TestKilledCorpusCommandsLoseNothing kills `gnaw corpus merge` and `gnaw corpus distill` at random moments, each beside another one of its kind.
// What a complete distill keeps must be there, and so must all that a complete merge adds.
func TestKilledCorpusCommandsLoseNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes of a killed one end with it on Linux only")
	}
	if !*flagLong {
		t.Skip("takes minutes: -e2e.long")
	}
	w, dir := module(t, "growing")
	k := &corpusKiller{world: w, dir: dir, random: rand.New(rand.NewPCG(3, 4)), cache: filepath.Join(w.dir, "cache")}
	k.store = corpus.Open(filepath.Join(k.cache, "fuzz", "example.com", "growing", "FuzzGrow"), corpus.GoTest([]input.Kind{input.Bytes}))
	k.link(t)
	k.fill(t)
	keep := k.distilled(t)
	for i := range corpusRounds {
		k.fill(t)
		added := k.more(t, i)
		k.race(t, 200*time.Millisecond, "merge", filepath.Join(w.dir, "more"))
		k.want(t, "after a killed merge", append(slices.Clone(k.names), added...))
		k.fill(t) // without what was merged, which may take the place of others
		k.race(t, 1500*time.Millisecond, "distill")
		k.want(t, "after a killed distill", keep)
		if t.Failed() {
			t.Fatalf("in round %d", i)
		}
	}
	t.Logf("%d processes killed, a complete distill keeps %d of %d inputs", k.killed, len(keep), len(k.names))
}

// corpusKiller is the state of TestKilledCorpusCommandsLoseNothing.
type corpusKiller struct {
	*world
	dir, cache string
	random     *rand.Rand
	store      corpus.Store
	names      []string // files of the corpus before a round
	killed     int
}

// link gives the cache what the user's go command has compiled, but not the corpora.
func (k *corpusKiller) link(t *testing.T) {
	t.Helper()
	if err := os.Mkdir(k.cache, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 256 {
		name := fmt.Sprintf("%02x", i)
		if err := os.Symlink(filepath.Join(host.cache, name), filepath.Join(k.cache, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// save writes inputs and returns the names of their files.
func save(t *testing.T, to corpus.Store, list []input.Args) (names []string) {
	t.Helper()
	saved, err := to.SaveAll(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range saved {
		names = append(names, filepath.Base(s.Path))
	}
	return names
}

// fill gives the target a new corpus, of which it needs a part only.
func (k *corpusKiller) fill(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(k.cache, "fuzz")); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	var list []input.Args
	for n := range 60 {
		data := make([]byte, 2*(n%12))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		list = append(list, input.Args{{Kind: input.Bytes, Data: append(data, byte(n))}})
	}
	k.names = save(t, k.store, list)
}

// more makes a folder with inputs to merge and returns the names of their files.
func (k *corpusKiller) more(t *testing.T, round int) []string {
	t.Helper()
	folder := filepath.Join(k.dir, "..", "more")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	var list []input.Args
	for n := range 20 {
		list = append(list, input.Args{{Kind: input.Bytes, Data: fmt.Appendf(nil, "round %d, %d", round, n)}})
	}
	return save(t, corpus.Open(folder, corpus.GoTest([]input.Kind{input.Bytes})), list)
}

func (k *corpusKiller) begin(t *testing.T, action string, args ...string) *running {
	t.Helper()
	return k.start(t, k.dir, k.environ("GOCACHE="+k.cache), host.gnaw, append([]string{"corpus", action, ".", "FuzzGrow"}, args...)...)
}

// distilled returns the names of the files that a complete distill keeps.
func (k *corpusKiller) distilled(t *testing.T) []string {
	t.Helper()
	c := k.begin(t, "distill", "-n", "-json")
	code, output := c.wait(t, longPatience)
	var result struct{ Removed []string }
	if err := json.Unmarshal([]byte(output[strings.IndexByte(output+"{", '{'):]), &result); code != 0 || err != nil || len(result.Removed) == 0 {
		t.Fatalf("distill -n exits with %d (%v):\n%s", code, err, output)
	}
	return slices.DeleteFunc(slices.Clone(k.names), func(name string) bool { return slices.Contains(result.Removed, name) })
}

// race runs a command twice at once, and kills one of the processes within a time.
func (k *corpusKiller) race(t *testing.T, within time.Duration, action string, args ...string) {
	t.Helper()
	victim, other := k.begin(t, action, args...), k.begin(t, action, args...)
	select {
	case <-time.After(time.Duration(k.random.Int64N(int64(within)))):
		if victim.cmd.Process.Kill() == nil {
			k.killed++
		}
	case <-victim.done:
	}
	_, _ = victim.wait(t, longPatience)
	if code, output := other.wait(t, longPatience); code != 0 {
		t.Errorf("the other %s exits with %d:\n%s", action, code, output)
	}
	k.wantNoProcess(t)
}

// want checks that files are in the corpus and can be read.
func (k *corpusKiller) want(t *testing.T, when string, names []string) {
	t.Helper()
	entries, problems, err := k.store.Load(t.Context(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(when, problems, err)
	}
	there := map[string]bool{}
	for _, e := range entries {
		there[e.Name] = true
	}
	for _, name := range names {
		if !there[name] {
			t.Errorf("%s the input %s is gone", when, name)
		}
	}
}

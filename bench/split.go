package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/testkit/stat"
)

// Sizes of the module that -split generates.
const (
	splitPackages = 10
	splitTargets  = 20  // in each package
	deepEvery     = 10  // 1/deepEvery of the targets have edges that take long to find
	deepSteps     = 300 // edges of such a target, one behind the other
	shallowEdges  = 8   // of each of the others, which are found at once
)

// splitRound is what both splits found in one round.
type splitRound struct {
	Equal    splitSide `json:"equal"`
	Campaign splitSide `json:"campaign"`
}

// splitSide is what one campaign found.
type splitSide struct {
	Edges     int     `json:"edges"`
	DeepShare float64 `json:"deep_share"` // part of the time that the targets with edges to find had, from 0 to 1
	Execs     uint64  `json:"execs"`
}

// measureSplit compares the time split of gnaw fuzz with equal shares, by the edges found in the same time.
func measureSplit(ctx context.Context, o options, dir string, stdout, stderr io.Writer) error {
	b := &builder{Dir: dir, Gnaw: o.Gnaw, Log: stderr}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	s := &splitting{options: o, builder: b, dir: dir}
	var rounds []splitRound
	for n := range o.Rounds {
		fmt.Fprintf(stderr, "round %d of %d, twice %v\n", n+1, o.Rounds, o.time())
		var r splitRound
		sides := []func() error{
			func() (err error) { r.Equal, err = s.run(ctx, n, "equal", "-each="+s.each().String()); return err },
			func() (err error) {
				r.Campaign, err = s.run(ctx, n, "campaign", "-fuzztime="+o.time().String())
				return err
			},
		}
		if n%2 == 1 { // the first may find a cooler machine
			slices.Reverse(sides)
		}
		for _, side := range sides {
			if err := side(); err != nil {
				return err
			}
		}
		rounds = append(rounds, r)
	}
	return s.print(ctx, stdout, rounds)
}

// splitting is the state of measureSplit.
type splitting struct {
	options options
	builder *builder
	dir     string
}

// each is an equal share of the time of all workers.
func (s *splitting) each() time.Duration {
	return s.options.time() * time.Duration(s.options.Workers) / (splitPackages * splitTargets)
}

// run has gnaw fuzz a module that is new to it, with a cache of its own.
func (s *splitting) run(ctx context.Context, round int, side, budget string) (result splitSide, err error) {
	module := fmt.Sprintf("example.com/split%d%s", round, side)
	root := filepath.Join(s.dir, fmt.Sprintf("split%d%s", round, side))
	if err := generate(root, module); err != nil {
		return result, fmt.Errorf("generate a module: %w", err)
	}
	cmd := exec.CommandContext(ctx, s.builder.Gnaw, "fuzz", "-json", fmt.Sprintf("-parallel=%d", s.options.Workers), budget, "./...")
	cmd.Dir, cmd.Stderr = root, s.builder.Log
	cmd.Env = append(os.Environ(), "GOWORK=off", "XDG_CACHE_HOME="+filepath.Join(s.dir, "cache"))
	out, err := cmd.Output()
	cache, cacheErr := output(ctx, root, "go", "env", "GOCACHE")
	if cacheErr == nil {
		cacheErr = os.RemoveAll(filepath.Join(cache, "fuzz", filepath.FromSlash(module)))
	}
	if err := errors.Join(err, cacheErr); err != nil {
		return result, fmt.Errorf("run gnaw fuzz on the generated module: %w", err)
	}
	return readSplit(string(out))
}

// readSplit adds up what `gnaw fuzz -json` says about its targets.
func readSplit(out string) (result splitSide, err error) {
	var all, deep float64
	targets := 0
	for line := range strings.Lines(out) {
		var l struct {
			Event, Target, Result string
			Edges                 int
			Seconds               float64
			Execs                 uint64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			return result, fmt.Errorf("read what gnaw fuzz says: %w", err)
		}
		if l.Event != "target" {
			continue
		}
		if l.Result != "clean" {
			return result, fmt.Errorf("target %s of the generated module has the result %s", l.Target, l.Result)
		}
		targets++
		result.Edges += l.Edges
		result.Execs += l.Execs
		all += l.Seconds
		if strings.HasPrefix(l.Target, "FuzzDeep") {
			deep += l.Seconds
		}
	}
	if targets != splitPackages*splitTargets {
		return result, fmt.Errorf("gnaw fuzz reports %d targets, want %d", targets, splitPackages*splitTargets)
	}
	if all > 0 {
		result.DeepShare = deep / all
	}
	return result, nil
}

// print prints the medians and the margin.
func (s *splitting) print(ctx context.Context, w io.Writer, rounds []splitRound) error {
	if s.options.JSON {
		return json.NewEncoder(w).Encode(rounds)
	}
	o := s.options
	var margins []float64
	of := func(f func(splitRound) splitSide) (edges, share, execs float64) {
		var es, ss, xs []float64
		for _, r := range rounds {
			es, ss, xs = append(es, float64(f(r).Edges)), append(ss, f(r).DeepShare), append(xs, float64(f(r).Execs))
		}
		return stat.Median(es), stat.Median(ss), stat.Median(xs)
	}
	fmt.Fprintf(w, "%d targets, of which one in %d has edges that take long; %d workers, %v; median of %d rounds; %s, %d cores\n\n",
		splitPackages*splitTargets, deepEvery, o.Workers, o.time(), len(rounds), s.builder.goVersion(ctx), runtime.NumCPU())
	fmt.Fprintf(w, "| split | edges | time of those with edges to find | execs |\n|---|---:|---:|---:|\n")
	for _, side := range []struct {
		name string
		of   func(splitRound) splitSide
	}{{"equal", func(r splitRound) splitSide { return r.Equal }}, {"gnaw fuzz", func(r splitRound) splitSide { return r.Campaign }}} {
		edges, share, execs := of(side.of)
		fmt.Fprintf(w, "| %s | %.0f | %.0f %% | %.0f |\n", side.name, edges, 100*share, execs)
	}
	for _, r := range rounds {
		margins = append(margins, 100*(float64(r.Campaign.Edges)/float64(r.Equal.Edges)-1))
	}
	fmt.Fprintf(w, "\nmargin: %+.0f %% edges in the same time\n", stat.Median(margins))
	return nil
}

// generate writes a module with targets of two kinds. It is the same each time, but for its name.
func generate(root, module string) error {
	if err := write(filepath.Join(root, "go.mod"), "module "+module+"\n\ngo 1.24\n"); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for p := range splitPackages {
		var code, test strings.Builder
		fmt.Fprintf(&code, "package p%d\n%s", p, splitMix)
		fmt.Fprintf(&test, "package p%d\n\nimport \"testing\"\n", p)
		for i := range splitTargets {
			kind, seed := "Shallow", `"seed"`
			if (p*splitTargets+i)%deepEvery == 0 {
				kind, seed = "Deep", fmt.Sprintf("%q", strings.Repeat(".", 2*deepSteps))
				fmt.Fprintf(&code, "\nfunc deep%d(b []byte) {\n", i)
				for step := range deepSteps {
					fmt.Fprintf(&code, "\tif !ok(b, %d, %d) {\n\t\treturn\n\t}\n", step, random.IntN(1<<30))
				}
			} else {
				fmt.Fprintf(&code, "\nfunc shallow%d(b []byte) (n int) {\n\tif len(b) == 0 {\n\t\treturn 0\n\t}\n\tswitch b[0] %% %d {\n", i, shallowEdges)
				for step := range shallowEdges {
					fmt.Fprintf(&code, "\tcase %d:\n\t\tn += %d\n", step, step+1)
				}
				fmt.Fprint(&code, "\t}\n\treturn n\n")
			}
			fmt.Fprint(&code, "}\n")
			fmt.Fprintf(&test, "\nfunc Fuzz%s%d(f *testing.F) {\n\tf.Add([]byte(%s))\n\tf.Fuzz(func(t *testing.T, b []byte) { %s%d(b) })\n}\n",
				kind, i, seed, strings.ToLower(kind), i)
		}
		folder := filepath.Join(root, fmt.Sprintf("p%d", p))
		if err := errors.Join(write(filepath.Join(folder, "p.go"), code.String()), write(filepath.Join(folder, "p_test.go"), test.String())); err != nil {
			return err
		}
	}
	return nil
}

// splitMix is the condition of a step: two bytes of the input must have one of 128 values of 65536. No comparison
// shows which, so each step takes many executions.
const splitMix = `
func ok(b []byte, step int, salt uint32) bool {
	if len(b) < 2*step+2 {
		return false
	}
	x := (uint32(b[2*step])<<8 | uint32(b[2*step+1])) ^ salt
	x *= 0x9e3779b1
	x ^= x >> 15
	x *= 0x85ebca77
	return x>>23 == 0
}
`

// write writes a file and makes its folder.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

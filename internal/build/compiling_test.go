package build

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// exampleGraph has the imports of the test binary of package m, which has a test in package m_test and imports dep and a package that is
// vendored.
func exampleGraph() importGraph {
	g := importGraph{}
	for _, p := range []struct {
		path    string
		imports []string
		renamed map[string]string
	}{
		{"m.test", []string{"m [m.test]", "m_test [m.test]", "testing"}, nil},
		{"m [m.test]", []string{"dep", "C"}, nil},
		{"m_test [m.test]", []string{"m [m.test]", "golang.org/x/net"}, map[string]string{"golang.org/x/net": "vendor/golang.org/x/net"}},
		{"vendor/golang.org/x/net", []string{"unsafe"}, nil},
		{"dep", []string{"unsafe", "strings"}, nil},
		{"strings", []string{"unsafe"}, nil},
		{"testing", []string{"strings"}, nil},
		{"unsafe", nil, nil},
		{"other", []string{"strings"}, nil},
	} {
		g.add(p.path, p.imports, p.renamed)
	}
	return g
}

func TestCommandsOfTheGoCommandSayWhichPackagesAreReady(t *testing.T) {
	var got []string
	c := newCompiling(exampleGraph(), "m", func(ready, needed int) { got = append(got, fmt.Sprintf("%d of %d", ready, needed)) })
	for _, text := range []string{
		"WORK=/tmp/go-build1\nmkdir -p $WORK/b006/\n",
		"/usr/local/go/pkg/tool/linux_amd64/compile -o $WORK/b006/_pkg_.a -trimpath \"$WORK/b006=>\" -p unsafe -std\n",
		"/usr/local/go/pkg/tool/linux_amd64/asm -p strings -trimpath \"$WORK/b005=>\" -I $WORK/b005/ -gensymabis ./a.s\n",
		"/usr/local/go/pkg/tool/linux_amd64/compile -o $WORK/b005/_pkg_.a -p strings -std\n",
		"/usr/local/go/pkg/tool/linux_amd64/compile -o $WORK/b004/_pkg_.a -p internal/fuzz/gnaw/input -std\n",
		"/usr/local/go/pkg/tool/linux_amd64/compile -o $WORK/b003/_pkg_.a -p m_test -importcfg\n",
		"cat >$WORK/b001/importcfg.link << 'EOF' # internal\npackagefile m.test=$WORK/b001/_pkg_.a\nEOF\n",
	} {
		for line := range strings.Lines(text) {
			c.command(strings.TrimSuffix(line, "\n"))
		}
	}
	if want := []string{"1 of 8", "5 of 8", "8 of 8"}; !slices.Equal(got, want) {
		t.Errorf("the progress is %q, want %q", got, want)
	}
}

func TestABuilderShowsItsProgress(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package")
	}
	testkit.OwnCache(t)
	dir := testkit.Unpack(t, edited)
	b, err := NewBuilder(t.Context(), toolchain.Find(t, ""), dir, []string{"example.com/m"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	last, total := 0, 0
	show := func(ready, needed int) {
		if ready <= last || ready > needed || needed < 50 {
			t.Errorf("%d of %d packages are ready, after %d", ready, needed, last)
		}
		last, total = ready, needed
	}
	if err := b.Binary(t.Context(), "example.com/m", nil, show); err != nil || last != total || last == 0 {
		t.Errorf("at the end, %d of %d packages are ready, and the error is %v", last, total, err)
	}
}

package refusal

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// world is a machine with a temporary folder, a package and a home, in which actions are refused.
type world struct{ temporary, pkg, home string }

func newWorld(t *testing.T) world {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{filepath.Join(root, "tmp"), filepath.Join(root, "home", "pkg"), filepath.Join(root, "home")}
	for _, dir := range []string{w.temporary, filepath.Join(w.pkg, "testdata"), filepath.Join(w.home, "other")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{w.home + "/file", w.home + "/other/file", w.pkg + "/testdata/file"} {
		if err := os.WriteFile(name, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := here
	here = places{temporary: []string{w.temporary}, own: []string{w.pkg}, testdata: []string{filepath.Join(w.pkg, "testdata")}}
	t.Chdir(w.pkg)
	t.Cleanup(func() {
		here, allowed, fresh = before, nil, 0
		links.Store(false)
		OnRefused(nil)
		Note()
	})
	return w
}

func TestWhatIsRefused(t *testing.T) {
	w := newWorld(t)
	if err := os.Symlink(w.home, w.pkg+"/testdata/out"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		kind       uint8
		base, path string
		want       string // empty: it is not refused
	}{
		{"a file in a temporary folder is written", hook.Open, "", w.temporary + "/a/b", ""},
		{"a file in testdata is written by its relative name", hook.Open, "", "testdata/new", ""},
		{"a file beside the package is not", hook.Open, "", w.home + "/file", "write " + w.home + "/file"},
		{"a file of the package is not", hook.Open, "", "p.go", "write " + w.pkg + "/p.go"},
		{"a name that leaves the temporary folder counts for where it leads", hook.Open, "", w.temporary + "/../home/file", "write " + w.home + "/file"},
		{"a name that begins as the temporary folder is not in it", hook.Make, "", w.temporary + "x", "write " + w.temporary + "x"},
		{"a link in testdata counts for where it leads", hook.Open, "", "testdata/out/file", "write " + w.home + "/file"},
		{"the temporary folder itself is not removed", hook.Remove, "", w.temporary, "remove " + w.temporary},
		{"a file is removed from testdata", hook.Remove, "", "testdata/file", ""},
		{"a link in testdata is removed, not what it leads to", hook.Remove, "", "testdata/out", ""},
		{"a folder elsewhere is not removed", hook.Remove, "", w.home + "/other", "remove " + w.home + "/other"},
		{"what is not there may be removed", hook.Remove, "", w.home + "/none", ""},
		{"what is not there may be changed", hook.Change, "", w.home + "/none", ""},
		{"what is there is not changed", hook.Change, "", w.home + "/file", "write " + w.home + "/file"},
		{"a file without a folder cannot be made anyway", hook.Open, "", w.home + "/none/file", ""},
		{"a folder that exists cannot be made anyway", hook.Make, "", w.home + "/other", ""},
		{"all folders on the way are", hook.MakeAll, "", w.home + "/none/none", "write " + w.home + "/none/none"},
		{"the null device is written", hook.Open, "", os.DevNull, ""},
		{"the null device is not removed", hook.Remove, "", os.DevNull, "remove " + os.DevNull},
		{"names in an os.Root count from there", hook.Open, w.home, "file", "write " + w.home + "/file"},
		{"names in an os.Root in the temporary folder are allowed", hook.Open, w.temporary, "file", ""},
		{"a program is not started", hook.Start, "", w.home + "/file", "start the program " + w.home + "/file"},
		{"a program that does not exist gives its own error", hook.Start, "", w.home + "/none", ""},
		{"this machine is connected to", hook.Connect, "", "127.0.0.1:80", ""},
		{"this machine is connected to by IPv6", hook.Connect, "", "[::1]:80", ""},
		{"an address without a host is this machine", hook.Connect, "", ":80", ""},
		{"the unspecified address is this machine", hook.Connect, "", "0.0.0.0:80", ""},
		{"another machine is not", hook.Connect, "", "192.0.2.1:80", "connect to 192.0.2.1:80"},
		{"another machine is not by a protocol without ports", hook.Connect, "", "192.0.2.1", "connect to 192.0.2.1"},
		{"a link-local address is another machine", hook.Connect, "", "[fe80::1%eth0]:80", "connect to [fe80::1%eth0]:80"},
		{"a socket outside is not connected to", hook.ConnectTo, "", w.home + "/file", "connect to " + w.home + "/file"},
		{"a socket in the temporary folder may be made", hook.Bind, "", w.temporary + "/socket", ""},
		{"a socket outside is not made", hook.Bind, "", w.home + "/socket", "write " + w.home + "/socket"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			OnRefused(func(a Action) { got = a.String() })
			Refuse()
			if refused := act(tt.kind, tt.base, tt.path); refused != (tt.want != "") || got != tt.want {
				t.Errorf("act = %v, told %q, want %q", refused, got, tt.want)
			}
			Note()
			if act(tt.kind, tt.base, tt.path) {
				t.Error("it is refused while no input executes")
			}
			allowed, fresh = nil, 0
		})
	}
}

func TestAfterALinkWasMadeNamesAreNotTrusted(t *testing.T) {
	w := newWorld(t)
	Refuse()
	link := w.temporary + "/link"
	if act(hook.Open, "", link+"/file") {
		t.Fatal("a file in the temporary folder is refused")
	}
	if act(hook.Link, "", link) {
		t.Fatal("a link in the temporary folder is refused")
	}
	if err := os.Symlink(w.home, link); err != nil {
		t.Fatal(err)
	}
	if !act(hook.Open, "", link+"/file") {
		t.Error("a file is written through the link")
	}
}

func TestWhatASeedDoesStaysAllowedInEachProcess(t *testing.T) {
	w := newWorld(t)
	deep := w.home + "/other/deep"
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	act(hook.Open, "", w.home+"/other/file")
	act(hook.Open, "", w.home+"/other/file") // once is enough
	act(hook.Start, "", w.home+"/file")
	act(hook.Connect, "", "192.0.2.1:80")
	list := Fresh()
	if len(list) != 3 || len(Fresh()) != 0 {
		t.Fatalf("%d actions were noted: %q, want 3, once", len(list), list)
	}
	value, ok := cutName(Variable(list))
	again, on := parseVariable(value)
	if !ok || !on || !slices.EqualFunc(list, again, func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Fatalf("the variable has %q, want %q", again, list)
	}
	allowed, fresh = nil, 0 // another process
	Allow(append(again, nil, []byte("x"), []byte("9/")))
	Refuse()
	for _, tt := range []struct {
		name    string
		kind    uint8
		path    string
		refused bool
	}{
		{"another file in the folder is written", hook.Open, w.home + "/other/new", false},
		{"a file further down is written", hook.Open, deep + "/new", false},
		{"a file beside the folder is not", hook.Open, w.home + "/new", true},
		{"a file in the folder is not removed, because no seed removes any", hook.Remove, w.home + "/other/file", true},
		{"the program is started", hook.Start, w.home + "/file", false},
		{"another program is not", hook.Start, w.home + "/other/file", true},
		{"the address is connected to", hook.Connect, "192.0.2.1:80", false},
		{"another port is not", hook.Connect, "192.0.2.1:81", true},
	} {
		if got := act(tt.kind, "", tt.path); got != tt.refused {
			t.Errorf("%s: refused = %v", tt.name, got)
		}
	}
}

func cutName(variable string) (value string, ok bool) {
	if len(variable) <= len(Env) || variable[:len(Env)+1] != Env+"=" {
		return "", false
	}
	return variable[len(Env)+1:], true
}

func TestWhatIsAllowedDoesNotAllocate(t *testing.T) {
	w := newWorld(t)
	Refuse()
	name := w.temporary + "/001/file"
	if n := testing.AllocsPerRun(100, func() { act(hook.Open, "", name) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOff(t *testing.T) {
	w := newWorld(t)
	Off()
	if act(hook.Remove, "", w.home+"/file") || len(Fresh()) > 0 {
		t.Error("it is refused or noted")
	}
}

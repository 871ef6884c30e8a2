package landlock_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/landlock"
)

// actVariable asks the test binary to act, as its value says, and not to test.
const actVariable = "GNAW_TEST_ACT"

func TestMain(m *testing.M) {
	if act := os.Getenv(actVariable); act != "" {
		what, arg, _ := strings.Cut(act, " ")
		if err := acts[what](arg); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// acts are what a confined process tries.
var acts = map[string]func(arg string) error{
	"write": func(path string) error { return os.WriteFile(path, []byte("new"), 0o600) },
	"append": func(path string) error {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			err = f.Close()
		}
		return err
	},
	"read":     func(path string) error { _, err := os.ReadFile(path); return err },
	"truncate": func(path string) error { return os.Truncate(path, 0) },
	"remove":   os.Remove,
	"mkdir":    func(path string) error { return os.Mkdir(path, 0o700) },
	"symlink":  func(path string) error { return os.Symlink("target", path) },
	"move": func(path string) error {
		to := filepath.Join(filepath.Dir(path), "sub")
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		return os.Rename(path, filepath.Join(to, "moved"))
	},
	"child": func(path string) error {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), actVariable+"=write "+path)
		return cmd.Run()
	},
	"dial": func(address string) error {
		c, err := net.Dial("tcp", address)
		if err == nil {
			err = c.Close()
		}
		return err
	},
	"listen": func(address string) error {
		var config net.ListenConfig
		config.SetMultipathTCP(false) // which Landlock does not know
		l, err := config.Listen(context.Background(), "tcp", address)
		if err == nil {
			err = l.Close()
		}
		return err
	},
	"signal": func(string) error { return syscall.Kill(os.Getppid(), 0) },
}

// confined executes one of the acts in a process of its own, and returns what it prints if it fails.
func confined(t *testing.T, r landlock.Rules, act string) (failed bool, out string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), actVariable+"="+act)
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	err := landlock.Do(r, cmd.Run)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return err != nil, text.String()
}

// version returns the version of Landlock, and skips the test if there is none, or an older one than it needs.
func version(t *testing.T, needed int) {
	t.Helper()
	abi, err := landlock.ABI()
	if err != nil {
		t.Skip(err)
	}
	if abi < needed {
		t.Skipf("version %d of Landlock does not know this; version %d does", abi, needed)
	}
}

func TestAConfinedProcessWritesInItsFoldersOnly(t *testing.T) {
	for _, tt := range []struct {
		name, act, path string
		abi             int
		denied          bool // outside of the folder
	}{
		{"it makes a file", "write", "new", 1, true},
		{"it overwrites a file", "write", "old", 1, true},
		{"it appends to a file", "append", "old", 1, true},
		{"it truncates a file", "truncate", "old", 3, true},
		{"it removes a file", "remove", "old", 1, true},
		{"it makes a folder", "mkdir", "new", 1, true},
		{"it makes a link", "symlink", "new", 1, true},
		{"it moves a file to another folder", "move", "old", 2, true},
		{"its child makes a file", "child", "new", 1, true},
		{"it reads a file", "read", "old", 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			version(t, tt.abi)
			inside, outside := t.TempDir(), t.TempDir()
			for _, dir := range []string{inside, outside} {
				if err := os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := landlock.Rules{Writable: []string{inside}}
			if failed, out := confined(t, r, tt.act+" "+filepath.Join(inside, tt.path)); failed {
				t.Errorf("inside it fails: %s", out)
			}
			if failed, out := confined(t, r, tt.act+" "+filepath.Join(outside, tt.path)); failed != tt.denied {
				t.Errorf("outside it fails: %v (%s), want %v", failed, out, tt.denied)
			}
			if text, err := os.ReadFile(filepath.Join(outside, "old")); err != nil || string(text) != "old" {
				t.Errorf("the file outside has the content %q, %v", text, err)
			}
			if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
				t.Errorf("the folder outside has %d files, %v, want one", len(entries), err)
			}
		})
	}
}

func TestAConfinedProcessUsesDevices(t *testing.T) {
	version(t, 1)
	if failed, out := confined(t, landlock.Rules{}, "write "+os.DevNull); failed {
		t.Errorf("it does not write to %s: %s", os.DevNull, out)
	}
}

func TestAConfinedProcessConnectsOnlyIfItMay(t *testing.T) {
	version(t, 4)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, act := range []string{"dial " + l.Addr().String(), "listen 127.0.0.1:0"} {
		if failed, _ := confined(t, landlock.Rules{}, act); !failed {
			t.Errorf("without Network, %q succeeds", act)
		}
		if failed, out := confined(t, landlock.Rules{Network: true}, act); failed {
			t.Errorf("with Network, %q fails: %s", act, out)
		}
	}
}

func TestAConfinedProcessSendsNoSignalToGnaw(t *testing.T) {
	version(t, 6)
	if failed, _ := confined(t, landlock.Rules{}, "signal"); !failed {
		t.Error("it sends one")
	}
}

func TestOnlyTheThreadIsConfined(t *testing.T) {
	version(t, 1)
	path := filepath.Join(t.TempDir(), "file")
	err := landlock.Do(landlock.Rules{}, func() error {
		if err := os.WriteFile(path, nil, 0o600); !errors.Is(err, os.ErrPermission) {
			t.Errorf("in Do, the error of a write is %v, want one of permissions", err)
		}
		other := make(chan error)
		go func() { other <- os.WriteFile(path, nil, 0o600) }()
		return <-other
	})
	if err != nil {
		t.Errorf("another goroutine is confined: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Errorf("after Do: %v", err)
	}
}

func TestAFolderThatIsMissingIsNamed(t *testing.T) {
	version(t, 1)
	path := filepath.Join(t.TempDir(), "missing")
	err := landlock.Do(landlock.Rules{Writable: []string{path}}, func() error {
		t.Error("Do calls the function")
		return nil
	})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("the error is %v, want one that names %s", err, path)
	}
}

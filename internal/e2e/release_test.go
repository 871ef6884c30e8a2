//go:build linux

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// root is the root of the repository, from this folder.
const root = "../.."

// tool runs a tool of tools/go.mod and returns its output.
func tool(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = filepath.Join(root, "tools"), append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, &errs)
	}
	return out
}

// TestWorkflowsAndImageAreValid checks the workflow of releases, those that docs/ci.md shows, and the Dockerfile.
func TestWorkflowsAndImageAreValid(t *testing.T) {
	if !*flagLong {
		t.Skip("builds tools: -e2e.long")
	}
	depend()
	tool(t, "run", "./dockerfile", "../Dockerfile")
	tool(t, "tool", "actionlint", "../.github/workflows/release.yml", "../internal/ci/workflow/github.yml")
	var jobs map[string]any
	if err := json.Unmarshal(tool(t, "run", "./yaml", "../internal/ci/workflow/gitlab.yml"), &jobs); err != nil || jobs["gnaw-change"] == nil || jobs["gnaw-night"] == nil {
		t.Errorf("the workflow for GitLab has the jobs %v (%v)", slices.Collect(maps.Keys(jobs)), err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for i, block := range strings.Split(string(text), "```") {
		if workflow, ok := strings.CutPrefix(block, "yaml\n"); ok && i%2 == 1 {
			file := filepath.Join(t.TempDir(), "workflow.yml")
			if err := os.WriteFile(file, []byte(workflow), 0o666); err != nil {
				t.Fatal(err)
			}
			tool(t, "tool", "actionlint", file)
			shown++
		}
	}
	if shown < 2 {
		t.Errorf("docs/ci.md shows %d workflows", shown)
	}
	image, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	_, newest, _ := strings.Cut(string(run), "\nnewest=")
	newest, _, _ = strings.Cut(newest, "\n")
	if !strings.Contains(string(image), "\nARG GO="+newest+"\n") {
		t.Errorf("the Dockerfile does not name Go %s, as .ci/run does", newest)
	}
}

// release makes the files of a release in a folder, with gnaw as the command for this system, and returns the address of the folder.
func release(t *testing.T, gnaw string) (dir, url string) {
	t.Helper()
	dir = t.TempDir()
	content, err := os.ReadFile(gnaw)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	archive := tar.NewWriter(packed)
	if err := archive.WriteHeader(&tar.Header{Name: "gnaw", Mode: 0o755, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	_, err = archive.Write(content)
	for _, err := range []error{err, archive.Close(), packed.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	name := "gnaw_linux_" + runtime.GOARCH + ".tar.gz"
	sums := fmt.Sprintf("%x  %s\n", sha256.Sum256(b.Bytes()), name)
	if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, "file://" + dir
}

// install runs install.sh in the shell of the system, which on Debian has little more than POSIX asks for.
func install(t *testing.T, environ []string, args ...string) (output string, err error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{filepath.Join(root, "install.sh")}, args...)...)
	cmd.Env = append(os.Environ(), environ...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestTheInstallScript(t *testing.T) {
	depend()
	name := "gnaw_linux_" + runtime.GOARCH + ".tar.gz"
	for _, tt := range []struct {
		name    string
		spoil   func(dir string) error // changes the release
		environ []string
		args    []string
		want    string // what the error says; empty: it works
	}{
		{name: "a release"},
		{
			name: "an archive that was changed", want: "so nothing is installed",
			spoil: func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666) },
		},
		{
			name: "an archive that is missing", want: "there is no file /",
			spoil: func(dir string) error { return os.Remove(filepath.Join(dir, name)) },
		},
		{
			name: "a release without this system", want: "has no " + name,
			spoil: func(dir string) error { return os.WriteFile(filepath.Join(dir, "checksums.txt"), nil, 0o666) },
		},
		{
			name: "an archive that is none", want: "cannot unpack " + name,
			spoil: func(dir string) error {
				sums := fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte("x")), name)
				if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums), 0o666); err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666)
			},
		},
		{name: "a version that is none", environ: []string{"GNAW_VERSION=1.2"}, want: "must be latest, or a version such as v1.2.0"},
		{name: "a flag that does not exist", args: []string{"-x"}, want: "usage: sh install.sh [-b FOLDER]"},
		{name: "a folder that is a file", args: []string{"-b", "/dev/null/bin"}, want: "cannot make the folder /dev/null/bin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			command := filepath.Join(t.TempDir(), "gnaw")
			if err := os.WriteFile(command, []byte("#!/bin/sh\necho gnaw v1.2.0\n"), 0o777); err != nil {
				t.Fatal(err)
			}
			from, url := release(t, command)
			if tt.spoil != nil {
				if err := tt.spoil(from); err != nil {
					t.Fatal(err)
				}
			}
			to := filepath.Join(t.TempDir(), "bin")
			output, err := install(t, append([]string{"GNAW_URL=" + url, "GNAW_DIR=" + to}, tt.environ...), tt.args...)
			if tt.want == "" {
				if err != nil || !strings.HasPrefix(output, to+"/gnaw: gnaw v1.2.0\nadd "+to+" to PATH") {
					t.Errorf("%v\n%s", err, output)
				}
				return
			}
			last := output[strings.LastIndex(strings.TrimSuffix(output, "\n"), "\n")+1:]
			if err == nil || !strings.HasPrefix(last, "install.sh: ") || !strings.Contains(last, tt.want) {
				t.Errorf("%v, and the last line of\n%s\nhas no %q", err, output, tt.want)
			}
			if left := glob(t, filepath.Join(to, "*")); len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

// TestTheReleaseScript makes a release of this system, and installs it.
func TestTheReleaseScript(t *testing.T) {
	if !*flagLong {
		t.Skip("builds gnaw several times: -e2e.long")
	}
	depend()
	out := t.TempDir()
	cmd := exec.Command(filepath.Join(root, ".ci", "release"), "-cached", out, "linux/"+runtime.GOARCH, "windows/"+runtime.GOARCH)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	version := lines[len(lines)-1]
	bin := t.TempDir()
	if output, err := install(t, []string{"GNAW_URL=file://" + out}, "-b", bin); err != nil || !strings.Contains(output, version) {
		t.Errorf("%v\n%s", err, output)
	}
	check := exec.Command("sha256sum", "--check", "--strict", "checksums.txt")
	check.Dir = out
	if said, err := check.CombinedOutput(); err != nil || strings.Count(string(said), ": OK\n") != 4 {
		t.Errorf("%v\n%s", err, said)
	}
	if files := glob(t, filepath.Join(out, "gnaw_windows_*.zip")); len(files) != 1 {
		t.Errorf("the archives for Windows are %q", files)
	}
	bomOf(t, filepath.Join(out, "gnaw_linux_"+runtime.GOARCH+".cdx.json"), version)
}

// bomOf checks that an SBOM names the version of gnaw and a module that it contains.
func bomOf(t *testing.T, file, version string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		Metadata struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Purl string }
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	if c := bom.Metadata.Component; !strings.HasPrefix(version, c.Name+" "+c.Version+" ") {
		t.Errorf("the SBOM is about %+v, want %s", c, version)
	}
	var found bool
	for _, c := range bom.Components {
		found = found || strings.HasPrefix(c.Purl, "pkg:golang/modernc.org/sqlite@v")
		if strings.Contains(c.Purl, "testscript") || strings.Contains(c.Purl, "chromedp") {
			t.Errorf("the SBOM has %s, which is for tests", c.Purl)
		}
	}
	if !found {
		t.Errorf("%s has no modernc.org/sqlite:\n%s", file, text)
	}
}

//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// step is a step of action.yml.
type step struct {
	ID    string
	If    string
	Uses  string
	Shell string
	Run   string
	Env   map[string]string
	With  map[string]string
	Dir   string `json:"working-directory"`
}

// runner executes the steps of action.yml as GitHub does. It stands in for the actions that they use.
type runner struct {
	t       *testing.T
	world   *world
	dir     string            // of the repository
	temp    string            // RUNNER_TEMP of a run
	caches  string            // a folder for each key
	saved   []string          // keys, the oldest first
	values  map[string]string // of expressions
	outcome string            // of the step fuzz
	summary string            // path
}

// expression matches an expression of GitHub.
var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// expand puts the values of expressions into a text.
func (r *runner) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := r.values[name]
		if !ok {
			r.t.Fatalf("action.yml uses %s, which has no value", e)
		}
		return value
	})
}

// wanted reports whether a step is executed.
func (r *runner) wanted(s step) bool {
	switch s.If {
	case "":
		return r.outcome != "failure"
	case "always() && steps.fuzz.outcome != 'skipped'":
		return r.outcome != "skipped"
	case "always() && steps.fuzz.outcome == 'failure'":
		return r.outcome == "failure"
	}
	r.t.Fatalf("the test does not know the condition %q", s.If)
	return false
}

// run executes all steps of one run of a job.
func (r *runner) run(steps []step, number string) (log string) {
	r.values["github.run_number"], r.outcome = number, "skipped"
	r.temp = filepath.Join(r.world.dir, "runner"+number)
	if err := os.Mkdir(r.temp, 0o777); err != nil {
		r.t.Fatal(err)
	}
	path := ""
	for _, s := range steps {
		switch {
		case !r.wanted(s):
		case s.Uses != "":
			r.use(s)
		default:
			said, err := r.shell(s, path)
			log += said
			if s.ID == "fuzz" {
				r.outcome = map[bool]string{true: "success", false: "failure"}[err == nil]
			} else if err != nil {
				r.t.Fatalf("step %s: %v\n%s", s.ID, err, said)
			}
			path = r.take(s.ID)
		}
	}
	return log
}

// file returns the path of a file by which a step tells the next ones something.
func (r *runner) file(name string) string { return filepath.Join(r.temp, name) }

// shell executes the commands of a step, with more folders in PATH.
func (r *runner) shell(s step, path string) (string, error) {
	if s.Shell != "bash" {
		r.t.Fatalf("step %s has the shell %q", s.ID, s.Shell)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir = filepath.Join(r.dir, r.expand(s.Dir))
	cmd.Env = r.world.environ("RUNNER_TEMP="+r.temp, "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+r.dir, "GITHUB_STEP_SUMMARY="+r.summary,
		"GITHUB_OUTPUT="+r.file("output"), "GITHUB_PATH="+r.file("path"), "GNAW_URL="+r.values["release"])
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.expand(value))
	}
	if path != "" { // in place of the folder of the tested gnaw
		cmd.Env = append(cmd.Env, "PATH="+path+":"+filepath.Join(host.goroot, "bin")+":"+os.Getenv("PATH"))
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// take reads what a step has told, and returns the folders for PATH.
func (r *runner) take(id string) string {
	text, err := os.ReadFile(r.file("output"))
	if err != nil {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		r.values["steps.install.outputs."+name] = value
	}
	path, err := os.ReadFile(r.file("path"))
	if err != nil {
		r.t.Fatalf("after step %s: %v", id, err)
	}
	return strings.TrimSpace(string(path))
}

// artifact is the folder that a run uploads.
func (r *runner) artifact() string {
	return filepath.Join(r.caches, "artifact"+r.values["github.run_number"])
}

// use stands in for an action.
func (r *runner) use(s step) {
	path, key := r.expand(s.With["path"]), r.expand(s.With["key"])
	name, _, _ := strings.Cut(s.Uses, "@")
	var err error
	switch name {
	case "actions/cache/restore":
		prefix := r.expand(s.With["restore-keys"])
		for _, saved := range slices.Backward(r.saved) {
			if strings.HasPrefix(saved, prefix) {
				err = os.CopyFS(path, os.DirFS(filepath.Join(r.caches, saved)))
				break
			}
		}
	case "actions/cache/save":
		if slices.Contains(r.saved, key) {
			r.t.Errorf("the cache %s exists, and cannot be changed", key)
		}
		r.saved = append(r.saved, key)
		err = os.CopyFS(filepath.Join(r.caches, key), os.DirFS(path))
	case "actions/upload-artifact":
		err = os.CopyFS(r.artifact(), os.DirFS(path))
	default:
		r.t.Errorf("action.yml uses %s, which the test does not know", s.Uses)
	}
	if err != nil {
		r.t.Errorf("%s: %v", s.Uses, err)
	}
}

// TestTheAction executes the steps of action.yml twice: the second run has the corpus of the first one.
func TestTheAction(t *testing.T) {
	if testing.Short() {
		t.Skip("fuzzes")
	}
	w, dir := module(t, "terminal")
	_, url := release(t, host.gnaw)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	file, err := filepath.Abs(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(tool(t, "run", "./yaml", file), &action); err != nil {
		t.Fatal(err)
	}
	r := &runner{t: t, world: w, dir: dir, caches: filepath.Join(w.dir, "caches"), summary: filepath.Join(w.dir, "summary.md")}
	r.values = map[string]string{
		"github.job": "fuzz", "github.run_attempt": "1", "github.action_path": filepath.Dir(file), "runner.os": "Linux", "release": url,
	}
	for name, in := range action.Inputs {
		r.values["inputs."+name] = r.expand(in.Default)
	}
	r.values["inputs.version"] = "latest" // a build from the source needs modules
	r.values["inputs.command"] = "fuzz -fuzztime=20000x -parallel=1 -std=plain"
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	log := r.run(action.Runs.Steps, "1")
	if r.outcome != "failure" || !strings.Contains(log, "::error ") || !strings.Contains(log, "FuzzCodes") {
		t.Errorf("the first run is a %s:\n%s", r.outcome, log)
	}
	for _, name := range []string{"gnaw.sarif", "gnaw.xml", "testdata/fuzz/FuzzCodes/*"} {
		if files := glob(t, filepath.Join(r.artifact(), name)); len(files) != 1 {
			t.Errorf("the artifact has %q as %s", files, name)
		}
	}
	if err := os.RemoveAll(filepath.Join(w.cache, "fuzz")); err != nil { // the next runner
		t.Fatal(err)
	}
	r.run(action.Runs.Steps, "2")
	summary, err := os.ReadFile(r.summary)
	if err != nil {
		t.Fatal(err)
	}
	ran := regexp.MustCompile("`gnaw fuzz .*` of gnaw .*: exit code 1, a bug, or go test fails\\. The corpus had (\\d+) inputs before and has (\\d+) now\\.\n").
		FindAllStringSubmatch(string(summary), -1)
	if len(ran) != 2 || ran[0][1] != "0" || ran[0][2] == "0" || ran[1][1] != ran[0][2] {
		t.Errorf("the summary says %q:\n%s", ran, summary)
	}
	if want := []string{"gnaw-Linux-fuzz-1-1", "gnaw-Linux-fuzz-2-1"}; !slices.Equal(r.saved, want) {
		t.Errorf("the caches are %q, want %q", r.saved, want)
	}
}

//go:build linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// browser is the program app/mock/e2e.mjs, which uses pages in a browser.
type browser struct {
	t    *testing.T
	end  context.CancelFunc
	in   io.Writer
	out  *json.Decoder
	said bytes.Buffer // by the program about its own errors; read it when out has ended
}

// newBrowser starts a browser without a window.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	app := filepath.Join("..", "ui", "web", "app")
	if _, err := os.Stat(filepath.Join(app, "node_modules", "playwright-core")); err != nil {
		t.Fatalf("the test needs the packages of the dashboard: run npm ci in internal/ui/web/app: %v", err)
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("the test needs chromium: %v", err)
	}
	ctx, end := context.WithCancel(context.Background())
	b := &browser{t: t, end: end}
	cmd := exec.CommandContext(ctx, "node", filepath.Join("mock", "e2e.mjs"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends the browser too
	cmd.WaitDelay = patience
	cmd.Dir, cmd.Stderr, cmd.Env = app, &b.said, append(os.Environ(), "CHROMIUM="+chromium)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("the test needs node: %v", err)
	}
	b.in, b.out = in, json.NewDecoder(out)
	t.Cleanup(func() {
		defer end()
		late := time.AfterFunc(longPatience, end)
		defer late.Stop()
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the browser ends with %v: %s", err, b.said.String())
		}
	})
	return b
}

// do has the program do a step, and returns its value. The test fails if a page has opened a dialog or thrown an exception.
func (b *browser) do(step string, args ...string) (value string) {
	b.t.Helper()
	// Each wait of a step has a limit of its own, which is as long; a step has a few of them.
	late := time.AfterFunc(10*longPatience, b.end)
	defer late.Stop()
	if err := json.NewEncoder(b.in).Encode(append([]string{step}, args...)); err != nil {
		b.t.Fatalf("%s: the browser has ended: %v", step, err)
	}
	var answer struct {
		Value, Failure string
		Errors         []string
	}
	if err := b.out.Decode(&answer); err != nil {
		b.t.Fatalf("%s: the browser has ended: %v", step, err)
	}
	for _, e := range answer.Errors {
		b.t.Errorf("%s: %s", step, e)
	}
	if answer.Failure != "" {
		b.t.Fatalf("%s: %s", step, answer.Failure)
	}
	return answer.Value
}

// serve starts a campaign with a dashboard, and returns the URL of the dashboard with the token, and its base.
func (w *world) serve(t *testing.T, dir, address string) (campaign *running, url, base string) {
	t.Helper()
	campaign = w.start(t, dir, w.environ(), host.gnaw, "fuzz", "-http="+address, "-http-control", "-cover", "-std=plain", "-parallel=1", "-fresh", "-v")
	campaign.waitFor(t, "gnaw: dashboard: ", "")
	url, base, ok := dashboardIn(campaign.read(t))
	if !ok {
		t.Fatalf("gnaw prints no address of a dashboard:\n%s", campaign.read(t))
	}
	return campaign, url, base
}

// TestTheDashboardInABrowser opens the dashboard of a campaign whose target is full of markup, and uses its pages. What the pages do with any data,
// such as sorting, themes and zooming, is in app/mock/use.mjs.
func TestTheDashboardInABrowser(t *testing.T) {
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	b := newBrowser(t)
	w, dir := module(t, "dashboard")
	campaign, url, base := w.serve(t, dir, "127.0.0.1:0")
	b.do("begin", url)
	b.do("target")
	rerun(t, w, dir, b.do("finding"))
	b.do("lists", base)

	b.do("campaign", base+"/")
	if err := campaign.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, output := campaign.wait(t, time.Minute); code != exitcode.Finding {
		t.Errorf("gnaw exits with %d:\n%s", code, output)
	}
	b.do("gone")
	again, url, _ := w.serve(t, dir, strings.TrimPrefix(base, "http://"))
	b.do("refused")
	b.do("campaign", url)
	b.do("stop")
	if err := again.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, output := again.wait(t, time.Minute); code != exitcode.Finding && code != exitcode.Unreached { // it may end before the first turn
		t.Errorf("gnaw exits with %d:\n%s", code, output)
	}
	b.do("gone")
	w.wantNoProcess(t)
}

// rerun runs the command of a finding, which shows the finding.
func rerun(t *testing.T, w *world, dir, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, w.environ()
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "window.hacked=1") {
		t.Errorf("the command %q does not show the finding: %v\n%s", command, err, out)
	}
}

//go:build linux

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// tab is a tab of a browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// newBrowser starts a browser without a window, with one tab.
func newBrowser(t *testing.T) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("the test needs chromium: %v", err)
	}
	// chromedp makes the folder of the profile and removes it when all processes that write there have ended. t.TempDir could be removed before.
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 800),
		chromedp.WSURLReadTimeout(longPatience))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(cancel)
	return openTab(t, ctx)
}

// openTab opens a tab. The test fails if a page opens a dialog or throws an exception.
func openTab(t *testing.T, parent context.Context) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithListener(func(e any) {
		switch e := e.(type) {
		case *page.EventJavascriptDialogOpening:
			t.Errorf("a page opens the dialog %q", e.Message)
		case *runtime.EventExceptionThrown:
			t.Errorf("a page throws %v", e.ExceptionDetails)
		}
	}))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	return &tab{t, ctx}
}

// id is the selector of an element of the pages.
func id(name string) string { return "[data-testid=" + name + "]" }

// do runs actions, each of which waits for its elements.
func (b *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longPatience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + document.body.innerText")) // empty if that fails too
		b.t.Fatalf("%s: %v; the page is %.3000s", what, err, text)
	}
}

// await waits until an expression is true in the page.
func (b *tab) await(what, expression string) {
	b.t.Helper()
	b.do(what, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(longPatience)))
}

// text returns the text of an element.
func (b *tab) text(name string) string {
	b.t.Helper()
	b.do("look for "+name, chromedp.WaitVisible(id(name)))
	return evaluate[string](b, "document.querySelector('"+id(name)+"').innerText")
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("evaluate %s: %v", expression, err)
	}
	return value
}

// click waits until an element is visible and enabled, and clicks it by a script. A click at a place on the screen could miss the element,
// because the page changes while the campaign runs.
func (b *tab) click(name string) {
	b.t.Helper()
	b.await("click "+name, "(e => e !== null && e.checkVisibility() && !e.disabled && (e.click(), true))(document.querySelector('"+id(name)+"'))")
}

// open opens a page of the dashboard, and waits until it has its data.
func (b *tab) open(url string) {
	b.t.Helper()
	b.do("open "+url, chromedp.Navigate(url))
	b.await("the page has its data", "document.querySelector('main[data-ready=true] h1') !== null && document.querySelector('main .loading') === null")
}

// wantUnharmed checks that the page shows markup of the target as text.
func (b *tab) wantUnharmed() {
	b.t.Helper()
	if evaluate[bool](b, "window.hacked !== undefined || document.querySelectorAll('img[src=x], svg[onload]').length > 0") {
		b.t.Error("markup of the target is a part of the page")
	}
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

// TestTheDashboardInABrowser opens the dashboard of a campaign whose target is full of markup, and uses its pages.
func TestTheDashboardInABrowser(t *testing.T) {
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	w, dir := module(t, "dashboard")
	campaign, url, base := w.serve(t, dir, "127.0.0.1:0")
	b := newBrowser(t)
	b.open(url)

	b.await("the numbers rise", "(window.first ??= document.querySelector('"+id("figure-execs")+"')?.innerText) && document.querySelector('"+id("figure-execs")+"').innerText !== window.first")
	sortAndFilter(b)
	goDark(b)
	zoom(b)
	openFinding(t, b, w, dir)
	for _, address := range []string{"campaigns", "findings", "campaigns/live/log", "campaigns/live/sources", "campaigns/live/frontier"} {
		b.open(base + "/" + address)
		b.wantUnharmed()
	}

	b.do("go back to the campaign", chromedp.Navigate(base+"/"), chromedp.WaitVisible(id("targets-row")))
	if err := campaign.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, output := campaign.wait(t, time.Minute); code != exitcode.Finding {
		t.Errorf("gnaw exits with %d:\n%s", code, output)
	}
	b.await("the page says that gnaw has ended", "['lost', 'refused'].includes(document.querySelector('"+id("connection")+"').dataset.state)")
	again, url, _ := w.serve(t, dir, strings.TrimPrefix(base, "http://"))
	b.await("the page says that it needs the new address", "document.querySelector('"+id("connection")+"').dataset.state === 'refused'")
	b.do("open the new address", chromedp.Navigate(url), chromedp.WaitVisible("main[data-ready=true]"), chromedp.WaitVisible(id("targets-row")))
	b.click("control-stop")
	b.click("control-stop-yes")
	b.await("the page says that the campaign has ended, and keeps its numbers", "document.querySelector('"+id("control-stop")+"') === null && document.querySelector('"+id("targets-row")+"') !== null")
	if err := again.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, output := again.wait(t, time.Minute); code != exitcode.Finding && code != exitcode.Unreached { // it may end before the first turn
		t.Errorf("gnaw exits with %d:\n%s", code, output)
	}
	w.wantNoProcess(t)
}

// sortAndFilter sorts and filters the targets of a campaign.
func sortAndFilter(b *tab) {
	b.t.Helper()
	b.click("targets-sort-execs")
	b.await("the targets are sorted", "document.querySelector('"+id("targets-sort-execs")+"').closest('th').ariaSort === 'descending'")
	b.do("filter", chromedp.SendKeys(id("targets-filter"), "FuzzQuiet")) // "quiet" would also match a state
	b.await("one target is left", "document.querySelectorAll('"+id("targets-row")+"').length === 1")
	b.do("end the filter", chromedp.Navigate(evaluate[string](b, "location.origin + location.pathname")), chromedp.WaitVisible(id("targets-row")))
}

// goDark chooses the dark theme, which survives loading the page again.
func goDark(b *tab) {
	b.t.Helper()
	b.do("choose the dark theme", chromedp.Evaluate[chromedp.Void](`{
		const theme = document.querySelector("`+id("theme")+`");
		theme.value = "dark";
		theme.dispatchEvent(new Event("change", {bubbles: true}));
	}`))
	b.await("the page is dark", "document.documentElement.dataset.theme === 'dark'")
	b.do("load the page again", chromedp.Reload(), chromedp.WaitVisible("main[data-ready=true]"))
	b.await("the page is still dark", "document.documentElement.dataset.theme === 'dark'")
}

// zoom zooms the plots of a target.
func zoom(b *tab) {
	b.t.Helper()
	b.await("the campaign has run for a while", "document.querySelector('"+id("target-link")+"') !== null")
	b.click("target-link")
	b.await("the plots have points", "document.querySelector('"+id("zoom-in")+"') !== null")
	b.click("zoom-in")
	b.await("the plots are zoomed", "document.querySelector('[data-zoomed=true]') !== null")
	b.click("zoom-reset")
	b.await("the plots are whole", "document.querySelector('[data-zoomed=false]') !== null")
	b.wantUnharmed()
}

// openFinding opens the finding of the campaign, copies its command, and runs it.
func openFinding(t *testing.T, b *tab, w *world, dir string) {
	t.Helper()
	b.click("nav-findings")
	b.await("there is a finding", "document.querySelector('"+id("finding-link")+"') !== null")
	b.click("finding-link")
	command := b.text("command-rerun")
	b.wantUnharmed()
	if text := b.text("stack"); !strings.Contains(text, "Parse") {
		t.Errorf("the stack is %q", text)
	}
	for _, view := range []string{"view-text", "view-hex", "view-literal"} {
		b.click(view)
		b.wantUnharmed()
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, w.environ()
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "window.hacked=1") {
		t.Errorf("the command %q does not show the finding: %v\n%s", command, err, out)
	}
	// The page shows its message about the copy only for a moment, and a browser without a window may have no clipboard.
	b.do("note what is copied", chromedp.Evaluate[chromedp.Void]("navigator.clipboard.writeText = async (text) => { window.copied = text; }"))
	b.click("copy-rerun")
	b.await("the command is copied", fmt.Sprintf("window.copied === %q", command))
}

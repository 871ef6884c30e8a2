package cli

import (
	"context"
	"fmt"
	"net"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/metrics"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/ui/web"
)

const helpUI = `usage: gnaw ui [flags]

Shows the campaigns of the history and those that run on this machine, with their findings, in a browser. gnaw ui prints the address,
which contains a token (GNAW_HTTP_TOKEN sets it), and serves the pages until ^C. The pages change nothing. See docs/dashboard.md.

{flags}

By default, only this machine can reach the address. gnaw fuzz -http shows the campaign that it runs and the history; with -http-control
the pages can also pause, resume and stop the campaign, and mark findings as known.
`

// webFlags are the flags of gnaw fuzz about the dashboard.
type webFlags struct {
	address string // empty: there is no dashboard
	control bool
}

// tokenVariable is the environment variable with the token of the dashboard. With it the address and the settings of Prometheus stay the same.
const tokenVariable = "GNAW_HTTP_TOKEN"

// checkToken returns an error if the token of the variable cannot be used. It does not contain the token.
func checkToken(env Env) error {
	if env.token == "" {
		return nil
	}
	if err := web.CheckToken(env.token); err != nil {
		return usagef("%s: %v", tokenVariable, err)
	}
	return nil
}

// defaultAddress lets the system choose a port.
const defaultAddress = "127.0.0.1:0"

func (f *webFlags) define(fs *flagSet) {
	fs.describe("http", "addr", "show the campaign in a browser at this address, such as 127.0.0.1:8080 or "+defaultAddress+" for a free port; gnaw "+
		"prints the address with a token, which the variable "+tokenVariable+" sets; see docs/dashboard.md")
	fs.Func("http", "", address(&f.address))
	fs.describe("http-control", "", "with -http, the dashboard can pause, resume and stop the campaign, and mark findings as known")
	fs.BoolVar(&f.control, "http-control", false, "")
}

// address returns a function that reads the value of -http.
func address(to *string) func(string) error {
	return func(s string) error {
		if _, _, err := net.SplitHostPort(s); err != nil {
			return fmt.Errorf("it takes a host and a port, such as %s", defaultAddress)
		}
		*to = s
		return nil
	}
}

func (f webFlags) validate() error {
	if f.control && f.address == "" {
		return usagef("-http-control has no effect without -http")
	}
	return nil
}

// check returns an error if the dashboard cannot have the token of the environment.
func (f webFlags) check(env Env) error {
	if f.address == "" {
		return nil
	}
	return checkToken(env)
}

// serve serves a campaign to browsers with -http, and always to gnaw ui, on a socket in the folder of the process. The caller prints address,
// which is empty without -http, and calls end when the campaign is over. While a page is open, end waits for ctx.
func (f webFlags) serve(ctx context.Context, env Env, c *campaign.Campaign, site string) (address string, end func(), err error) {
	live := web.NewLive(c.Identity.Packages, c.Identity.Args, c.Toolchain.Cache, c.Snapshot)
	o := webOptions(env, c.Module)
	o.Live = live
	if f.control {
		o.Control = c
	}
	if f.address != "" {
		numbers := metrics.New()
		c.Events.Subscribe(numbers.Event)
		o.Metrics = numbers
	}
	s := web.New(o)
	if f.address != "" {
		if address, err = listenWeb(s, f.address); err != nil {
			return "", nil, err
		}
	}
	if l, err := web.ListenSocket(filepath.Join(site, socketName)); err == nil { // otherwise gnaw ui shows what the history has
		s.ServeSocket(l)
	}
	c.Events.Subscribe(live.Event)
	return address, func() {
		s.Linger(ctx, func() {
			fmt.Fprintln(env.Stderr, "gnaw: a page of the dashboard is open, so gnaw still answers it; ^C ends gnaw")
		})
		_ = s.Close() // connections that it cannot close end with the process
	}, nil
}

// socketName is the socket of a process in its folder.
const socketName = "ui/socket"

// webOptions returns the options that all servers have. m is the module of the working directory.
func webOptions(env Env, m project.Module) web.Options {
	version, goVersion := versionOf()
	return web.Options{
		Open: openStore, Token: env.token, Version: version, Go: goVersion, Module: m, Dir: env.Dir, Describe: campaign.Describe, Alive: cache.SiteInUse,
		MarkKnown: func(m project.Module, r finding.Record, e known.Entry) error {
			_, err := known.Add(m.Root, e)
			if err == nil {
				_, err = putAway(m, r)
			}
			return err
		},
	}
}

// listenWeb makes a server listen for browsers. It returns the lines to print: a warning if other machines can reach the address, and the URL.
func listenWeb(s *web.Server, address string) (lines string, err error) {
	l, at, err := web.Listen(address)
	if err != nil {
		return "", err
	}
	if text := s.Warning(at); text != "" {
		lines = "gnaw: warning: " + text + "\n"
	}
	s.Serve(l, at)
	return lines + "gnaw: dashboard: " + s.URL(at) + "\n", nil
}

// uiFlags are the flags of gnaw ui.
type uiFlags struct{ address string }

func (f *uiFlags) define() *flagSet {
	fs := newFlags("ui")
	fs.describe("http", "addr", "address to listen on, such as 127.0.0.1:8080 (default "+defaultAddress+": a free port)")
	fs.Func("http", "", address(&f.address))
	return fs
}

// runUI is `gnaw ui`.
func runUI(ctx context.Context, env Env, args []string) (int, error) {
	f := uiFlags{address: defaultAddress}
	rest, err := parseMixed(f.define(), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("ui takes no arguments besides its flags")
	}
	if err := checkToken(env); err != nil {
		return 0, err
	}
	db, err := openStore(ctx)
	if err != nil {
		return 0, err // there is nothing else to show
	}
	_ = db.Close() // nothing was written
	o := webOptions(env, project.Find(env.Dir))
	o.Socket = func(run string) string {
		dir, err := cache.SitePath(run)
		if err != nil {
			return ""
		}
		return filepath.Join(dir, socketName)
	}
	s := web.New(o)
	lines, err := listenWeb(s, f.address)
	if err != nil {
		return 0, err
	}
	fmt.Fprint(env.Stderr, lines)
	<-ctx.Done()
	return exitcode.OK, s.Close()
}

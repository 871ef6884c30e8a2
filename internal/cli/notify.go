package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/notify"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// notifyVariable is the environment variable with the URL that gets messages, for CI systems that pass secrets in variables.
const notifyVariable = "GNAW_NOTIFY"

// notifyFlags are the flags about messages. The URL is a secret: it is neither printed nor recorded nor passed to another process.
type notifyFlags struct {
	text  string // value of -notify
	given bool
	input bool
	test  bool     // send a message that says that messages arrive, and end
	url   *url.URL // nil: gnaw sends no messages
}

// define defines the flags.
func (f *notifyFlags) define(fs *flagSet) {
	fs.describe("notify", "url", "send messages to this webhook, such as one of Slack or Mattermost: about each new bug, and at the end if there is a bug; "+
		"see docs/notify.md (default: the variable "+notifyVariable+")")
	fs.Func("notify", "", func(s string) error { // read checks the value, because an error here would print it
		f.text, f.given = s, true
		return nil
	})
	fs.describe("notify-input", "", "add the input to the messages")
	fs.BoolVar(&f.input, "notify-input", false, "")
	fs.describe("notify-test", "", "send a test message in place of fuzzing, and say whether the server accepts it")
	fs.BoolVar(&f.test, "notify-test", false, "")
}

// read reads the URL from the flag or the environment variable.
func (f *notifyFlags) read(env Env) (err error) {
	where := "-notify"
	if !f.given {
		f.text, where = env.webhook, notifyVariable
	}
	if f.text != "" {
		if f.url, err = notify.Parse(f.text); err != nil {
			return usagef("%s: %v", where, err)
		}
	}
	if f.test && f.url == nil {
		return usagef("-notify-test needs a URL: -notify or the variable %s", notifyVariable)
	}
	return nil
}

// sendTest is gnaw fuzz -notify-test.
func (f *notifyFlags) sendTest(ctx context.Context, env Env) (int, error) {
	if err := notify.Test(ctx, notify.Options{URL: f.url, Module: project.Find(env.Dir).Path}); err != nil {
		return 0, fmt.Errorf("the test message to %s is not sent: %w", f.url.Host, err)
	}
	fmt.Fprintf(env.Stdout, "%s accepts the test message\n", f.url.Host)
	return exitcode.OK, nil
}

// takeSecret returns the value of a variable with a secret, and the environment of other processes: environ without this variable.
func takeSecret(environ []string, name string) (text string, rest []string) {
	text = session.Getenv(environ, name)
	return text, slices.DeleteFunc(slices.Clone(environ), func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

// start sends messages about a campaign. The caller closes the events of the campaign, and then calls end.
func (f *notifyFlags) start(env Env, o campaign.Options) (end func()) {
	if f.url == nil {
		return func() {}
	}
	n := notify.New(notify.Options{URL: f.url, Module: o.Module.Path, Input: f.input, Warn: func(text string) {
		if !o.Events.Publish(event.Notice{What: event.Warning, Text: text}) { // the campaign is over
			fmt.Fprintf(env.Stderr, "gnaw: %s\n", text)
		}
	}})
	o.Events.Subscribe(n.Event)
	return func() {
		sent := env.screen.busy("sending messages to " + f.url.Host)
		defer sent()
		n.Close()
	}
}

package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/notify"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// notifyVariable is the environment variable with the URL that gets messages, for CI systems that pass secrets in variables.
const notifyVariable = "GNAW_NOTIFY"

// notifyFlags are the flags about messages. The URL is a secret: it is neither printed nor recorded nor passed to another process.
type notifyFlags struct {
	text  string // value of -notify
	given bool
	input bool
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
	return nil
}

// takeWebhook returns the value of GNAW_NOTIFY, and the environment of other processes: environ without this variable.
func takeWebhook(environ []string) (text string, rest []string) {
	text = session.Getenv(environ, notifyVariable)
	return text, slices.DeleteFunc(slices.Clone(environ), func(v string) bool { return strings.HasPrefix(v, notifyVariable+"=") })
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

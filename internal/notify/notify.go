// Package notify sends messages about a campaign to a URL, such as a webhook of Slack or Mattermost: one for each new bug, and one at the end
// of the campaign if there is a bug.
//
// A [Notifier] subscribes to the events of the campaign. It sends from a goroutine of its own, from a queue of limited length, so that a slow
// server delays neither fuzzing nor other subscribers.
package notify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// maxQueue is the largest number of messages that wait. A Notifier drops further ones.
	maxQueue = 64
	// flushTime is the longest time for which Close sends messages.
	flushTime = 15 * time.Second
)

// Options says what a Notifier sends, and where.
type Options struct {
	URL    *url.URL // from [Parse]. It is a secret: errors and warnings contain only its host
	Module string   // path of the module
	Input  bool     // messages contain the input of the finding
	// Warn is called with a sentence about each message that is not sent: on several goroutines, but not by two at once.
	Warn func(text string)

	Transport http.RoundTripper                                // nil: http.DefaultTransport
	Sleep     func(ctx context.Context, d time.Duration) error // waits between two tries, and returns the error of ctx if that ends; nil: uses a timer
	Began     time.Time                                        // a finding that was first seen before this time is not new; zero: the time of New
}

// Notifier sends messages about a campaign.
type Notifier struct {
	Options
	client http.Client
	queue  chan letter
	cancel context.CancelFunc // gives up the remaining messages
	done   chan struct{}      // closed when the goroutine that sends has ended

	kept []letter // of run: those that the server may accept later, the oldest first; at most maxQueue

	// The fields below belong to Event.
	bugs map[string]bool // by ID, whether the bug is new
	full bool            // the last message was dropped

	warning sync.Mutex // held during a call of Warn
}

// letter is a message with a name for warnings.
type letter struct {
	message
	about string
}

// New starts a Notifier. The caller calls Close.
func New(o Options) *Notifier {
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notifier{Options: o, queue: make(chan letter, maxQueue), cancel: cancel, done: make(chan struct{}), bugs: map[string]bool{}}
	n.client = http.Client{Transport: o.Transport, Timeout: tryTime, CheckRedirect: checkRedirect}
	go n.run(ctx)
	return n
}

// Event queues the message about an event, if there is one. Only one goroutine at a time may call it.
func (n *Notifier) Event(s event.Stamped) {
	switch e := s.Event.(type) {
	case event.Finding:
		if !e.IsBug() {
			return
		}
		if _, ok := n.bugs[e.ID]; ok {
			return
		}
		isNew := !e.First.Before(n.Began)
		n.bugs[e.ID] = isNew
		if isNew {
			n.add(letter{n.ofFinding(e), "the finding " + finding.Short(e.ID, nil)})
		}
	case event.End:
		if e.Findings == 0 {
			return
		}
		seen := 0
		for _, isNew := range n.bugs {
			if !isNew {
				seen++
			}
		}
		n.add(letter{n.ofEnd(e, seen), "the end of the campaign"})
	}
}

// add queues a message, or drops it if too many are waiting.
func (n *Notifier) add(l letter) {
	select {
	case n.queue <- l:
		n.full = false
	default:
		if !n.full {
			n.warn(fmt.Sprintf("%d messages to %s are waiting; gnaw drops the next ones until there is room", maxQueue, n.URL.Host))
		}
		n.full = true
	}
}

// Close sends the messages that wait, for at most 15 seconds, and ends the Notifier. No call of Event may follow.
func (n *Notifier) Close() { n.close(flushTime) }

func (n *Notifier) close(limit time.Duration) {
	close(n.queue)
	timer := time.AfterFunc(limit, n.cancel)
	defer timer.Stop()
	<-n.done
	n.cancel()
}

// run sends messages until the queue is closed and empty.
func (n *Notifier) run(ctx context.Context) {
	defer close(n.done)
	unsent := 0
	round := time.NewTicker(roundTime)
	defer round.Stop()
	for open := true; open; {
		select {
		case l, ok := <-n.queue:
			switch open = ok; {
			case ok && ctx.Err() != nil:
				unsent++
			case ok:
				n.deliver(ctx, l)
			}
		case <-round.C:
			_ = n.flush(ctx, tries) // deliver has printed why they wait
		}
	}
	if err := n.flush(ctx, 1); err != nil && ctx.Err() == nil {
		n.warn(fmt.Sprintf("at the end too, %s to %s cannot be sent: %v", report.Plural(len(n.kept), "message"), n.URL.Host, err))
	} else {
		unsent += len(n.kept)
	}
	if unsent > 0 {
		n.warn(fmt.Sprintf("%s to %s are not sent: the campaign is over and there was no time left", report.Plural(unsent, "further message"), n.URL.Host))
	}
}

// deliver sends a message, behind those that wait. If the server may accept it later, it waits too.
func (n *Notifier) deliver(ctx context.Context, l letter) {
	n.kept = append(n.kept, l)
	err := n.flush(ctx, tries)
	switch last := len(n.kept) - 1; {
	case err == nil:
	case ctx.Err() != nil || last == maxQueue:
		n.kept = n.kept[:last]
		n.warnUnsent(l, err, "")
	default:
		n.warnUnsent(l, err, "; gnaw tries again later")
	}
}

// flush sends the messages that wait, the oldest first, until the server does not accept one. The error says why those that are left wait.
func (n *Notifier) flush(ctx context.Context, tries int) error {
	for len(n.kept) > 0 {
		err := n.send(ctx, n.kept[0].body(), tries)
		if err != nil && (mayPass(err) || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			n.warnUnsent(n.kept[0], err, "")
		}
		n.kept = n.kept[1:]
	}
	return nil
}

func (n *Notifier) warnUnsent(l letter, err error, more string) {
	n.warn(fmt.Sprintf("the message to %s about %s is not sent: %v%s", n.URL.Host, l.about, err, more))
}

// Test sends a message that says that messages arrive, with one try.
func Test(ctx context.Context, o Options) error {
	n := Notifier{Options: o}
	n.client = http.Client{Transport: o.Transport, Timeout: tryTime, CheckRedirect: checkRedirect}
	return n.send(ctx, o.ofTest().body(), 1)
}

func (n *Notifier) warn(text string) {
	n.warning.Lock()
	defer n.warning.Unlock()
	n.Warn(text)
}

package notify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// tryTime is the limit for one request with its answer.
	tryTime = 10 * time.Second
	// tries is the largest number of requests for one message, before the message waits for the next round.
	tries = 3
	// roundTime is the time between two rounds of messages that wait because a server does not accept them.
	roundTime = 5 * time.Minute
	// firstPause is the time between the first and the second try. Each further pause is five times as long.
	firstPause = time.Second
	// maxPause limits the pause that a server asks for.
	maxPause = 30 * time.Second
	// maxAnswer limits the bytes that are read of an answer. net/http uses a connection again only after the answer was read.
	maxAnswer = 64 << 10
)

// Parse reads the URL of a webhook. Its error does not contain the URL, which is a secret.
func Parse(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil:
		return nil, errors.New("it is not a URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("the URL must begin with https:// or http://")
	case u.Hostname() == "":
		return nil, errors.New("the URL has no host")
	}
	u.Fragment = ""
	return u, nil
}

// send sends a message with up to a number of tries. The error is that of the last try.
func (n *Notifier) send(ctx context.Context, body []byte, tries int) error {
	pause := firstPause
	for try := 1; ; try++ {
		asked, err := n.try(ctx, body)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return errors.New("the campaign is over and there was no time left")
		case !mayPass(err):
			return err
		case try == tries && tries > 1:
			return fmt.Errorf("%w (%d tries)", err, tries)
		case try == tries:
			return err
		}
		if err := n.Sleep(ctx, cmp.Or(asked, pause)); err != nil {
			return errors.New("the campaign is over and there was no time left")
		}
		pause *= 5
	}
}

// refusal is the answer of a server that does not accept a message.
type refusal struct {
	code   int
	reason string // what the answer says about it, on one line; may be empty
}

// Error says what the server answered.
func (r *refusal) Error() string {
	text := strings.TrimSpace(fmt.Sprintf("the server answers %d %s", r.code, http.StatusText(r.code)))
	if r.reason != "" {
		text += ": " + r.reason
	}
	return text
}

// mayPass reports whether another try may succeed after an error of send.
func mayPass(err error) bool {
	final, refused := errors.AsType[*refusal](err)
	return !(refused && !final.again()) && !errors.Is(err, errRedirect)
}

// again reports whether the server may accept the same message later.
func (r *refusal) again() bool {
	return r.code >= 500 || r.code == http.StatusTooManyRequests || r.code == http.StatusRequestTimeout
}

// try sends a message once. asked is the pause that the server asks for; 0: it asks for none.
func (n *Notifier) try(ctx context.Context, body []byte) (asked time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.URL.String(), bytes.NewReader(body))
	if err != nil {
		return 0, errors.New("the URL cannot be used in a request")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "gnaw")
	answer, err := n.client.Do(r)
	if err != nil {
		return 0, withoutURL(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxAnswer)) // without its end, the code of the answer still counts
	if answer.StatusCode >= 200 && answer.StatusCode <= 299 {
		return 0, nil
	}
	return pauseOf(answer.Header.Get("Retry-After")), &refusal{answer.StatusCode, reasonOf(text, n.URL)}
}

// pauseOf returns the pause that a header Retry-After asks for, or 0 if the header is no number of seconds.
func pauseOf(header string) time.Duration {
	n, err := strconv.Atoi(header)
	if err != nil || n <= 0 {
		return 0
	}
	return min(time.Duration(min(n, 3600))*time.Second, maxPause)
}

// withoutURL returns the cause of an error of net/http. The error itself contains the URL.
func withoutURL(err error) error {
	var named *url.Error
	if !errors.As(err, &named) {
		return err
	}
	switch {
	case named.Timeout():
		return fmt.Errorf("there was no answer within %v", tryTime)
	case strings.HasPrefix(named.Err.Error(), "failed to parse Location header"): // this cause may contain the path of the URL
		return errRedirect
	}
	return named.Err
}

var errRedirect = errors.New("the server redirects the message; gnaw follows a redirect only to the same host, and only if it keeps the request")

// checkRedirect returns an error unless a redirect keeps the host, the scheme and the request: no other server may get the message or the path
// of the URL.
func checkRedirect(r *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || r.URL.Host != first.URL.Host || r.URL.Scheme != first.URL.Scheme || r.Method != http.MethodPost {
		return errRedirect
	}
	return nil
}

// sleep waits.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// addressLine is the line in which gnaw fuzz -http and gnaw ui print the address of the dashboard.
var addressLine = regexp.MustCompile(`gnaw: dashboard: ((http://[^/]+)/\?token=\w+)`)

// dashboardIn returns the URL of the dashboard in the output of gnaw, which has the token, and its base.
func dashboardIn(output string) (url, base string, ok bool) {
	match := addressLine.FindStringSubmatch(output)
	if match == nil {
		return "", "", false
	}
	return match[1], match[2], true
}

// browse sends a request to a dashboard until the answer has a code and matches a pattern, and writes the answer to FILE. ADDRESSFILE is the
// file to which gnaw prints the address of the dashboard.
func browse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || len(args) > 5 {
		ts.Fatalf("usage: browse ADDRESSFILE CODE FILE PATH [PATTERN]")
	}
	code, err := strconv.Atoi(args[1])
	ts.Check(err)
	pattern := regexp.MustCompile("")
	if len(args) == 5 {
		pattern = regexp.MustCompile(args[4])
	}
	var client *http.Client
	base, text := "", ""
	if !within(longPatience, func() (done bool) {
		if client == nil {
			client, base = visitor(ts, args[0])
		}
		if client != nil {
			var got int
			got, text = fetch(client, base+args[3])
			done = got == code && pattern.MatchString(text)
		}
		return done
	}) {
		ts.Fatalf("in %v %s does not answer %d with %v; the last answer is %.2000s", longPatience, args[3], code, pattern, text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o666))
}

// order sends an order to a dashboard in the way of its pages.
func order(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: order ADDRESSFILE CODE ACTION")
	}
	client, base := visitor(ts, args[0])
	if client == nil {
		ts.Fatalf("%s has no address of a dashboard", args[0])
	}
	var info struct {
		CSRF string `json:"csrf"`
	}
	_, text := fetch(client, base+"/api/info")
	ts.Check(json.Unmarshal([]byte(text), &info))
	body, err := json.Marshal(map[string]string{"action": args[2], "csrf": info.CSRF})
	ts.Check(err)
	answer, err := client.Post(base+"/api/control", "application/json", bytes.NewReader(body))
	ts.Check(err)
	ts.Check(answer.Body.Close())
	if strconv.Itoa(answer.StatusCode) != args[1] {
		ts.Fatalf("the order %s gets the answer %d, want %s", args[2], answer.StatusCode, args[1])
	}
}

// visitor exchanges the token in a file for a cookie. It returns a client with the cookie and the base of the URL. client is nil if the file
// has no address or the server does not answer.
func visitor(ts *testscript.TestScript, file string) (client *http.Client, base string) {
	text, err := os.ReadFile(ts.MkAbs(file))
	url, base, ok := dashboardIn(string(text))
	if err != nil || !ok {
		return nil, ""
	}
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	client = &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
	if code, _ := fetch(client, url); code != http.StatusOK {
		return nil, ""
	}
	return client, base
}

// fetch returns the code and the body of an answer; 0 if there is none.
func fetch(client *http.Client, url string) (code int, body string) {
	answer, err := client.Get(url)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(data)
}

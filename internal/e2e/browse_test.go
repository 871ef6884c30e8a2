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

// urlOfDashboard is the address that gnaw fuzz -http and gnaw ui print.
var urlOfDashboard = regexp.MustCompile(`gnaw: dashboard: (http://[^/]+)/\?token=\w+`)

// browseTime limits how long browse waits.
const browseTime = 2 * time.Minute

// browse asks a dashboard until the answer has a code and matches a pattern. The first argument is a file to which gnaw prints the address of
// the dashboard; the answer becomes the content of another file.
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
	text := ""
	for end := time.Now().Add(browseTime); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		client, base := visitor(ts, args[0])
		if client == nil {
			continue
		}
		got, body := fetch(client, base+args[3])
		if text = body; got == code && pattern.MatchString(body) {
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(body), 0o666))
			return
		}
	}
	ts.Fatalf("in %v %s does not answer %d with %v; the last answer is %.2000s", browseTime, args[3], code, pattern, text)
}

// order sends an order to a dashboard, as its pages do.
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

// visitor returns a client that has exchanged the token in a file for the cookie; nil: there is no address in the file, or no server.
func visitor(ts *testscript.TestScript, file string) (client *http.Client, base string) {
	text, err := os.ReadFile(ts.MkAbs(file))
	match := urlOfDashboard.FindSubmatch(text)
	if err != nil || match == nil {
		return nil, ""
	}
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	client = &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
	url := string(match[0][len("gnaw: dashboard: "):])
	if code, _ := fetch(client, url); code != http.StatusOK {
		return nil, ""
	}
	return client, string(match[1])
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

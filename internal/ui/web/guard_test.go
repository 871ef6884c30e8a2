package web

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestWhatTheGuardRefuses(t *testing.T) {
	s := newSite(t, nil)
	other := New(s.Options)
	own := cookieName("127.0.0.1:" + s.at.Port)
	// host names another host, and removes the cookie unless the browser has it for this host.
	host := func(name string, cookie bool) func(*http.Request) {
		return func(r *http.Request) {
			r.Host = name
			r.Header.Del("Cookie")
			if cookie {
				r.AddCookie(&http.Cookie{Name: cookieName(name), Value: s.cookie})
			}
		}
	}
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	cookie := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Del("Cookie")
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	}
	for _, tt := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{"its own cookie", "GET", "/api/info", func(*http.Request) {}, 200},
		{"no cookie", "GET", "/api/info", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"no cookie, a page", "GET", "/", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"no cookie, metrics", "GET", "/metrics", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"the cookie of another run", "GET", "/api/info", cookie(own, other.cookie), 401},
		{"the cookie of another port", "GET", "/api/info", cookie("gnaw-1", s.cookie), 401},
		{"the token as a cookie", "GET", "/api/info", cookie(own, s.token), 401},
		{"an empty cookie", "GET", "/api/info", cookie(own, ""), 401},
		{"the token of another run", "GET", "/?token=" + other.token, func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"the token of another run with a cookie", "GET", "/?token=" + other.token, func(*http.Request) {}, 401},
		{"an empty token", "GET", "/?token=", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"a bearer token for the API", "GET", "/api/info", func(r *http.Request) { r.Header = http.Header{"Authorization": {"Bearer " + s.token}} }, 401},
		{"a foreign host", "GET", "/", host("evil.example:"+s.at.Port, false), 403},
		{"a foreign host with another token", "GET", "/?token=" + other.token, host("evil.example:"+s.at.Port, false), 403},
		{"a foreign host with the token in a request that changes something", "POST", "/api/control?token=" + s.token, host("evil.example:"+s.at.Port, false), 403},
		{"a foreign host with the cookie of another host", "GET", "/api/info", func(r *http.Request) { r.Host = "evil.example:1" }, 403},
		{"a foreign host with the token", "GET", "/?token=" + s.token, host("gnaw.internal:"+s.at.Port, false), 303},
		{"a foreign host with the cookie", "GET", "/api/info", host("gnaw.internal:9000", true), 200},
		{"a foreign host with the bearer token for the API", "GET", "/api/info", func(r *http.Request) {
			r.Host, r.Header = "evil.example", http.Header{"Authorization": {"Bearer " + s.token}}
		}, 403},
		{"another port of the host", "GET", "/api/info", host("127.0.0.1:9000", true), 200},
		{"another port of the host without the cookie", "GET", "/api/info", host("127.0.0.1:9000", false), 401},
		{"another port of the host with the cookie of the first one", "GET", "/api/info", func(r *http.Request) { r.Host = "127.0.0.1:9000" }, 401},
		{"another port of the host with the token", "GET", "/?token=" + s.token, host("localhost:9000", false), 303},
		{"a host without a port", "GET", "/api/info", host("127.0.0.1", true), 200},
		{"an address of another machine", "GET", "/api/info", host("192.0.2.1:9000", true), 200},
		{"localhost", "GET", "/api/info", host("localhost:"+s.at.Port, true), 200},
		{"localhost in IPv6", "GET", "/api/info", host("[::1]:"+s.at.Port, true), 200},
		{"a foreign origin", "GET", "/api/info", set("Origin", "http://evil.example"), 403},
		{"the origin null", "GET", "/api/info", set("Origin", "null"), 403},
		{"the origin of another port", "GET", "/api/info", set("Origin", "http://127.0.0.1:1"), 403},
		{"an encrypted origin", "GET", "/api/info", set("Origin", "https://"+strings.TrimPrefix(s.base, "http://")), 403},
		{"its own origin", "GET", "/api/info", set("Origin", s.base), 200},
		{"another site", "GET", "/api/info", set("Sec-Fetch-Site", "cross-site"), 403},
		{"a subdomain", "GET", "/api/info", set("Sec-Fetch-Site", "same-site"), 403},
		{"a script of another site", "GET", "/assets/app.js", set("Sec-Fetch-Site", "cross-site"), 403},
		{"a link of another site to a page", "GET", "/", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 200},
		{"a link of another site to the API", "GET", "/api/info", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 403},
		{"a frame of another site", "GET", "/", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		{"an unknown method", "PUT", "/api/info", func(*http.Request) {}, 405},
		{"a page by POST", "POST", "/", func(*http.Request) {}, 405},
		{"an unknown address of the API", "GET", "/api/nothing", func(*http.Request) {}, 404},
		{"an unknown file", "GET", "/assets/nothing.js", func(*http.Request) {}, 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, s.base+tt.path, nil)
			r.AddCookie(&http.Cookie{Name: own, Value: s.cookie})
			tt.change(r)
			w := httptest.NewRecorder()
			s.guard(s.at, s.pages(s.api(nil))).ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("the answer is %d %s, want %d", w.Code, w.Body, tt.want)
			}
			if w.Header().Get("Content-Security-Policy") != policy || w.Header().Get("X-Content-Type-Options") != "nosniff" ||
				w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("the headers are %v", w.Header())
			}
			if tt.want >= 400 && len(w.Result().Cookies()) > 0 {
				t.Error("a request that is refused gets a cookie")
			}
		})
	}
}

func TestTheTokenIsExchangedForACookie(t *testing.T) {
	s := newSite(t, nil)
	for path, want := range map[string]string{
		"/?token=" + s.token:                        "/",
		"/campaigns/7?a=1&token=" + s.token:         "/campaigns/7?a=1",
		"//evil.example/x?token=" + s.token:         "/evil.example/x",
		"/%5Cevil.example/?token=" + s.token:        "/evil.example/",
		"/findings/%3Cscript%3E?token=" + s.token:   "/findings/%3Cscript%3E",
		"/a?token=" + s.token + "&token=" + s.token: "/a",
	} {
		r := httptest.NewRequest(http.MethodGet, s.base+path, nil)
		w := httptest.NewRecorder()
		s.guard(s.at, s.pages(s.api(nil))).ServeHTTP(w, r)
		cookies := w.Result().Cookies()
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != want || len(cookies) != 1 {
			t.Fatalf("%s answers %d, %q, %v; want %q", path, w.Code, w.Header().Get("Location"), cookies, want)
		}
		c := cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.Value != s.cookie || strings.Contains(w.Header().Get("Location"), s.token) {
			t.Errorf("the cookie is %+v", c)
		}
	}
}

func TestAServerWithTheSameTokenKnowsTheCookie(t *testing.T) {
	a, b := New(Options{Token: "0123456789abcdef"}), New(Options{Token: "0123456789abcdef"})
	if a.token != "0123456789abcdef" || a.cookie != b.cookie || a.csrf == b.csrf || strings.Contains(a.cookie, a.token) {
		t.Errorf("the secrets are %q, %q, %q and %q, %q, %q", a.token, a.cookie, a.csrf, b.token, b.cookie, b.csrf)
	}
}

func TestATokenIsLongAndNeedsNoEscapes(t *testing.T) {
	for text, want := range map[string]bool{
		"0123456789abcdef": true, "aA0-._~aA0-._~aA": true, "0123456789abcde": false, "": false, "0123456789abcdef ": false, "0123456789abcdef\n": false,
		"0123456789abcdef/": false, "0123456789abcdefé": false,
	} {
		if err := CheckToken(text); (err == nil) != want || err != nil && text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("CheckToken(%q) = %v", text, err)
		}
	}
}

func TestTheSecretsOfTwoServersDiffer(t *testing.T) {
	a, b := New(Options{}), New(Options{})
	seen := map[string]bool{}
	for _, secret := range []string{a.token, a.cookie, a.csrf, b.token, b.cookie, b.csrf} {
		if len(secret) < 26 || seen[secret] {
			t.Errorf("the secret %q is short or not new", secret)
		}
		seen[secret] = true
	}
}

func TestMetricsAreReadWithTheToken(t *testing.T) {
	s := newSite(t, func(o *Options) {
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "gnaw_x 1\n") })
	})
	for _, host := range []string{"127.0.0.1:" + s.at.Port, "127.0.0.1:9000", "gnaw:8080"} { // the last one is the name of a service
		r := httptest.NewRequest(http.MethodGet, s.base+"/metrics", nil)
		r.Host = host
		r.Header.Set("Authorization", "Bearer "+s.token)
		w := httptest.NewRecorder()
		s.guard(s.at, s.pages(s.api(nil))).ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Body.String() != "gnaw_x 1\n" {
			t.Errorf("the metrics of %s are %d %s", host, w.Code, w.Body)
		}
	}
}

func TestOnlyADeliberateAddressIsReachableFromElsewhere(t *testing.T) {
	for _, tt := range []struct {
		host     string
		loopback bool
	}{{"127.0.0.1", true}, {"localhost", true}, {"::1", true}, {"127.9.9.9", true}, {"", false}, {"0.0.0.0", false}, {"::", false}, {"192.0.2.1", false}, {"example.com", false}} {
		a := Address{Host: tt.host, Port: "80"}
		s := New(Options{Control: &site{}})
		if a.Loopback() != tt.loopback || (s.Warning(a) == "") != tt.loopback {
			t.Errorf("%q: loopback %v, warning %q", tt.host, a.Loopback(), s.Warning(a))
		}
		if text := s.Warning(a); text != "" && (!strings.Contains(text, "findings") || !strings.Contains(text, "stop")) {
			t.Errorf("the warning does not name what is exposed: %s", text)
		}
		if a.allows("evil.example:80") || a.allows("evil.example") || a.allows("") || a.allows(":80") && tt.loopback {
			t.Errorf("%q allows a foreign name", tt.host)
		}
	}
	a := Address{Host: "example.com", Port: "80"}
	if !a.allows("example.com") || !a.allows("example.com:80") || !a.allows("192.0.2.1:80") || a.allows("other.com:80") {
		t.Error("a server for example.com has the names that it has, and no others")
	}
}

func TestAnAddressThatCannotBeUsed(t *testing.T) {
	for _, address := range []string{"8080", "", "127.0.0.1", "192.0.2.1:0", "127.0.0.1:http:80"} {
		if l, _, err := Listen(address); err == nil {
			_ = l.Close()
			t.Errorf("it listens on %q", address)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v, want one sentence", err)
		}
	}
}

func TestWhatControlRefuses(t *testing.T) {
	s := newSite(t, nil)
	good := `{"action":"pause","csrf":"` + s.csrf + `"}`
	for _, tt := range []struct {
		name, method, path, kind, body string
		readOnly                       bool
		want                           int
	}{
		{"an order", "POST", "/api/control", "application/json", good, false, 200},
		{"GET", "GET", "/api/control?action=stop&csrf=" + s.csrf, "", "", false, 405},
		{"HEAD", "HEAD", "/api/control", "", "", false, 405},
		{"GET of a known finding", "GET", "/api/known", "", "", false, 405},
		{"a dashboard that is read-only", "POST", "/api/control", "application/json", good, true, 403},
		{"a known finding in a dashboard that is read-only", "POST", "/api/known", "application/json", `{"csrf":"` + s.csrf + `"}`, true, 403},
		{"a form", "POST", "/api/control", "application/x-www-form-urlencoded", good, false, 415},
		{"plain text", "POST", "/api/control", "text/plain", good, false, 415},
		{"no type", "POST", "/api/control", "", good, false, 415},
		{"no secret", "POST", "/api/control", "application/json", `{"action":"stop"}`, false, 403},
		{"another secret", "POST", "/api/control", "application/json", `{"action":"stop","csrf":"x"}`, false, 403},
		{"no JSON", "POST", "/api/control", "application/json", "stop", false, 400},
		{"another action", "POST", "/api/control", "application/json", `{"action":"delete","csrf":"` + s.csrf + `"}`, false, 400},
		{"a body that is too large", "POST", "/api/control", "application/json", `{"reason":"` + strings.Repeat("x", maxBody) + `"}`, false, 413},
		{"a reason that is missing", "POST", "/api/known", "application/json", `{"id":"` + idOfBug + `","csrf":"` + s.csrf + `"}`, false, 400},
		{"a reason that is too long", "POST", "/api/known", "application/json", `{"id":"` + idOfBug + `","reason":"` + strings.Repeat("x", maxReason+1) + `","csrf":"` + s.csrf + `"}`, false, 400},
		{"a day that is over", "POST", "/api/known", "application/json", `{"id":"` + idOfBug + `","reason":"r","until":"2001-01-01","csrf":"` + s.csrf + `"}`, false, 400},
		{"no day", "POST", "/api/known", "application/json", `{"id":"` + idOfBug + `","reason":"r","until":"soon","csrf":"` + s.csrf + `"}`, false, 400},
		{"an unknown finding", "POST", "/api/known", "application/json", `{"id":"ffff","reason":"r","csrf":"` + s.csrf + `"}`, false, 404},
		{"a known finding", "POST", "/api/known", "application/json", `{"id":"` + idOfBug + `","reason":"<script>","until":"2999-01-01","csrf":"` + s.csrf + `"}`, false, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.orders, s.knownAs = nil, nil
			r := httptest.NewRequest(tt.method, s.base+tt.path, bytes.NewReader([]byte(tt.body)))
			r.AddCookie(&http.Cookie{Name: cookieName(r.Host), Value: s.cookie})
			r.Header.Set("Origin", s.base)
			r.Header.Set("Content-Type", tt.kind)
			w := httptest.NewRecorder()
			var c Control = s
			if tt.readOnly {
				c = nil
			}
			s.guard(s.at, s.pages(s.api(c))).ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("the answer is %d %s, want %d", w.Code, w.Body, tt.want)
			}
			if done := len(s.orders) + len(s.knownAs); (done == 1) != (tt.want == http.StatusOK) {
				t.Errorf("it does %v %v", s.orders, s.knownAs)
			}
		})
	}
}

func TestTheSocketIsReadOnly(t *testing.T) {
	s := newSite(t, nil)
	for method, want := range map[string]int{"GET": 200, "POST": 405, "DELETE": 405} {
		w := httptest.NewRecorder()
		headers(readOnly(s.api(nil))).ServeHTTP(w, httptest.NewRequest(method, "/api/info", nil))
		if w.Code != want {
			t.Errorf("%s answers %d, want %d", method, w.Code, want)
		}
	}
}

// The programs that use the pages prove that they work with the policy.
func TestTheMockServerOfThePagesHasThePolicy(t *testing.T) {
	text, err := os.ReadFile("app/mock/server.mjs")
	if err != nil || !strings.Contains(string(text), `"`+policy+`"`) {
		t.Errorf("app/mock/server.mjs does not have the policy %q (%v)", policy, err)
	}
}

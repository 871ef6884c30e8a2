package web

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
)

// policy is the Content-Security-Policy of all answers. Pages load nothing from other servers, run only scripts of this server, and cannot be
// in a frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// headers sets the headers of all answers.
func headers(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		set := w.Header().Set
		set("Content-Security-Policy", policy)
		set("X-Content-Type-Options", "nosniff")
		set("X-Frame-Options", "DENY")
		set("Referrer-Policy", "no-referrer")
		set("Cache-Control", "no-store")
		set("Cross-Origin-Opener-Policy", "same-origin")
		set("Cross-Origin-Resource-Policy", "same-origin")
		set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.ServeHTTP(w, r)
	})
}

// readOnly refuses all methods that could change something.
func readOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			fail(w, http.StatusMethodNotAllowed, "this address is read-only")
			return
		}
		h.ServeHTTP(w, r)
	})
}

// guard passes a request to next if the request names this server as its host, does not come from a page of another server, and has the
// cookie. It exchanges the token in an address for the cookie.
func (s *Server) guard(a Address, next http.Handler) http.Handler {
	return headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !a.allows(r.Host):
			refuse(w, http.StatusForbidden, "The request names another host, which could be a name that another site has made to point here. "+
				"Use the IP address of the machine, or start gnaw with this name in -http.")
		case !ofOwnPage(r):
			refuse(w, http.StatusForbidden, "The request comes from another site.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET, HEAD, POST")
			refuse(w, http.StatusMethodNotAllowed, "The server knows GET, HEAD and POST.")
		case r.Method != http.MethodPost && r.URL.Query().Has("token"):
			s.exchange(w, r, a)
		case !s.knows(r, a):
			refuse(w, http.StatusUnauthorized, "Open the address with the token that gnaw printed when it started. "+
				"Each start of gnaw has another token.")
		default:
			next.ServeHTTP(w, r)
		}
	}))
}

// ofOwnPage reports whether a request comes from a page of this server or from no page. The header Sec-Fetch-Site of browsers says whether the
// page is of another site; Origin, which requests have that could change something, names its origin. Links of other sites to pages are allowed.
func ofOwnPage(r *http.Request) bool {
	if origins, ok := r.Header["Origin"]; ok {
		if len(origins) != 1 {
			return false
		}
		u, err := url.Parse(origins[0])
		if err != nil || u.Scheme != "http" || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
		!strings.HasPrefix(r.URL.Path, "/api/") && r.URL.Path != metricsPath
}

// exchange answers a request that has a token in its address. If the token is right, the answer sets the cookie and redirects to the address
// without the token.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request, a Address) {
	query := r.URL.Query()
	if !equal(query.Get("token"), s.token) {
		refuse(w, http.StatusUnauthorized, "The token is not the one that gnaw printed when it started. Each start of gnaw has another token.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: a.cookieName(), Value: s.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query.Del("token")
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: query.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// cookieName is the name of the cookie. Browsers do not distinguish the cookies of two ports of a host.
func (a Address) cookieName() string { return "gnaw-" + a.Port }

// knows reports whether a request has the cookie. A request for the metrics may have the token in a header instead.
func (s *Server) knows(r *http.Request, a Address) bool {
	for _, c := range r.CookiesNamed(a.cookieName()) {
		if equal(c.Value, s.cookie) {
			return true
		}
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && r.URL.Path == metricsPath && equal(token, s.token)
}

// equal compares secrets in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// refuse answers with a small page of plain text.
func refuse(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte("gnaw: " + text + "\n")) // there is nobody to report an error to
}

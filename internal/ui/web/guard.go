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

// guard passes a request to next if the request has the cookie and does not come from a page of another server. It exchanges the token in an
// address for the cookie. Without the token or the cookie, a request must also have a host that allows accepts.
//
// A name is enough as the host only with a secret, so that the dashboard has any address that leads to it, such as that of a container, a
// tunnel or a service. A web site that lets its own name point to this machine (DNS rebinding) has no secret: it does not know the token, and the
// browser sends the cookie only to the name with which the user opened the address.
func (s *Server) guard(a Address, next http.Handler) http.Handler {
	return headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !a.allows(r.Host) && !s.hasSecret(r):
			refuse(w, http.StatusForbidden, "The request names another host and has no token. Another site could have made this name point here. "+
				"Open the address with the token that gnaw printed when it started.")
		case !ofOwnPage(r):
			refuse(w, http.StatusForbidden, "The request comes from another site.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET, HEAD, POST")
			refuse(w, http.StatusMethodNotAllowed, "The server knows GET, HEAD and POST.")
		case r.Method != http.MethodPost && r.URL.Query().Has("token"):
			s.exchange(w, r)
		case !s.knows(r):
			refuse(w, http.StatusUnauthorized, "Open the address with the token that gnaw printed when it started. "+hintToken)
		default:
			s.open.trust(r)
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
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !equal(query.Get("token"), s.token) {
		refuse(w, http.StatusUnauthorized, "The token is not the one that gnaw printed when it started. "+hintToken)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName(r.Host), Value: s.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query.Del("token")
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: query.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// hintToken says how long a token is right.
const hintToken = "Each start of gnaw has another token, unless the variable GNAW_HTTP_TOKEN sets it."

// cookieName is the name of the cookie for requests to a host. Browsers do not distinguish the cookies of two ports of a host.
func cookieName(host string) string {
	_, port := splitHost(host)
	return "gnaw-" + port
}

// hasSecret reports whether a request has the token or the cookie.
func (s *Server) hasSecret(r *http.Request) bool {
	return s.knows(r) || r.Method != http.MethodPost && equal(r.URL.Query().Get("token"), s.token)
}

// knows reports whether a request has the cookie. A request for the metrics may have the token in a header instead.
func (s *Server) knows(r *http.Request) bool {
	for _, c := range r.CookiesNamed(cookieName(r.Host)) {
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

package web

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// dist has the built pages. The folder app has their sources.
//
//go:embed all:app/dist
var dist embed.FS

// metricsPath is the path of the metrics.
const metricsPath = "/metrics"

// pages passes requests for the API to api, and answers all others with the files of the pages. The answer for a path without a file is
// index.html, whose program shows the page of the path.
func (s *Server) pages(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			api.ServeHTTP(w, r)
		case r.URL.Path == metricsPath && s.Metrics != nil:
			readOnly(s.Metrics).ServeHTTP(w, r)
		default:
			readOnly(http.HandlerFunc(file)).ServeHTTP(w, r)
		}
	})
}

// types are the media types of the files. Package mime is not used, because it takes types from tables of the system too.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8",
}

// file answers with a file of the pages.
func file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	data, err := fs.ReadFile(dist, path.Join("app/dist", name))
	if err != nil {
		if path.Ext(name) != "" && strings.HasPrefix(name, "assets/") {
			refuse(w, http.StatusNotFound, "There is no such file.")
			return
		}
		name = "index.html"
		if data, err = fs.ReadFile(dist, "app/dist/index.html"); err != nil {
			refuse(w, http.StatusInternalServerError, "This gnaw was built without the pages.")
			return
		}
	}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	write(w, r, data)
}

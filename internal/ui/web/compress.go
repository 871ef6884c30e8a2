package web

import (
	"compress/gzip"
	"net/http"
	"strings"
)

// leastCompressed is the least number of bytes of an answer that is compressed. A tunnel to another machine may be slow; on the same machine,
// compressing a page of a thousand targets takes one or two milliseconds.
//
// An answer with a secret must not be compressed together with text of a target, because its length would depend on both. The only secret is in
// the info, which is shorter and has no such text.
const leastCompressed = 4 << 10

// write answers with data, compressed if the answer is long and the client takes it.
func write(w http.ResponseWriter, r *http.Request, data []byte) {
	if len(data) < leastCompressed || !takesGzip(r) {
		_, _ = w.Write(data) // there is nobody to report an error to
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Vary", "Accept-Encoding")
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	_, _ = z.Write(data)
	_ = z.Close()
}

// takesGzip reports whether a client takes compressed answers.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		if name == "gzip" {
			return strings.Trim(weight, "q=0.") != "" || weight == ""
		}
	}
	return false
}

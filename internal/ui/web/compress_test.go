package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLongAnswersAreCompressedForClientsThatTakeIt(t *testing.T) {
	long, short := strings.Repeat("a line of an answer\n", leastCompressed), "short"
	for _, tt := range []struct {
		name, accept, text string
		want               bool
	}{
		{"a browser gets a long answer", "gzip, deflate, br, zstd", long, true},
		{"a client that prefers another form gets it", "br;q=1.0, gzip; q=0.5", long, true},
		{"a short answer stays as it is", "gzip", short, false},
		{"a client that says nothing gets it as it is", "", long, false},
		{"a client that knows other forms gets it as it is", "br, gzip2", long, false},
		{"a client that refuses gzip gets it as it is", "gzip;q=0, br", long, false},
		{"a client that refuses gzip precisely gets it as it is", "gzip;q=0.000", long, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if tt.accept != "" {
				r.Header.Set("Accept-Encoding", tt.accept)
			}
			w := httptest.NewRecorder()
			write(w, r, []byte(tt.text))
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != tt.want {
				t.Fatalf("it is compressed: %v, want %v", got, tt.want)
			}
			body := io.Reader(w.Body)
			if tt.want {
				z, err := gzip.NewReader(body)
				if err != nil {
					t.Fatal(err)
				}
				body = z
			}
			if got, err := io.ReadAll(body); err != nil || string(got) != tt.text {
				t.Errorf("the answer has %d bytes (%v), want %d", len(got), err, len(tt.text))
			}
		})
	}
}

func TestPagesAndLargeAnswersAreCompressedButNoSecret(t *testing.T) {
	s := newSite(t, nil)
	for path, want := range map[string]string{"/assets/app.js": "gzip", "/assets/app.css": "gzip", "/api/info": ""} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip") // then the transport leaves the answer as it is
		answer, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Content-Encoding"); got != want || answer.StatusCode != http.StatusOK || len(body) == 0 {
			t.Errorf("%s answers %d with the encoding %q and %d bytes, want %q", path, answer.StatusCode, got, len(body), want)
		}
	}
}

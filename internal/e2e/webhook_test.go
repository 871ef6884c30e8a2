package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// webhook is the command webhook of scripts: it starts a server that appends the bodies of requests to a file.
func webhook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: webhook NAME [CODE...]")
	}
	var codes []int
	for _, a := range args[1:] {
		code, err := strconv.Atoi(a)
		ts.Check(err)
		codes = append(codes, code)
	}
	file, err := os.Create(ts.MkAbs(args[0] + ".jsonl"))
	ts.Check(err)
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if _, failed := fmt.Fprintf(file, "%s\n", body); err != nil || failed != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if len(codes) > 0 {
			w.WriteHeader(codes[0])
			codes = codes[1:]
		}
	}))
	ts.Defer(func() {
		s.Close()
		_ = file.Close()
	})
	ts.Setenv(args[0], s.URL+"/services/S3CRET")
}

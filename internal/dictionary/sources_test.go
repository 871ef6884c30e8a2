package dictionary

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func BenchmarkSources(b *testing.B) {
	for _, p := range []struct{ pkg, target string }{
		{"go/types", "TestManual"}, {"net/http", "TestServeFile"}, {"encoding/json", "FuzzUnmarshalJSON"}, {"image/png", "FuzzDecode"},
	} {
		b.Run(p.pkg, func(b *testing.B) {
			for b.Loop() {
				words := Sources(b.Context(), Place{filepath.Join(runtime.GOROOT(), "src", p.pkg), p.target, os.Getenv})
				b.ReportMetric(float64(len(words)), "words")
			}
		})
	}
}

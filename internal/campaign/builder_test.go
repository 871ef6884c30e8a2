package campaign

import (
	"context"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// compiler is a Compiler that compiles nothing, and says what it is asked for.
type compiler struct{ asked *string }

func (compiler) Path(pkg string, flags []string) string { return pkg + strings.Join(flags, "") }

func (c compiler) Binary(_ context.Context, pkg string, flags []string, _ func(ready, needed int)) error {
	*c.asked = strings.Join(append([]string{"binary", pkg}, flags...), " ")
	return nil
}

func (c compiler) Plain(_ context.Context, pkg string, flags []string) (string, error) {
	*c.asked = strings.Join(append([]string{"plain", pkg}, flags...), " ")
	return "plain.test", nil
}

func (c compiler) Vet(_ context.Context, pkg string, flags []string) (string, error) {
	return strings.Join(append([]string{"vet", pkg}, flags...), " "), nil
}

func TestEachVariantIsBuiltWithItsFlags(t *testing.T) {
	var asked string
	c := Compiled{Compiler: compiler{&asked}, Flags: []string{"-tags=a"}, Plain: []string{"-tags=b"}, Cover: func(_ context.Context, one build.Target, _ func(ready, needed int)) (string, error) {
		asked = "cover " + one.Func
		return "cover.test", nil
	}}
	for _, tt := range []struct {
		name    string
		variant Variant
		asked   string
		path    string
	}{
		{"for fuzzing", Instrumented, "binary p -tags=a", "p-tags=a"},
		{"as go test does", Plain, "plain p -tags=b", "plain.test"},
		{"with the race detector", Race, "binary p -tags=a " + raceFlag, "p-tags=a" + raceFlag},
		{"for fuzzing again", Instrumented, "binary p -tags=a", "p-tags=a"},
		{"with counters", Cover, "cover FuzzX", "cover.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, err := c.Build(t.Context(), build.Target{Name: fuzz.Name{Package: "p", Func: "FuzzX"}}, tt.variant, nil)
			if err != nil || path != tt.path || asked != tt.asked {
				t.Errorf("Build = %q, %v after %q, want %q after %q", path, err, asked, tt.path, tt.asked)
			}
		})
	}
	if said, err := c.Vet(t.Context(), "p"); said != "vet p -tags=b" || err != nil {
		t.Errorf("Vet = %q, %v", said, err)
	}
}

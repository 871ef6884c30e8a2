package overlay

import (
	"errors"
	"fmt"
	"go/ast"
)

// pooling lets package hook decide whether each sync.Pool keeps its values in one list. Otherwise the garbage collector and the scheduler
// decide what a Pool returns, and so which branches the target takes.
var pooling = feature{
	{"sync/pool.go", "Pool", keepPooled},
	{"sync/pool.go", "Pool.Put", usePooled("Put", "p.gnaw.gnawPut(x); return", "x")},
	{"sync/pool.go", "Pool.Get", usePooled("Get", "return p.gnaw.gnawGet(p.New)")},
}

// keepPooled gives each Pool a list.
func keepPooled(s *source) error {
	if err := declaresFields("Pool", "New")(s); err != nil {
		return err
	}
	spec, err := one(all(s.file, func(t *ast.TypeSpec) bool { return t.Name.Name == "Pool" }))
	if err != nil {
		return err
	}
	s.insert(spec.Type.(*ast.StructType).Fields.Closing, "gnaw gnawPool ")
	return s.appendStd("pool.go.txt")
}

// usePooled makes a method of Pool, whose receiver is p, use the list if package hook says so.
func usePooled(method, instead string, want ...string) func(*source) error {
	return func(s *source) error {
		fn, err := s.function("Pool", method)
		if err != nil {
			return err
		}
		if err := takes(fn, want...); err != nil {
			return err
		}
		if self := fn.Recv.List[0].Names; len(self) != 1 || self[0].Name != "p" {
			return errors.New("the receiver is not p")
		}
		s.insert(fn.Body.Lbrace+1, fmt.Sprintf(" if %s.Pooled { %s };", hookName, instead))
		return nil
	}
}

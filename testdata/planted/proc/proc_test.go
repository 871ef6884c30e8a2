package proc

import (
	"sync"
	"testing"

	"example.com/planted/verb"
)

func FuzzEnd(f *testing.F) {
	f.Add("go on")
	f.Fuzz(func(t *testing.T, how string) { End(how) })
}

func FuzzShare(f *testing.F) {
	f.Add("one")
	f.Fuzz(func(t *testing.T, how string) {
		Share(how)
		Leave(how)
		Race(how)
		verb.Run("deep " + how)
		if how != "sub" {
			return
		}
		var done sync.WaitGroup
		done.Add(1)
		go func() {
			defer done.Done()
			t.Error("from elsewhere") // bug 31
		}()
		done.Wait()
	})
}

func FuzzWalk(f *testing.F) {
	f.Add([]byte("()"))
	f.Fuzz(func(t *testing.T, b []byte) { Walk(b) })
}

func FuzzWait(f *testing.F) {
	f.Add("a while")
	f.Fuzz(func(t *testing.T, how string) {
		Wait(how)
		Grow(how)
		Churn(how)
		if how == "late" {
			defer func() {
				v := recover()
				panic(v) // it is the first panic that is to blame
			}()
			var list []int
			_ = list[len(how)] // bug 32
		}
	})
}

func FuzzBlock(f *testing.F) {
	f.Add("no")
	f.Fuzz(func(t *testing.T, how string) { Block(how) })
}

//go:build darwin || freebsd || linux

package cache

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestASiteIsInUseUntilItsProcessIsGone(t *testing.T) {
	testkit.OwnCache(t)
	s, err := OpenSite()
	if err != nil {
		t.Fatal(err)
	}
	if !SiteInUse(s.Name()) {
		t.Error("the site of this process is not in use")
	}
	other, err := OpenSite() // which sweeps
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Dir); err != nil {
		t.Errorf("a site in use was removed: %v", err)
	}
	if err := s.lock.Close(); err != nil { // as the kernel does for a process that is killed
		t.Fatal(err)
	}
	if SiteInUse(s.Name()) || SiteInUse("nosuchsite") {
		t.Error("the site of a process that is gone is in use")
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	third, err := OpenSite()
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Dir(s.Dir)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestManyProcessesMakeAndSweepSitesAtOnce(t *testing.T) {
	testkit.OwnCache(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				s, err := OpenSite()
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(filepath.Join(s.Dir, siteLock)); err != nil || !SiteInUse(s.Name()) {
					t.Errorf("the site was taken away: %v", err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

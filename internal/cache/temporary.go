package cache

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// OpenTemporary is [OpenSite] in the folder for temporary files, for a process that needs no cache. Others can write there too, so all sites are
// below a folder that belongs to the user: another user, or one who has put a link there, must not choose what is executed or removed.
func OpenTemporary() (*Site, error) {
	s, err := openTemporary(temporaryFolder(os.TempDir()))
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w; or name a folder of your own in TMPDIR", err)
	}
	return s, nil
}

// temporaryFolder returns the folder of the user in a folder for temporary files.
func temporaryFolder(temp string) string {
	return filepath.Join(temp, fmt.Sprintf("gnaw-%d", os.Getuid()))
}

func openTemporary(folder string) (*Site, error) {
	if err := ownFolder(folder); err != nil {
		return nil, err
	}
	sites := filepath.Join(folder, sitesDir)
	if err := os.MkdirAll(sites, disk.PrivateDir); err != nil {
		return nil, err
	}
	return openSite(sites)
}

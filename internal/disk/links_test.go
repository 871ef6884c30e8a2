//go:build unix

package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

func TestFoldersThatLeadOutOfTheModuleAreRefused(t *testing.T) {
	const target = "pkg/testdata/fuzz/FuzzX"
	for _, tt := range []struct {
		name  string
		dir   string // in the module; it need not be there
		link  string // in the module
		to    string
		where string // where the error says that it leads; empty: there is no error
	}{
		{"a folder", target, "", "", ""},
		{"a folder of a package in the root", "testdata/fuzz/FuzzX", "", "", ""},
		{"the folder of the target is a link to the outside", target, target, "../../../../outside", "outside"},
		{"testdata/fuzz is a link to the outside", target, "pkg/testdata/fuzz", "../../../outside", "outside"},
		{"testdata is a link to the outside", target, "pkg/testdata", "../../outside", "outside"},
		{"testdata of a package in the root is a link to the outside", "testdata/fuzz/FuzzX", "testdata", "../outside", "outside"},
		{"testdata is a link to the folder around the module", target, "pkg/testdata", "../..", "."},
		{"testdata is a link to a folder whose name begins as the module's", target, "pkg/testdata", "../../module2", "module2"},
		{"the package is a link to the outside", target, "pkg", "../outside", "outside"},
		{"testdata is a link that stays in the module", target, "pkg/testdata", "../shared", ""},
		{"the folder of the target is a link that stays in the module", target, target, "../../../../module/shared", ""},
		{"testdata is a link to nowhere", target, "pkg/testdata", "../../nowhere", ""},
		{"a folder of the module is a link to the outside", ".gnaw", ".gnaw", "../outside", "outside"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			around, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			module := filepath.Join(around, "module")
			for _, dir := range []string{"shared", "../outside", "../module2", filepath.Dir(tt.link)} {
				if err := os.MkdirAll(filepath.Join(module, dir), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			err = os.WriteFile(filepath.Join(module, "go.mod"), []byte("module x\n"), 0o666)
			if tt.link != "" {
				err = errors.Join(err, os.Symlink(tt.to, filepath.Join(module, tt.link)))
			}
			if err != nil {
				t.Fatal(err)
			}
			alias := filepath.Join(around, "alias") // the module may be behind a link
			if err := os.Symlink("module", alias); err != nil {
				t.Fatal(err)
			}
			for _, root := range []string{module, alias} {
				err := disk.CheckLinks(filepath.Join(root, tt.dir))
				var link *disk.LinkError
				switch {
				case tt.where == "" && err != nil:
					t.Errorf("CheckLinks: %v, want no error", err)
				case tt.where != "" && (!errors.As(err, &link) || link.To != filepath.Join(around, tt.where)):
					t.Errorf("CheckLinks: %v, want that it leads to %s", err, tt.where)
				}
			}
		})
	}
}

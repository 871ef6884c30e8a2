// Command pack makes a release of binaries: an archive and an SBOM for each of them, and a file with the checksums of all.
//
//	pack -time SECONDS BUILDS SHARE OUT
//
// BUILDS has a folder for each system, such as linux_amd64, with the binary. SHARE has the files that each archive contains too. The same files
// give the same bytes on every machine: all times are that of -time, in seconds since 1970, owners are root, and names are in order.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	seconds := flag.Int64("time", 0, "time of all files, in seconds since 1970")
	flag.Parse()
	if flag.NArg() != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack -time SECONDS BUILDS SHARE OUT")
		os.Exit(2)
	}
	if err := release(flag.Arg(0), flag.Arg(1), flag.Arg(2), time.Unix(*seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// release writes the files of a release into the folder out.
func release(builds, share, out string, at time.Time) error {
	systems, err := os.ReadDir(builds)
	if err != nil {
		return err
	}
	shared, err := filesBelow(share)
	if err != nil {
		return err
	}
	for _, system := range systems {
		dir := filepath.Join(builds, system.Name())
		binary, err := filesBelow(dir)
		if err != nil {
			return err
		}
		if len(binary) != 1 {
			return fmt.Errorf("%s has %d files; it must have the binary only", dir, len(binary))
		}
		binary[0].mode = 0o755
		name := filepath.Join(out, "gnaw_"+system.Name())
		write := writeTar
		if strings.HasPrefix(system.Name(), "windows_") {
			write = writeZip
		}
		if err := write(name, slices.Concat(binary, shared), at); err != nil {
			return err
		}
		if err := writeSBOM(name+".cdx.json", binary[0], at); err != nil {
			return err
		}
	}
	return writeSums(out)
}

// file is a file of an archive.
type file struct {
	name string // in the archive, with slashes
	path string
	mode os.FileMode
}

// filesBelow returns the files of a folder and of those below it, by name.
func filesBelow(dir string) (list []file, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		list = append(list, file{filepath.ToSlash(name), path, 0o644})
		return err
	})
	return list, err
}

// sumsFile has the checksums of all other files of a release, as sha256sum writes them.
const sumsFile = "checksums.txt"

func writeSums(out string) error {
	var text strings.Builder
	files, err := filesBelow(out)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.name == sumsFile {
			continue
		}
		content, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(content), f.name)
	}
	return os.WriteFile(filepath.Join(out, sumsFile), []byte(text.String()), 0o666)
}

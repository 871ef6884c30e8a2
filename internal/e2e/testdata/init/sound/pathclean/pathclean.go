// Package pathclean has the normal form of slash-separated paths.
package pathclean

import "strings"

// Clean returns the shortest path with the same meaning, by its text alone: without empty elements, without ".", and with ".." only at
// the beginning of a path that is not rooted. The empty path is ".".
func Clean(path string) string {
	rooted := strings.HasPrefix(path, "/")
	var kept []string
	for elem := range strings.SplitSeq(path, "/") {
		switch {
		case elem == "" || elem == ".":
		case elem != "..":
			kept = append(kept, elem)
		case len(kept) > 0 && kept[len(kept)-1] != "..":
			kept = kept[:len(kept)-1]
		case !rooted:
			kept = append(kept, elem)
		}
	}
	clean := strings.Join(kept, "/")
	switch {
	case rooted:
		return "/" + clean
	case clean == "":
		return "."
	}
	return clean
}

// Split returns the folder of a path, with the slash at its end, and the last element.
func Split(path string) (dir, file string) {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i], path[i:]
}

// IsLocal reports whether a path does not leave the folder to which it is relative.
func IsLocal(path string) bool {
	clean := Clean(path)
	return path != "" && clean[0] != '/' && clean != ".." && !strings.HasPrefix(clean, "../")
}

package executor

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// MemoryRoom returns the bytes of memory that gnaw and its processes can have: those of the machine, or of its container; 0 if
// they are not known.
func MemoryRoom() uint64 { return memoryRoom(os.DirFS("/")) }

// memoryRoom reads the limits from files of the system.
func memoryRoom(root fs.FS) (room uint64) {
	lower := func(n uint64) {
		if n > 0 && (room == 0 || n < room) {
			room = n
		}
	}
	lower(machineMemory(root))
	text, _ := fs.ReadFile(root, "proc/self/cgroup") // if it does not exist, there are no groups
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(fields) < 3:
		case fields[1] == "":
			lower(groupMemory(root, "sys/fs/cgroup", fields[2], "memory.max"))
		case slices.Contains(strings.Split(fields[1], ","), "memory"):
			lower(groupMemory(root, "sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"))
		}
	}
	return room
}

func machineMemory(root fs.FS) uint64 {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	var kib uint64
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "MemTotal: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

// groupMemory returns the lowest limit of a control group and of those around it, as far as they are visible here; 0: there is
// none. In a container its own group may be the outermost one.
func groupMemory(root fs.FS, mount, group, file string) (lowest uint64) {
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		text, err := fs.ReadFile(root, path.Join(mount, at, file))
		n, parseErr := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64) // "max" is none
		if err == nil && parseErr == nil && n > 0 && (lowest == 0 || n < lowest) {
			lowest = n
		}
		if at == "/" {
			return lowest
		}
	}
}

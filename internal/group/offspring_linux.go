package group

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// markEnv is a variable in the environment of a process of a target, which the processes inherit that it starts: so they are found when they
// have left its group, and it has ended.
const markEnv = "GNAW_PROCESS"

// mostScans limits how often gnaw looks for processes that were started while others were killed, and for those that have not ended yet. The
// next look is after scanPause.
const (
	mostScans = 20
	scanPause = time.Millisecond
)

var (
	marks atomic.Uint64 // how many were given
	// token differs from that of any other gnaw, of which processes may be left.
	token = sync.OnceValue(rand.Text)
)

// mark gives a command that is started later a mark of its own.
func mark(cmd *exec.Cmd) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(slices.Clip(cmd.Env), ownMarks()+strconv.FormatUint(marks.Add(1), 10)+";")
}

// ownMarks is the beginning of all marks of this gnaw.
func ownMarks() string { return markEnv + "=" + token() + "-" }

// markOf returns the mark of a command, as the environment of a process has it.
func markOf(cmd *exec.Cmd) string {
	for _, v := range slices.Backward(cmd.Env) {
		if strings.HasPrefix(v, markEnv+"=") {
			return v
		}
	}
	return ""
}

// killOffspring ends all processes that have the mark of a command, those that they have started, and those that its process has
// started, if that lives. What it cannot end, as a process of another user, stays.
func killOffspring(cmd *exec.Cmd) {
	root := 0
	if cmd.Process.Signal(syscall.Signal(0)) == nil { // otherwise its number may be that of another process
		root = cmd.Process.Pid
	}
	if own := markOf(cmd); own != "" {
		killMarked(root, own)
	}
}

// EndAll ends all that the commands have started that were prepared by [Own]. It is for a gnaw that ends at once.
func EndAll() { killMarked(0, ownMarks()) }

// killMarked ends all processes with a mark, those that they have started, and those that root has started. It returns when they have ended, or
// after some looks.
func killMarked(root int, mark string) {
	for range mostScans {
		list, unsure := offspring(root, mark)
		if len(list) == 0 && !unsure {
			return
		}
		for _, pid := range list {
			_ = syscall.Kill(pid, syscall.SIGKILL) // also one that was killed before and has not ended
		}
		time.Sleep(scanPause)
	}
}

// offspring returns the numbers of the processes that have a mark, and of those that they or root have started, without root. unsure says that
// there is a new process without an environment: it may be about to get one with the mark.
func offspring(root int, mark string) (pids []int, unsure bool) {
	children := map[int][]int{} // by the number of the parent
	since, now := statOf(root).start, uptime()
	recent := now - min(now, execTicks)
	for _, pid := range numbers() {
		s := statOf(pid)
		if s.parent == 0 || pid == root || pid == os.Getpid() {
			continue
		}
		children[s.parent] = append(children[s.parent], pid)
		if s.start < since { // it has not inherited the mark
			continue
		}
		switch has, empty := hasMark(pid, mark); {
		case has:
			pids = append(pids, pid)
		case empty && s.start >= recent && s.parent != kernelThreads:
			unsure = true
		}
	}
	add := func(parent int) {
		for _, pid := range children[parent] {
			if !slices.Contains(pids, pid) {
				pids = append(pids, pid)
			}
		}
	}
	if root > 0 {
		add(root)
	}
	for i := 0; i < len(pids); i++ { // grows
		add(pids[i])
	}
	return pids, unsure
}

const (
	// execTicks is how long after its start a process may have no environment because it executes another program: 5 s on a busy machine.
	execTicks = 5 * ticksPerSecond
	// ticksPerSecond is USER_HZ, the unit of times in /proc.
	ticksPerSecond = 100
	// kernelThreads is the process that starts those that never have an environment.
	kernelThreads = 2
)

// uptime returns the time since the system was started, in ticks; 0: it is not known.
func uptime() uint64 {
	text, _ := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	f, _ := strconv.ParseFloat(seconds, 64)
	return uint64(f * ticksPerSecond)
}

// numbers returns those of all processes.
func numbers() (pids []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stat is what the system says of a process.
type stat struct {
	parent int
	start  uint64 // in ticks since the system was started
}

// statOf reads what the system says of a process; nothing if it has ended, or is the first one. Its name, in parentheses, may have any characters.
func statOf(pid int) (s stat) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return s
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third one
	if len(fields) < 20 {
		return s
	}
	if state := fields[0]; state == "Z" || state == "X" { // its parent has not asked for its end yet
		return s
	}
	s.parent, _ = strconv.Atoi(fields[1])
	s.start, _ = strconv.ParseUint(fields[19], 10, 64)
	return s
}

// hasMark reports whether a process was started with a mark that begins so, and whether it has no environment. Both are false for a process that
// has ended, and for one of another user.
func hasMark(pid int, mark string) (has, empty bool) {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	has = slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(v []byte) bool { return bytes.HasPrefix(v, []byte(mark)) })
	return has, err == nil && len(environ) == 0
}

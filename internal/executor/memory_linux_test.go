package executor

import (
	"testing"
	"testing/fstest"
)

func TestMemoryRoomIsThatOfTheContainer(t *testing.T) {
	const machine = "MemTotal:       16000000 kB\nMemFree:  9 kB\n"
	const all = 16000000 << 10
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"nothing is known", nil, 0},
		{"a machine", map[string]string{"proc/meminfo": machine}, all},
		{"a group of version 2", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/user/gnaw\n",
			"sys/fs/cgroup/user/gnaw/memory.max": "max\n", "sys/fs/cgroup/user/memory.max": "629145600\n",
		}, 600 << 20},
		{"a container with version 2", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "629145600\n",
		}, 600 << 20},
		{"a container that sees the name of its group outside", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "5:cpu:/\n4:memory:/docker/0123\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "629145600\n",
		}, 600 << 20},
		{"the innermost group of version 1 has the lowest limit", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "4:hugetlb,memory:/a/b\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "1048576\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2097152\n",
		}, 1 << 20},
		{"a group without a limit", map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, all},
	} {
		files := fstest.MapFS{}
		for name, text := range tt.files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryRoom(files); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if MemoryRoom() == 0 {
		t.Error("the memory of this machine is not known")
	}
}

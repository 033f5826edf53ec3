package analyze

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// unknownMemory stands for the memory of a machine that does not tell it, in
// bytes: what small ones have.
const unknownMemory = 8 << 30

// MachineMemory is the memory that this process may use, in bytes: that of the
// machine, or less where a control group of Linux bounds it.
func MachineMemory() int64 { return memoryIn(os.DirFS("/")) }

// memoryIn is MachineMemory with the root of the file system.
func memoryIn(root fs.FS) int64 {
	total := int64(unknownMemory)
	if n, ok := memTotal(root); ok {
		total = n
	}
	for _, file := range groupLimits(root) {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 { // "max" is no number
			total = min(total, n)
		}
	}
	return total
}

// memTotal is the line "MemTotal:  24689764 kB" of /proc/meminfo.
func memTotal(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n << 10, err == nil && n > 0 && n < 1<<50
		}
	}
	return 0, false
}

// groupLimits are the files that can hold a limit of the control groups of
// this process, of version 2 and 1, from its own up to the root. Containers
// see their own group as the root.
func groupLimits(root fs.FS) []string {
	own2, own1 := "/", "/"
	text, _ := fs.ReadFile(root, "proc/self/cgroup") // lines "0::/a/b" and "4:memory:/a/b"
	for line := range strings.Lines(string(text)) {
		switch f := strings.SplitN(strings.TrimSpace(line), ":", 3); {
		case len(f) < 3:
		case f[1] == "":
			own2 = path.Clean("/" + f[2])
		case strings.Contains(","+f[1]+",", ",memory,"):
			own1 = path.Clean("/" + f[2])
		}
	}
	return append(upwards("sys/fs/cgroup", own2, "memory.max"), upwards("sys/fs/cgroup/memory", own1, "memory.limit_in_bytes")...)
}

// upwards lists file in each directory from group up to the top.
func upwards(top, group, file string) []string {
	var all []string
	for ; ; group = path.Dir(group) {
		all = append(all, path.Join(top, group, file))
		if group == "/" {
			return all
		}
	}
}

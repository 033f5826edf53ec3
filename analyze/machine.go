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

// unknownMemory is the memory, in bytes, that is assumed for a machine that does not tell: that of a small one.
const unknownMemory = 8 << 30

// MachineMemory returns the memory that this process may use, in bytes: that of the machine, or less if a control
// group of Linux limits it.
func MachineMemory() int64 { return memoryIn(os.DirFS("/")) }

// memoryIn does what MachineMemory does for the machine with this file system.
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

// memTotal reads the line "MemTotal: 24689764 kB" of /proc/meminfo; the result is in bytes.
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

// groupLimits returns the files that may hold a memory limit for this process: those of its control groups, of version
// 2 and 1, up to the root. A container sees its own group as the root.
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
	return append(inParents("sys/fs/cgroup", own2, "memory.max"), inParents("sys/fs/cgroup/memory", own1, "memory.limit_in_bytes")...)
}

// inParents returns the paths of file in the directory of group and in all directories above, up to
// top.
func inParents(top, group, file string) []string {
	var all []string
	for ; ; group = path.Dir(group) {
		all = append(all, path.Join(top, group, file))
		if group == "/" {
			return all
		}
	}
}

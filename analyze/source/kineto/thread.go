package kineto

import (
	"regexp"
	"strings"

	"perfdiff/analyze/trace"
)

// threadNameEvent is the name of the metadata that says what a thread is called.
const threadNameEvent = "thread_name"

// mayNameThread reports whether an event that is not complete may name a thread, as far as it was read.
func (e *event) mayNameThread() bool {
	return len(e.ph) == 1 && e.ph[0] == 'M' && !e.hasCat && (e.name == nil || string(e.name) == threadNameEvent)
}

// namesThread reports whether it is.
func (e *event) namesThread() bool { return e.name != nil && e.mayNameThread() }

// threadOf is a thread of a process by their numbers in the file.
type threadOf struct {
	pid    int64
	thread int32
}

// maxThreadNames bounds the names that are kept of a file's threads.
const maxThreadNames = 1 << 14

// profilerName is how PyTorch's profiler writes the name that the operating system has of a thread.
var profilerName = regexp.MustCompile(`^thread -?\d+ \((.*)\)$`)

// nameThread keeps the name of a thread of the host. Rows of streams have such metadata too.
func (c *collector) nameThread(e *event) {
	pid, isNumber := integer(e.pid)
	if !isNumber || len(c.threadNames) == maxThreadNames {
		return
	}
	name := strings.TrimSpace(string(c.unescape(e.memory.name)))
	if m := profilerName.FindStringSubmatch(name); m != nil {
		name = m[1]
	} else if strings.HasPrefix(name, "thread ") || strings.HasPrefix(name, "stream ") { // a number, that is known
		return
	}
	if name = trace.ThreadName(name); name != "" {
		if c.threadNames == nil {
			c.threadNames = map[threadOf]string{}
		}
		c.threadNames[threadOf{pid, threadID(e.tid)}] = name
	}
}

// threadNamesOf returns the names of the threads of a process; nil: none has one.
func (c *hostThreads) threadNamesOf(pid int64) (out map[int32]string) {
	for k, name := range c.threadNames {
		if k.pid == pid {
			if out == nil {
				out = map[int32]string{}
			}
			out[k.thread] = name
		}
	}
	return out
}

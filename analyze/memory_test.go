package analyze

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// thousands is a gzipped trace of n thousand kernels, each of which takes 60
// bytes while it is read, and nearly no space in the file.
func thousands(rank, n int) string {
	kernels := strings.Repeat(`{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1},`, 1000)
	step := strings.Replace(oneStep, `"ts":1`, `"ts":0.5`, 1)
	return zip(strings.Replace(eventsHead, `"rank":2`, fmt.Sprintf(`"rank":%d`, rank), 1)) + strings.Repeat(zip(kernels), n) + zip(step+"]}")
}

// TestTooLarge: a file that does not fit is refused by name, and its small
// neighbours are read.
func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 3 million kernels")
	}
	for _, jobs := range []int{1, 4} {
		bounded(t, 200<<20, 400<<20, func() {
			set := beside(t, func(dir string) {
				put(t, filepath.Join(dir, "large.json.gz"), thousands(2, 3300))
				put(t, filepath.Join(dir, "z3.json"), profile(3, 5, 4))
			}, Options{Memory: 100e6, Jobs: jobs})
			want := "large.json.gz: needs more memory than is allowed: the limit is 100 MB (raise --max-memory, or record fewer steps); " +
				"it was not read in parts: only exports of Nsight Systems can be, and the events of a trace in JSON stand in no order of steps"
			if got := said(set, "large.json.gz"); !strings.HasPrefix(got, want+"\n") {
				t.Errorf("%d jobs: got %q, want %q", jobs, got, want)
			}
			if got := shape(set); !strings.HasSuffix(got, "[0:4 1:4 3:4]") {
				t.Errorf("%d jobs: got %s, want ranks 0, 1 and 3", jobs, got)
			}
		})
	}
}

// TestTooLargeTogether: files that fit alone are read, whatever runs beside
// them, and progress counts each once.
func TestTooLargeTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 2 million kernels")
	}
	var size int64
	var watch counter
	set := beside(t, func(dir string) {
		for rank := 2; rank < 6; rank++ {
			text := thousands(rank, 450)
			put(t, filepath.Join(dir, fmt.Sprintf("b%d.json.gz", rank)), text)
			size += int64(len(text))
		}
		for _, name := range []string{"a0.json", "a1.json"} {
			st, err := os.Stat(filepath.Join(dir, name))
			do(t, err)
			size += st.Size()
		}
	}, Options{Memory: 100e6, Jobs: 4, Progress: &watch})
	for rank := 2; rank < 6; rank++ {
		if got := said(set, fmt.Sprintf("b%d.json.gz", rank)); strings.Contains(got, "memory") {
			t.Errorf("rank %d: got %q", rank, got)
		}
	}
	if n := len(set.Runs[0].Ranks); n != 6 || set.Runs[0].Ranks[5].Spans.Kernels != 1 {
		t.Errorf("got %d ranks and %d kernels, want 6 and 1: equal rows count once", n, set.Runs[0].Ranks[n-1].Spans.Kernels)
	}
	if watch.done.Load() != 6 || watch.bytes.Load() != size {
		t.Errorf("progress: %d files and %d bytes, want 6 and %d", watch.done.Load(), watch.bytes.Load(), size)
	}
}

// TestSpareForMore: the lists of a file's traces are kept for the next file while there is one.
func TestSpareForMore(t *testing.T) {
	for more, spans := range map[bool]int64{true: 1<<10 + 1<<11, false: 0} {
		m := &memory{limit: 1 << 40, more: func() bool { return more }}
		traces := make([]*trace.Trace, 2)
		for i := range traces {
			traces[i] = &trace.Trace{Names: trace.NewNames(), Epoch: trace.NoTime, Device: make([]trace.Span, 0, 1<<(10+i)), Lent: true}
		}
		new(result).measure(m, file{filesOfRun: 1}, traces, Options{})
		if got := m.spare.Drop(); got != spans*trace.SpanSize {
			t.Errorf("more files %v: got %d bytes of lists, want %d spans of %d", more, got, spans, trace.SpanSize)
		}
	}
}

// TestMakesRoom: of files that are read at once, all but the first are ended,
// and fewer are read at once from then on.
func TestMakesRoom(t *testing.T) {
	m := newMemory(1, 4) // any heap is too large
	defer m.close()
	first, _, endFirst := m.begin(t.Context())
	second, _, endSecond := m.begin(t.Context())
	<-second.Done()
	if got := context.Cause(second); got != errCrowded {
		t.Errorf("second: got cause %v, want %v", got, errCrowded)
	}
	endSecond()
	<-first.Done()
	endFirst()
	if m.slots != 1 {
		t.Errorf("got %d slots, want 1", m.slots)
	}
	third, _, endThird := m.begin(t.Context())
	defer endThird()
	<-third.Done()
	if got := context.Cause(third); got != errTooLarge {
		t.Errorf("third, alone: got cause %v, want %v", got, errTooLarge)
	}
}

// TestMeasuredBeforeTheEnd: memory of a file that ended after the heap was measured is not held
// against the one that is left.
func TestMeasuredBeforeTheEnd(t *testing.T) {
	const more, taken = 64 << 20, 96 << 20
	m := &memory{limit: heap() + taken + more/2, slots: 2} // nobody watches
	m.fileEnded = sync.NewCond(&m.mu)
	ctx, _, end := m.begin(t.Context())
	defer end()
	_, _, endOther := m.begin(t.Context())
	ofOther := make([]byte, taken)
	r, fits := m.running[0], make(chan bool)

	m.collecting.Lock()
	go func() { fits <- m.fits(ctx, r, more) }()
	time.Sleep(50 * time.Millisecond) // it waits to collect; where it does not yet, nothing is tested, and nothing fails
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m.mu.Lock()
	m.collecting.Unlock()
	for after.NumGC == before.NumGC {
		runtime.ReadMemStats(&after)
	}
	time.Sleep(50 * time.Millisecond) // it measured, and waits to note what it measured
	runtime.KeepAlive(ofOther)
	ofOther = nil
	m.running = m.running[:1]
	m.noteChange()
	m.mu.Unlock()
	if !<-fits || ctx.Err() != nil {
		t.Errorf("got %v, want that the file fits once it is alone", context.Cause(ctx))
	}
	endOther()
}

func TestMachineMemory(t *testing.T) {
	const info = "MemFree:  5 kB\nMemTotal:       16000000 kB\n"
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for _, tt := range []struct {
		name  string
		files fstest.MapFS
		want  int64
	}{
		{"nothing known", fstest.MapFS{}, unknownMemory},
		{"machine", fstest.MapFS{"proc/meminfo": file(info)}, 16000000 << 10},
		{"no number", fstest.MapFS{"proc/meminfo": file("MemTotal: x kB\n")}, unknownMemory},
		{"container", fstest.MapFS{"proc/meminfo": file(info), "sys/fs/cgroup/memory.max": file("1073741824\n")}, 1 << 30},
		{"no limit", fstest.MapFS{"proc/meminfo": file(info), "sys/fs/cgroup/memory.max": file("max\n")}, 16000000 << 10},
		{"group of version 2", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("0::/slurm/job_7/step_0\n"),
			"sys/fs/cgroup/slurm/job_7/memory.max": file("2147483648\n"), "sys/fs/cgroup/slurm/memory.max": file("max\n")}, 2 << 30},
		{"group of version 1", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("5:cpu,cpuacct:/x\n4:memory:/job\n"),
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": file("3221225472\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n")}, 3 << 30},
		{"a path that leads out", fstest.MapFS{"proc/self/cgroup": file("0::/../../etc\n0:\n"), "sys/fs/cgroup/memory.max": file("5\n")}, 5},
	} {
		if got := memoryIn(tt.files); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := MachineMemory(); got < 64<<20 {
		t.Errorf("this machine: got %d bytes", got)
	}
}

// TestNamesFit: tables by the names of kernels are foreseen, which are larger than the names.
func TestNamesFit(t *testing.T) {
	names := trace.NewNames()
	for i := range 1000 {
		names.ID(fmt.Sprint("k", i))
	}
	for limit, want := range map[int64]bool{100 * 1000: false, 1000 * 1000: true} {
		opt := &source.Options{Room: func(bytes int64) bool { return bytes <= limit }}
		if got := namesFit(t.Context(), opt, []*trace.Trace{{Names: names}}); got != want {
			t.Errorf("%d bytes: got %t", limit, got)
		}
	}
}

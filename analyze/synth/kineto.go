package synth

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// loaderRange is PyTorch's range around the wait for the next batch.
const loaderRange = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"

// writeKineto writes the PyTorch trace of one rank as a job under Slurm writes it: facts before
// events.
func (p *profile) writeKineto(_ context.Context, path string, format Format) error {
	return createFile(path, format == KinetoGzip, func(w *bufio.Writer) error {
		if err := p.kinetoHeader(w); err != nil {
			return err
		}
		t := &eventWriter{w: w, pid: p.pid(), device: p.local}
		p.kinetoHost(t)
		p.kinetoDevice(t)
		p.kinetoWaits(t)
		p.kinetoMemory(t)
		p.kinetoEnd(t)
		return nil
	})
}

// createFile makes a file and writes what fill does, compressed if zipped.
func createFile(path string, zipped bool, fill func(*bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w, z := bufio.NewWriterSize(f, 1<<16), (*gzip.Writer)(nil)
	if zipped {
		z = gzip.NewWriter(f)
		w.Reset(z)
	}
	err = errors.Join(fill(w), w.Flush())
	if z != nil {
		err = errors.Join(err, z.Close())
	}
	return errors.Join(err, f.Close())
}

// kinetoHeader writes the members before the events.
func (p *profile) kinetoHeader(w io.Writer) error {
	type device struct {
		ID     int    `json:"id"`
		Name   string `json:"name"`
		Memory int64  `json:"totalGlobalMem"`
		Major  int    `json:"computeMajor"`
		Minor  int    `json:"computeMinor"`
		SMs    int    `json:"numSms"`
	}
	devices := make([]device, p.story.doc.Ranks/p.story.doc.Nodes)
	for i := range devices {
		devices[i] = device{i, p.gpu, 85520809984, 9, 0, 132}
	}
	properties, err := json.Marshal(devices)
	if err != nil {
		return err
	}
	n, groups := p.story.doc.Ranks, p.configuredGroups()
	_, err = fmt.Fprintf(w, `{
  "schemaVersion": 1,
  "deviceProperties": %s,
  "cuda_runtime_version": 12040,
  "cuda_driver_version": 12040,
  "hostname": %q, "user": "someone", "trace_id": "0F0E",
  "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d, "pg_count": %d, "pg_config": [%s], "nccl_version": "2.20.5"},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": %d,
  "traceEvents": [`, properties, p.hostName(), p.rank, n, len(groups), strings.Join(groups, ", "), p.epoch)
	return err
}

// configuredGroups returns the process groups of the rank with all of their ranks.
func (p *profile) configuredGroups() []string {
	all := &rankGroup{purpose: "default_pg"}
	for i := range p.story.doc.Ranks {
		all.ranks = append(all.ranks, i)
	}
	var out []string
	for _, g := range append([]*rankGroup{all}, p.ownGroups()...) {
		out = append(out, fmt.Sprintf(`{"pg_name": "%d", "pg_desc": %q, "backend_config": "cuda:nccl", "pg_size": %d, "ranks": [%s]}`, g.id, g.purpose, len(g.ranks), listed(g.ranks, len(g.ranks))))
	}
	return out
}

// mostListed is how many ranks of a group PyTorch lists at a collective.
const mostListed = 30

// listed lists the first limit ranks of a group, as PyTorch does.
func listed(ranks []int, limit int) string {
	var parts []string
	for _, r := range ranks[:min(len(ranks), limit)] {
		parts = append(parts, strconv.Itoa(r))
	}
	if len(ranks) > limit {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// eventWriter writes trace events. The buffer keeps the first error until it is flushed.
type eventWriter struct {
	w         *bufio.Writer
	buf       []byte
	pid       int64
	device    int
	hasEvents bool
}

// beginEvent begins an event. The caller adds members and ends it.
func (t *eventWriter) beginEvent() {
	t.buf = append(t.buf[:0], ",\n  {"...)
	if !t.hasEvents {
		t.hasEvents = true
		t.buf = append(t.buf[:0], "\n  {"...)
	}
}

// endEvent ends an event.
func (t *eventWriter) endEvent() {
	t.w.Write(append(t.buf, '}')) // the buffer keeps the error
}

func (t *eventWriter) appendf(format string, args ...any) {
	t.buf = fmt.Appendf(t.buf, format, args...)
}

// micros appends ns as microseconds with three decimals.
func (t *eventWriter) micros(ns int64) {
	t.buf = strconv.AppendInt(t.buf, ns/1000, 10)
	t.buf = append(t.buf, '.')
	t.buf = append(t.buf, byte('0'+ns/100%10), byte('0'+ns/10%10), byte('0'+ns%10))
}

// beginComplete begins a complete event, up to its arguments.
func (t *eventWriter) beginComplete(category, name string, pid, tid, start, end int64) {
	t.beginEvent()
	t.appendf(`"ph": "X", "cat": "%s", "name": `, category)
	t.buf = strconv.AppendQuote(t.buf, name) // names here are plain ASCII
	t.appendf(`, "pid": %d, "tid": %d, "ts": `, pid, tid)
	t.micros(start)
	t.appendf(`, "dur": `)
	t.micros(end - start)
}

// flow adds one end of the arrow from a launch to its device work.
func (t *eventWriter) flow(ph string, id, pid, tid, at int64) {
	t.beginEvent()
	t.appendf(`"ph": %q, "id": %d, "pid": %d, "tid": %d, "ts": `, ph, id, pid, tid)
	t.micros(at)
	t.appendf(`, "cat": "ac2g", "name": "ac2g"`)
	if ph == "f" {
		t.appendf(`, "bp": "e"`)
	}
	t.endEvent()
}

func (t *eventWriter) annotation(s span, name string) {
	t.beginComplete("user_annotation", name, t.pid, t.pid, s.start, s.end)
	t.appendf(`, "args": {"External id": 1}`)
	t.endEvent()
}

// operator writes work of the host as a Python function, the module it is a part of, and the
// operator that takes nearly all of its time, with one operator that this one calls.
func (t *eventWriter) operator(s span) {
	for i, x := range []struct{ category, name string }{
		{"python_function", "/home/someone/moe/router.py(88): route"}, {"python_function", "nn.Module: Router_0"},
		{"cpu_op", "aten::nonzero"}, {"cpu_op", "aten::copy_"},
	} {
		in := int64(i) * 5_000 // each within the one before
		t.beginComplete(x.category, x.name, t.pid, t.pid, s.start+in, s.end-in)
		t.appendf(`, "args": {"External id": 1}`)
		t.endEvent()
	}
}

func (p *profile) kinetoHost(t *eventWriter) {
	if p.job.Markers {
		for i, in := range p.inputs {
			if i < len(p.markerEnds) {
				t.annotation(span{start: p.hostStarts[i], end: p.markerEnds[i]}, cmp.Or(p.job.stepName(p.loads[i]), fmt.Sprintf("ProfilerStep#%d", p.story.doc.FirstStep+int64(i))))
			}
			if p.job.Serving.Batch == 0 {
				t.annotation(in, loaderRange)
			}
		}
		for _, s := range p.phases {
			t.annotation(s, s.name)
		}
	}
	p.operators(t)
	for _, s := range p.hostWork {
		t.operator(s)
	}
	for _, s := range p.programRanges {
		t.annotation(s, s.name)
	}
	if p.job.NoDevice {
		return
	}
	launches := map[int64]bool{}
	for _, w := range p.work {
		launches[w.correlation] = true
	}
	for _, c := range p.calls {
		name, _, _ := strings.Cut(c.name, "_v")
		t.beginComplete("cuda_runtime", name, t.pid, t.pid, c.start, c.end)
		t.appendf(`, "args": {"External id": 1, "cbid": 211, "correlation": %d}`, c.correlation)
		t.endEvent()
		if launches[c.correlation] {
			t.flow("s", c.correlation, t.pid, t.pid, c.start)
		}
	}
	for i, s := range p.syncs {
		t.beginComplete("cuda_sync", "Stream Sync", int64(t.device), computeStream, s.start, s.end)
		t.appendf(`, "args": {"cuda_sync_kind": "Stream Sync", "stream": %d, "correlation": %d, "device": %d}`, computeStream, p.sync[i], t.device)
		t.endEvent()
	}
}

func (p *profile) kinetoDevice(t *eventWriter) {
	if p.job.NoDevice {
		return
	}
	node := 0
	for _, w := range p.kernelWork() {
		at := fmt.Sprintf(`"device": %d, "context": 1, "stream": %d, "correlation": %d`, t.device, w.stream, w.correlation)
		switch w.class {
		case memory:
			name := "Memcpy HtoD (Pinned -> Device)"
			if p.job.Copy.Pageable {
				name = "Memcpy HtoD (Pageable -> Device)"
			}
			t.beginComplete("gpu_memcpy", name, int64(t.device), int64(w.stream), w.start, w.end)
			t.appendf(`, "args": {"External id": 1, %s, "bytes": %d, "memory bandwidth (GB/s)": %.6f}`, at, w.bytes, float64(w.bytes)/float64(w.end-w.start))
		case comm:
			t.beginComplete("kernel", w.name(), int64(t.device), int64(w.stream), w.start, w.end)
			t.appendf(`, "args": {"External id": 1, "queued": 0, %s, "registers per thread": 96, "shared memory": 82240, "grid": [24, 1, 1], "block": [544, 1, 1], "est. achieved occupancy %%": 5`, at)
			t.appendf(`, "Collective name": %q, "In msg nelems": %d, "Out msg nelems": %d, "Group size": %d, "dtype": "Float"`, w.operation(), w.bytes/4, w.received()/4, len(w.group.ranks))
			if w.pair {
				t.appendf(`, %q: %d`, map[bool]string{true: "Dst Rank", false: "Src Rank"}[w.sends], w.group.ranks[w.peer])
			}
			sent, got := w.splits()
			t.appendf(`, "In split size": "[%s]", "Out split size": "[%s]", "Process Group Name": "%d", "Process Group Description": %q, "Process Group Ranks": "[%s]"}`, sent, got, w.group.id, w.group.purpose, listed(w.group.ranks, mostListed))
		case compute:
			t.beginComplete("kernel", w.kernel.name, int64(t.device), int64(w.stream), w.start, w.end)
			t.appendf(`, "args": {"External id": 1, "queued": 0, %s, "registers per thread": 64, "shared memory": 0, "grid": [%d, 1, 1], "block": [%d, 1, 1], "est. achieved occupancy %%": %d`, at, w.kernel.grid, w.kernel.block, w.kernel.occupancy())
			if p.job.Graphs {
				node++
				t.appendf(`, "graph id": 2, "graph node id": %d`, node)
			}
			t.appendf(`}`)
		}
		t.endEvent()
		t.flow("f", w.correlation, int64(t.device), int64(w.stream), w.start)
	}
}

// operation returns what PyTorch calls the communication.
func (w *work) operation() string {
	switch {
	case w.tokens != nil:
		return "all_to_allv"
	case w.pair && w.sends:
		return "send"
	case w.pair:
		return "recv"
	}
	return "allreduce"
}

// received returns how much the communication brings to the rank.
func (w *work) received() int64 {
	if w.tokens != nil {
		return total(w.tokens.got)
	}
	return w.bytes
}

// splits returns the elements that an all-to-all sends to each rank, and gets from each, as PyTorch lists them; "" for
// other communication.
func (w *work) splits() (sent, got string) {
	if w.tokens == nil {
		return "", ""
	}
	elements := func(bytes []int64) string {
		var n []int
		for _, b := range bytes {
			n = append(n, int(b/4))
		}
		return listed(n, mostListed)
	}
	return elements(w.tokens.sent), elements(w.tokens.got)
}

// kinetoWaits writes the waits of streams for each other.
func (p *profile) kinetoWaits(t *eventWriter) {
	for i, w := range p.eventWaits {
		t.beginComplete("cuda_sync", "Stream Wait Event", int64(t.device), int64(w.stream), w.end, w.end)
		t.appendf(`, "args": {"cuda_sync_kind": "Stream Wait Event", "stream": %d, "wait_on_stream": %d, "wait_on_cuda_event_record_corr_id": %d, "wait_on_cuda_event_id": %d, "correlation": %d, "device": %d}`,
			w.stream, w.on, w.record, i+1, w.wait, t.device)
		t.endEvent()
	}
}

// kinetoEnd writes the profiler's own events and closes the document.
func (p *profile) kinetoEnd(t *eventWriter) {
	t.beginEvent()
	t.appendf(`"ph": "M", "name": "process_name", "pid": %d, "tid": 0, "ts": 0.000, "args": {"name": "python"}`, t.pid)
	t.endEvent()
	t.beginEvent()
	t.appendf(`"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": `)
	t.micros(1)
	t.appendf(`, "dur": `)
	t.micros(p.last())
	t.appendf(`, "args": {"Op count": 0}`)
	t.endEvent()
	t.beginEvent()
	t.appendf(`"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": `)
	t.micros(p.last())
	t.endEvent()
	fmt.Fprintf(t.w, "\n  ],\n  \"traceName\": \"/home/someone/traces/%s.json\"\n}\n", p.kinetoName()) // the buffer keeps the error
}

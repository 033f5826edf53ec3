package synth

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// loaderRange is what PyTorch calls the wait for the next batch.
const loaderRange = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"

// writeKineto writes the PyTorch trace of one rank, as a job under Slurm that
// exports one on its own writes it: the facts before the events.
func (p *profile) writeKineto(_ context.Context, path string, format Format) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	var to io.Writer = f
	var z *gzip.Writer
	if format == KinetoGzip {
		z = gzip.NewWriter(f)
		to = z
	}
	w := bufio.NewWriterSize(to, 1<<16)
	if err := p.kinetoHeader(w); err != nil {
		return err
	}
	t := &events{w: w, pid: p.pid(), device: p.local}
	p.kinetoHost(t)
	p.kinetoDevice(t)
	p.kinetoEnd(t)
	if err := w.Flush(); err != nil || z == nil {
		return err
	}
	return z.Close()
}

// kinetoHeader writes what stands before the events.
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
	n := p.story.doc.Ranks
	_, err = fmt.Fprintf(w, `{
  "schemaVersion": 1,
  "deviceProperties": %s,
  "cuda_runtime_version": 12040,
  "cuda_driver_version": 12040,
  "hostname": %q, "user": "someone", "trace_id": "0F0E",
  "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d, "pg_count": 1, "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": %d, "ranks": [%s]}], "nccl_version": "2.20.5"},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": %d,
  "traceEvents": [`, properties, p.hostName(), p.rank, n, n, ranksUpTo(n, n), p.epoch)
	return err
}

// ranksUpTo lists at most the first limit of n ranks, as PyTorch does.
func ranksUpTo(n, limit int) string {
	var parts []string
	for i := range min(n, limit) {
		parts = append(parts, strconv.Itoa(i))
	}
	if n > limit {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// events writes trace events. Errors are the buffer's, which keeps the first
// until it is flushed.
type events struct {
	w      *bufio.Writer
	buf    []byte
	pid    int64
	device int
	some   bool
}

// open begins an event; the caller adds members and closes it.
func (t *events) open() {
	t.buf = append(t.buf[:0], ",\n  {"...)
	if !t.some {
		t.some = true
		t.buf = append(t.buf[:0], "\n  {"...)
	}
}

// add ends the event.
func (t *events) add() {
	t.w.Write(append(t.buf, '}')) // the buffer keeps the error
}

func (t *events) put(format string, args ...any) { t.buf = fmt.Appendf(t.buf, format, args...) }

// micros appends ns as microseconds with three decimals.
func (t *events) micros(ns int64) {
	t.buf = strconv.AppendInt(t.buf, ns/1000, 10)
	t.buf = append(t.buf, '.')
	t.buf = append(t.buf, byte('0'+ns/100%10), byte('0'+ns/10%10), byte('0'+ns%10))
}

// complete begins a complete event, up to its arguments.
func (t *events) complete(category, name string, pid, tid, start, end int64) {
	t.open()
	t.put(`"ph": "X", "cat": "%s", "name": `, category)
	t.buf = strconv.AppendQuote(t.buf, name) // names here are plain ASCII
	t.put(`, "pid": %d, "tid": %d, "ts": `, pid, tid)
	t.micros(start)
	t.put(`, "dur": `)
	t.micros(end - start)
}

// flow adds one end of the arrow from a launch to the device work.
func (t *events) flow(ph string, id, pid, tid, at int64) {
	t.open()
	t.put(`"ph": %q, "id": %d, "pid": %d, "tid": %d, "ts": `, ph, id, pid, tid)
	t.micros(at)
	t.put(`, "cat": "ac2g", "name": "ac2g"`)
	if ph == "f" {
		t.put(`, "bp": "e"`)
	}
	t.add()
}

func (t *events) annotation(s span, name string) {
	t.complete("user_annotation", name, t.pid, t.pid, s.start, s.end)
	t.put(`, "args": {"External id": 1}`)
	t.add()
}

// operator writes the host's work as a function of the program, the module that it is a
// part of, and the operator in which nearly all of it is, with one that this one calls.
func (t *events) operator(s span) {
	for i, x := range []struct{ category, name string }{
		{"python_function", "/home/someone/moe/router.py(88): route"}, {"python_function", "nn.Module: Router_0"},
		{"cpu_op", "aten::nonzero"}, {"cpu_op", "aten::copy_"},
	} {
		in := int64(i) * 5_000 // each within the one before
		t.complete(x.category, x.name, t.pid, t.pid, s.start+in, s.end-in)
		t.put(`, "args": {"External id": 1}`)
		t.add()
	}
}

func (p *profile) kinetoHost(t *events) {
	if p.job.Markers {
		for i, in := range p.inputs {
			if i < len(p.stop) {
				t.annotation(span{start: p.host[i], end: p.stop[i]}, cmp.Or(p.job.stepName(p.loads[i]), fmt.Sprintf("ProfilerStep#%d", p.story.doc.FirstStep+int64(i))))
			}
			if p.job.Serving.Batch == 0 {
				t.annotation(in, loaderRange)
			}
		}
		for _, s := range p.phases {
			t.annotation(s, s.name)
		}
	}
	for _, s := range p.routed {
		t.operator(s)
	}
	for _, s := range p.own {
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
		t.complete("cuda_runtime", name, t.pid, t.pid, c.start, c.end)
		t.put(`, "args": {"External id": 1, "cbid": 211, "correlation": %d}`, c.correlation)
		t.add()
		if launches[c.correlation] {
			t.flow("s", c.correlation, t.pid, t.pid, c.start)
		}
	}
	for i, s := range p.syncs {
		t.complete("cuda_sync", "Stream Sync", int64(t.device), computeStream, s.start, s.end)
		t.put(`, "args": {"cuda_sync_kind": "Stream Sync", "stream": %d, "correlation": %d, "device": %d}`, computeStream, p.sync[i], t.device)
		t.add()
	}
}

func (p *profile) kinetoDevice(t *events) {
	if p.job.NoDevice {
		return
	}
	n := p.story.doc.Ranks
	group := ranksUpTo(n, 30)
	node := 0
	for _, w := range p.kernelWork() {
		at := fmt.Sprintf(`"device": %d, "context": 1, "stream": %d, "correlation": %d`, t.device, w.stream, w.correlation)
		switch w.class {
		case memory:
			t.complete("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", int64(t.device), int64(w.stream), w.start, w.end)
			t.put(`, "args": {"External id": 1, %s, "bytes": %d, "memory bandwidth (GB/s)": %.6f}`, at, w.bytes, float64(w.bytes)/float64(w.end-w.start))
		case comm:
			t.complete("kernel", ncclKernel, int64(t.device), int64(w.stream), w.start, w.end)
			t.put(`, "args": {"External id": 1, "queued": 0, %s, "registers per thread": 96, "shared memory": 82240, "grid": [24, 1, 1], "block": [544, 1, 1], "est. achieved occupancy %%": 5`, at)
			t.put(`, "Collective name": "allreduce", "In msg nelems": %d, "Out msg nelems": %d, "Group size": %d, "dtype": "Float"`, w.bytes/4, w.bytes/4, n)
			t.put(`, "In split size": "[]", "Out split size": "[]", "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[%s]"}`, group)
		case compute:
			t.complete("kernel", w.kernel.name, int64(t.device), int64(w.stream), w.start, w.end)
			t.put(`, "args": {"External id": 1, "queued": 0, %s, "registers per thread": 64, "shared memory": 0, "grid": [%d, 1, 1], "block": [%d, 1, 1], "est. achieved occupancy %%": %d`, at, w.kernel.grid, w.kernel.block, w.kernel.occupancy())
			if p.job.Graphs {
				node++
				t.put(`, "graph id": 2, "graph node id": %d`, node)
			}
			t.put(`}`)
		}
		t.add()
		t.flow("f", w.correlation, int64(t.device), int64(w.stream), w.start)
	}
}

// kinetoEnd writes the profiler's own events and closes the document.
func (p *profile) kinetoEnd(t *events) {
	t.open()
	t.put(`"ph": "M", "name": "process_name", "pid": %d, "tid": 0, "ts": 0.000, "args": {"name": "python"}`, t.pid)
	t.add()
	t.open()
	t.put(`"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": `)
	t.micros(1)
	t.put(`, "dur": `)
	t.micros(p.last())
	t.put(`, "args": {"Op count": 0}`)
	t.add()
	t.open()
	t.put(`"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": `)
	t.micros(p.last())
	t.add()
	fmt.Fprintf(t.w, "\n  ],\n  \"traceName\": \"/home/someone/traces/%s.json\"\n}\n", p.kinetoName()) // the buffer keeps the error
}

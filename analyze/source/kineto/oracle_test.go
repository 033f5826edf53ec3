package kineto

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
	"perfdiff/golden"
)

// realFiles are the recorded traces of that pattern.
func realFiles(t *testing.T, pattern string) []string {
	t.Helper()
	return golden.RealFiles(t, "kineto/"+pattern)
}

func inflate(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// row is what counts of one wanted event.
type row struct {
	kind                               kind
	name, pid, tid, ts, dur            string
	device, stream, correlation, bytes string
	collective, in, out, dtype         string
	shape                              trace.Shape
	memory                             [5]string
	thread                             string
}

// scanned returns the rows that the scanner finds.
func scanned(text []byte, size int) (rows []row, d *document) {
	d = &document{w: newWindow(bytes.NewReader(text), size), head: header{rank: -1}}
	d.emit = func(e *event) { rows = append(rows, rowOf(e)) }
	d.read()
	return rows, d
}

// rowOf is the row of a wanted event.
func rowOf(e *event) row {
	raw := func(b []byte) string { return string(unescapeText(nil, b)) }
	clean := func(b []byte) string { return string([]rune(string(b))) } // in valid UTF-8
	r := row{kind: e.kind, name: raw(e.name), pid: clean(e.pid), tid: clean(e.tid), ts: clean(e.ts), dur: clean(e.dur)}
	if e.isMemory() {
		m := &e.memory
		r.kind, r.memory = kindMemory, [5]string{clean(m.bytes), clean(m.deviceType), clean(m.device), clean(m.allocated), clean(m.reserved)}
		return r
	}
	if e.namesThread() {
		r.thread = raw(e.memory.name)
		return r
	}
	has := e.neededArguments()
	if has&(seenDevice|readToEnd) != 0 {
		r.device, r.stream = clean(e.device), clean(e.stream)
	}
	if has&(seenCorrelation|readToEnd) != 0 {
		r.correlation = clean(e.correlation)
	}
	if has&seenBytes != 0 {
		r.bytes = clean(e.bytes)
	}
	if has&readToEnd != 0 {
		r.collective, r.in, r.out, r.dtype = clean(e.collective), clean(e.elementsIn), clean(e.elementsOut), clean(e.dtype)
	}
	if e.kind == kindKernel {
		r.shape = e.shape()
	}
	return r
}

// expected returns the rows that encoding/json finds; false for a text that is
// not valid JSON, has a key twice in one object, or no list of events.
func expected(text []byte) ([]row, bool) {
	if !json.Valid(text) || repeats(text) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var doc any
	if dec.Decode(&doc) != nil {
		return nil, false
	}
	if object, ok := doc.(map[string]any); ok {
		doc = object["traceEvents"]
	}
	list, ok := doc.([]any)
	if !ok {
		return nil, false
	}
	var rows []row
	for _, x := range list {
		if e, ok := x.(map[string]any); ok {
			if r, ok := expectedRow(e); ok {
				rows = append(rows, r)
			}
		}
	}
	return rows, true
}

var kinds = map[string]kind{
	"kernel": kindKernel, "gpu_memcpy": kindMemcpy, "memcpy": kindMemcpy, "gpu_memset": kindMemset, "memset": kindMemset,
	"cuda_runtime": kindCall, "cuda_driver": kindCall, "runtime": kindCall, "driver": kindCall, "xpu_runtime": kindCall,
	"xpu_driver": kindCall, "privateuse1_runtime": kindCall, "privateuse1_driver": kindCall, "user_annotation": kindRange,
	"cpu_op": kindOp, "operator": kindOp, "python_function": kindPython, "cuda_sync": kindSync, "trace": kindObserved,
	"cpu_instant_event": kindMemory,
}

// expectedShape is how a kernel was launched, by its arguments.
func expectedShape(args map[string]any) (s trace.Shape) {
	number := func(x any, limit int64) int64 { return wholeUpTo([]byte(scalarText(x)), limit) }
	for key, to := range map[string]*[3]int32{"grid": &s.Grid, "block": &s.Block} {
		list, _ := args[key].([]any)
		for i := range list {
			if n, ok := list[i].(json.Number); ok && len(list) == len(to) {
				to[i] = int32(number(n, 1<<31-1))
			}
		}
		if slices.Contains(to[:], 0) {
			*to = [3]int32{}
		}
	}
	if !s.Known() {
		return trace.Shape{}
	}
	s.Registers = int32(number(args["registers per thread"], 1<<31-1))
	s.Shared = number(args["shared memory"], 1<<62)
	s.Occupancy = int32(number(args["est. achieved occupancy %"], 100))
	return s
}

func expectedRow(e map[string]any) (row, bool) {
	r := row{
		kind: kinds[strings.ToLower(scalarText(e["cat"]))], name: scalarText(e["name"]),
		pid: scalarText(e["pid"]), tid: scalarText(e["tid"]), ts: scalarText(e["ts"]), dur: scalarText(e["dur"]),
	}
	_, hasCat := e["cat"]
	if pid, ok := e["pid"].(string); ok && pid == "CPU functions" && !hasCat {
		r.kind, hasCat = kindOp, true
	}
	args, _ := e["args"].(map[string]any)
	if scalarText(e["ph"]) == "i" && r.name == "[memory]" && (!hasCat || r.kind == kindMemory) {
		r.kind = kindMemory
		for i, key := range []string{"Bytes", "Device Type", "Device Id", "Total Allocated", "Total Reserved"} {
			r.memory[i] = scalarText(args[key])
		}
		return r, true
	}
	if scalarText(e["ph"]) == "M" && r.name == "thread_name" && !hasCat {
		r.thread = scalarText(args["name"])
		return r, true
	}
	if scalarText(e["ph"]) != "X" || !hasCat || r.kind == kindOther || r.kind == kindMemory || r.kind == kindPython && !strings.HasPrefix(r.name, "nn.Module: ") && !longDuration(r.dur) {
		return row{}, false
	}
	if r.kind.device() || r.kind == kindSync {
		r.device, r.stream = scalarText(args["device"]), scalarText(args["stream"])
	}
	if r.kind.device() || r.kind == kindCall {
		r.correlation = scalarText(args["correlation"])
	}
	if r.kind == kindKernel {
		r.shape = expectedShape(args)
	}
	if r.kind == kindMemcpy || r.kind == kindMemset {
		r.bytes = scalarText(args["bytes"])
	}
	if r.kind == kindOp && r.name == recordParams || r.kind == kindKernel && (&event{name: []byte(r.name)}).likelyComm() {
		r.collective, r.in = scalarText(args["Collective name"]), scalarText(args["In msg nelems"])
		r.out, r.dtype = scalarText(args["Out msg nelems"]), scalarText(args["dtype"])
	}
	return r, true
}

// longDuration reports whether microseconds are at least 100.
func longDuration(us string) bool {
	ns, ok := nanoseconds([]byte(us))
	return ok && ns >= 100_000
}

func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}

// repeats reports whether an object of text has a key twice.
func repeats(text []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(text))
	return repeatsIn(dec, 0)
}

func repeatsIn(dec *json.Decoder, depth int) bool {
	tok, err := dec.Token()
	delim, ok := tok.(json.Delim)
	if err != nil || !ok {
		return err != nil
	}
	if depth > 1000 {
		return true
	}
	keys := map[string]bool{}
	for dec.More() {
		if delim == '{' {
			key, _ := dec.Token()
			if keys[fmt.Sprint(key)] {
				return true
			}
			keys[fmt.Sprint(key)] = true
		}
		if repeatsIn(dec, depth+1) {
			return true
		}
	}
	_, err = dec.Token()
	return err != nil
}

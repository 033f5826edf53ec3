package kineto

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

const dataDir = "../../../../shared/data/kineto"

// realFiles are the recorded traces; without them the test is skipped, and
// fails in CI.
func realFiles(t *testing.T, pattern string) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dataDir, pattern))
	if len(files) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no real traces at %s", filepath.Join(dataDir, pattern))
		}
		t.Skipf("no real traces at %s", filepath.Join(dataDir, pattern))
	}
	return files
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
}

// scanned returns the rows that the scanner finds.
func scanned(text []byte, size int) (rows []row, d *document) {
	clean := func(b []byte) string { return string(plain(nil, b)) }
	d = &document{w: newWindow(bytes.NewReader(text), size), head: header{rank: -1}}
	d.emit = func(e *event) {
		r := row{kind: e.kind, name: clean(e.name), pid: clean(e.pid), tid: clean(e.tid), ts: clean(e.ts), dur: clean(e.dur)}
		has := e.needs()
		if has&(seenDevice|needsLast) != 0 {
			r.device, r.stream = clean(e.device), clean(e.stream)
		}
		if has&(seenCorrelation|needsLast) != 0 {
			r.correlation = clean(e.correlation)
		}
		if has&seenBytes != 0 {
			r.bytes = clean(e.bytes)
		}
		if has&needsLast != 0 {
			r.collective, r.in, r.out, r.dtype = clean(e.collective), clean(e.in), clean(e.out), clean(e.dtype)
		}
		if e.kind == kindKernel {
			r.shape = e.shape()
		}
		rows = append(rows, r)
	}
	d.read()
	return rows, d
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
	"cpu_op": kindOp, "operator": kindOp, "python_function": kindPython, "cuda_sync": kindSync, "trace": kindWindow,
}

// expectedShape is how a kernel was launched, by its arguments.
func expectedShape(args map[string]any) (s trace.Shape) {
	number := func(x any, limit int64) int64 { return between([]byte(scalarText(x)), limit) }
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
	if scalarText(e["ph"]) != "X" || !hasCat || r.kind == kindOther || r.kind == kindPython && !strings.HasPrefix(r.name, "nn.Module: ") {
		return row{}, false
	}
	args, _ := e["args"].(map[string]any)
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
	if r.kind == kindKernel && likelyComm([]byte(r.name)) {
		r.collective, r.in = scalarText(args["Collective name"]), scalarText(args["In msg nelems"])
		r.out, r.dtype = scalarText(args["Out msg nelems"]), scalarText(args["dtype"])
	}
	return r, true
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

// compareRows checks the scanner against encoding/json and reports whether
// there was anything to compare.
func compareRows(t *testing.T, text []byte, size int) bool {
	t.Helper()
	want, ok := expected(text)
	if !ok {
		return false
	}
	got, d := scanned(text, size)
	for i := range min(len(got), len(want)) {
		if nulls(got[i]) != nulls(want[i]) {
			t.Fatalf("event %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("got %d events, want %d", len(got), len(want))
	}
	if d.breaks > 0 || !d.ended {
		t.Fatalf("valid JSON: got %d breaks, ended %v", d.breaks, d.ended)
	}
	return true
}

// nulls takes null for nothing, as encoding/json does.
func nulls(r row) row {
	for _, f := range []*string{&r.name, &r.pid, &r.tid, &r.ts, &r.dur, &r.device, &r.stream, &r.correlation, &r.bytes,
		&r.collective, &r.in, &r.out, &r.dtype} {
		if *f == "null" {
			*f = ""
		}
	}
	return r
}

func TestEventsAreThoseOfEncodingJSON(t *testing.T) {
	for _, path := range realFiles(t, "*/*.json.gz") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text := inflate(t, path)
			if testing.Short() && len(text) > 4<<20 {
				t.Skip("large")
			}
			if !compareRows(t, text, windowSize) {
				t.Fatal("encoding/json does not read this file")
			}
		})
	}
}

// TestNoNanosecondIsLost compares every time of the file with three decimals
// to exact arithmetic.
func TestNoNanosecondIsLost(t *testing.T) {
	text := inflate(t, realFiles(t, "dialects/ns-resolution.json.gz")[0])
	rows, _ := scanned(text, windowSize)
	inexact := 0
	for _, r := range rows {
		for _, s := range []string{r.ts, r.dur} {
			got, ok := nanoseconds([]byte(s))
			want, ok2 := new(big.Rat).SetString(s)
			if want.Mul(want, big.NewRat(1000, 1)); !ok || !ok2 || !want.IsInt() || want.Num().Int64() != got {
				t.Fatalf("%s us: got %d ns, want %s", s, got, want)
			}
			f, _ := json.Number(s).Float64()
			if int64(f*1000) != got {
				inexact++
			}
		}
	}
	if len(rows) < 21000 || inexact == 0 {
		t.Fatalf("got %d events, %d that float64 loses: the file should have many", len(rows), inexact)
	}
}

// TestKeyOrder writes the events of a real file with their keys in other
// orders and without white space.
func TestKeyOrder(t *testing.T) {
	text := inflate(t, realFiles(t, "dlrm-8ranks/worker0*")[0])
	want, _ := expected(text)
	var doc map[string]json.RawMessage
	var events []map[string]json.RawMessage
	if json.Unmarshal(text, &doc) != nil || json.Unmarshal(doc["traceEvents"], &events) != nil {
		t.Fatal("unreadable")
	}
	for turn := range 4 {
		var b bytes.Buffer
		b.WriteString(`{"traceEvents":[`)
		for i, e := range events {
			if i > 0 {
				b.WriteByte(',')
			}
			writeTurned(&b, e, turn)
		}
		b.WriteString(`]}`)
		got, _ := scanned(b.Bytes(), windowSize)
		if !slices.Equal(got, want) {
			t.Errorf("turn %d: got %d events that differ from the %d of the file", turn, len(got), len(want))
		}
	}
}

// writeTurned writes an object with its sorted keys turned by turn places, and
// backwards for odd turns.
func writeTurned(b *bytes.Buffer, object map[string]json.RawMessage, turn int) {
	var keys []string
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if turn%2 == 1 {
		slices.Reverse(keys)
	}
	b.WriteByte('{')
	for i := range keys {
		k := keys[(i+turn)%len(keys)]
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:", k)
		json.Compact(b, object[k])
	}
	b.WriteByte('}')
}

// odd are valid documents that no profiler of today writes.
var odd = []string{
	`[]`,
	`{"traceEvents":[]}`,
	`[{"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":"1.5","dur":2,"args":{"stream":7}}]`,
	` [ { "args" : { "correlation" : 18446744073709551615 , "x" : { "y" : [ "}" , "{" ] } } , "dur" : 1e2 , "ts" : 1.7E+15 , "cat" : "cuda_runtime" , "ph" : "X" } , null , 3 , "x" , [ { } ] ] `,
	`[{"ph":"X","cat":"kernel","name":"a\"}{\\","ts":1,"args":{"device":1,"q":"}\\\"{","stream":3,"correlation":5,"z":{"a":[{}]}}},{"ph":"s","x":"}"},{"ph":"X","cat":"Memset","args":{"bytes":1},"ts":2}]`,
	`[{"\u0070h":"\u0058","c\u0061t":"KER\u006eEL","name":"\ud83d\ude00\ud800x","args":{"devi\u0063e":2}}]`,
	`{"a":{"traceEvents":[1]},"traceEvents":[{"cat":"operator","name":"Optimizer.step#SGD.step","ph":"X","ts":-1.25}],"z":[[[]]],"baseTimeNanoseconds":7}`,
	`[{"cat":null,"ph":"X"},{"cat":{"a":1},"ph":"X"},{"ph":["X"],"cat":"kernel"},{"ph":"X","cat":"kernel","args":[1,{"stream":4}]}]`,
	`[{"name":"ncclKernel","cat":"kernel","ph":"X","args":{"dtype":"Float","Collective name":"x","grid":[1,2],"In msg nelems":4,"stream":1}}]`,
	`{"traceEvents":{"ph":"X"},"x":1}`,
	`[{"ph":"X","cat":"python_function","name":"nn.Module: Linear_0","pid":1,"tid":2,"ts":3,"dur":4,"args":{"x":"}"}},{"cat":"python_function","ph":"X","name":"f.py(3): g"},{"args":{},"name":"\u006en.Module: x","cat":"Python_function","ph":"X"}]`,
	`[{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": "2", "ts": 1.5, "dur": "3", "args": {"a": {"b": "{"}}, "ts2": 1}, {"ph": "X","cat":"Operator","name":"b","args":{},"pid":1e1 ,"tid":-2 , "ts": 5,"dur":null,"id":9}]`,
}

func FuzzScan(f *testing.F) {
	for _, s := range odd {
		f.Add([]byte(s))
	}
	var small bytes.Buffer
	writeTrace(&small, 2000)
	f.Add(small.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		compareRows(t, text, max(len(text)+1, 2*resyncReach))
	})
}

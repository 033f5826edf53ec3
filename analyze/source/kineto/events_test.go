package kineto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"testing"
)

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
		if r.thread != "" { // which lasts for no time
			continue
		}
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
	`[{"name": "aten::mm", "ph": "X", "ts": 5, "dur": 1, "tid": 1, "pid": "CPU functions", "args": {}}, {"pid":"CPU functions","ph":"X","cat":"kernel"},{"cat":"kernel","ph":"X","pid":"CPU functions"},{"pid":"CPU \u0066unctions","name":"ProfilerStep#1","ph":"X"}]`,
	"[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\\\\n\\u0062\xe5\",\"pid\":\"a\\\\n\\u0062\xe5\"}]",
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

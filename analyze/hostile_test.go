package analyze

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"perfdiff/analyze/run"
)

// beside loads a directory that holds ranks 0 and 1 and what write puts beside
// them, and checks that the two are there whole.
func beside(t *testing.T, write func(dir string), opt Options) *run.Set {
	t.Helper()
	dir := tree(t, map[string]string{"a0.json": profile(0, 5, 4), "a1.json": profile(1, 5, 4)})
	write(dir)
	set := loadTree(t, dir, opt)
	for rank, r := range set.Runs[0].Ranks[:2] {
		if v := r.Values(run.Key{Metric: "kernel_time", Part: "gemm"}); r.Rank != rank || len(r.Steps) != 4 || len(v) != 4 || v[3] != 500e-6 {
			t.Errorf("rank %d: got rank %d with %d steps and %v", rank, r.Rank, len(r.Steps), v)
		}
	}
	return set
}

// bounded runs f and fails when the heap grew by more than limit bytes, or when more than
// work bytes were taken from it in all: what goes over its input again and again takes
// more, on a busy machine as on an idle one.
func bounded(t *testing.T, limit, work uint64, f func()) {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, taken := m.HeapAlloc, m.TotalAlloc
	var most atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-stop:
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most.Store(max(most.Load(), m.HeapAlloc))
			}
		}
	}()
	f()
	close(stop)
	<-done
	if got := most.Load(); got > before+limit {
		t.Errorf("the heap grew by %d MB, want at most %d", (got-before)>>20, limit>>20)
	}
	runtime.ReadMemStats(&m)
	if got := m.TotalAlloc - taken; got > work {
		t.Errorf("%d MB were taken from the heap in all, want at most %d", got>>20, work>>20)
	} else if testing.Verbose() {
		t.Logf("%d MB were taken from the heap in all", got>>20)
	}
}

// said is what a set says about a file: its error, and its warnings.
func said(set *run.Set, name string) string {
	var all []string
	for _, f := range set.Files {
		if f.Name == name && f.Err != "" {
			all = append(all, f.Err)
		}
	}
	for _, w := range set.Warnings {
		if w.File == name {
			all = append(all, w.Text)
		}
	}
	return strings.Join(all, "\n")
}

const (
	eventsHead = `{"schemaVersion":1,"distributedInfo":{"rank":2,"world_size":4},"traceEvents":[`
	oneStep    = `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":1,"dur":9}`
	oneKernel  = `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"device":0,"stream":7,"correlation":1}}`
)

// event is a kernel with these times.
func event(ts, dur string) string {
	return fmt.Sprintf(`{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"device":0,"stream":7}}`, ts, dur)
}

// events is a trace of rank 2 with these events.
func events(all ...string) string { return eventsHead + strings.Join(all, ",\n") + "]}" }

// zip is text in gzip.
func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// hostileTraces are files that harm nobody else. What is said of each is the
// message that it must give; "" is none.
var hostileTraces = []struct{ name, text, want string }{
	{"empty.json", "", "empty.json: not a profile that perfdiff reads: the file is empty"},
	{"empty.json.gz", "", "the file is empty"},
	{"nothing.json.gz", zip(""), "the file is empty"},
	{"cut.json.gz", zip(events(oneStep, oneKernel, event("5", "1")))[:120], "breaks off before its first event"},
	{"sum.json.gz", zip(events(oneStep, oneKernel))[:len(zip(events(oneStep, oneKernel)))-8] + "00000000", "gzip: invalid checksum"},
	{"deep.json", eventsHead + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "," + oneKernel + "]}", ""},
	{"deep-open.json", events(oneStep, oneKernel, `{"ph":"X","args":`+strings.Repeat(`{"a":[`, 50_000)), "ends early"},
	{"deep-head.json", `{"schemaVersion":1,"distributedInfo":` + strings.Repeat(`{"a":`, 100_000), "ends before its first event"},
	{"nan.json", events(oneStep, oneKernel, event("NaN", "1"), event("Infinity", "1"), event("-Infinity", "1")), "3 events were dropped: ts is missing, not a number or too large"},
	{"nan-dur.json", events(oneStep, oneKernel, event("2", "NaN"), event("3", "Infinity")), "dur of 2 in 3 is missing"},
	{"beyond.json", events(oneStep, oneKernel, event("99999999999999999999", "1"), event("1e400", "1")), "2 events were dropped"},
	{"long.json", events(oneStep, oneKernel, event("1", "99999999999999"), event("4611686018427387", "9223372036854775")), "2 events that last more than 7 days were dropped"},
	{"limits.json", events(oneStep, oneKernel, event("9223372036854775.807", "0"), event("-9223372036854775.807", "0")), "2 events were dropped"},
	{"utf8.json", events(oneStep, oneKernel, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"\xff\xfe\xc0\",\"pid\":0,\"tid\":7,\"ts\":3,\"dur\":1}"), ""},
	{"backwards.json", events(event("9", "1"), event("5", "1"), event("1", "1"), oneStep), ""},
	{"end-first.json", events(oneStep, oneKernel, event("5", "-3")), "dur of 1 in 2 is missing"},
	{"billion.json", events(oneStep, oneKernel, strings.ReplaceAll(strings.ReplaceAll(oneStep, "#1", "#999999999"), `"ts":1`, `"ts":20`)), ""},
	{"billions.json", events(oneStep, oneKernel, strings.ReplaceAll(strings.ReplaceAll(oneStep, "#1", "#99999999999999999999"), `"ts":1`, `"ts":20`)), ""},
	{"huge-rank.json", strings.Replace(events(oneStep, oneKernel), `"rank":2`, `"rank":99999999999`, 1), "numbers by order only"},
	{"huge-name.json", events(oneStep, strings.Replace(oneKernel, `"k"`, `"`+strings.Repeat("<b>\\u001b", 1<<17)+`"`, 1), event("5", "1")), "1 broken places"},
	{"markup.json", events(oneStep, strings.Replace(oneKernel, `"k"`, `"`+strings.Repeat("<b>", 300<<10)+`"`, 1)), ""},
}

func TestHostileTraces(t *testing.T) {
	for _, tt := range hostileTraces {
		t.Run(tt.name, func(t *testing.T) {
			bounded(t, 64<<20, 64<<20, func() {
				set := beside(t, func(dir string) { put(t, filepath.Join(dir, tt.name), tt.text) }, Options{})
				if got := said(set, tt.name); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
					t.Errorf("got %.400q, want %q", got, tt.want)
				}
			})
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCutTraces cuts a trace at every KB: the others stay, and what is lost is
// said.
func TestCutTraces(t *testing.T) {
	whole := profile(2, 5, 40)
	for n := 0; n < len(whole); n += 1 << 10 {
		set := beside(t, func(dir string) { put(t, filepath.Join(dir, "cut.json"), whole[:n]) }, Options{})
		if said(set, "cut.json") == "" {
			t.Errorf("cut at %d: nothing is said", n)
		}
	}
}

// repeated is gzip of head, n times 16 MB of a character, and tail: members
// that follow one another are one text.
func repeated(t testing.TB, head string, fill byte, n int, tail string) string {
	t.Helper()
	part := zip(strings.Repeat(string(fill), 16<<20))
	return zip(head) + strings.Repeat(part, n) + zip(tail)
}

// TestBombs reads small files that inflate to gigabytes.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("inflates gigabytes")
	}
	open := `{"ph":"X","cat":"kernel","name":"`
	const bomb = "inflates to more than 250 times its size"
	for _, tt := range []struct{ name, text, want string }{
		{"string.json.gz", repeated(t, events(oneStep, oneKernel, open)[:len(events(oneStep, oneKernel, open))-2], 'x', 700, `","ts":9}]}`), bomb},
		{"spaces.json.gz", repeated(t, events(oneStep, oneKernel)[:len(events(oneStep, oneKernel))-2]+",", ' ', 700, oneKernel+"]}"), bomb},
		{"leading.json.gz", repeated(t, "", ' ', 700, events(oneStep, oneKernel)), "a text file"},
		{"braces.json.gz", repeated(t, eventsHead, '{', 700, ""), ""},
		{"256MB.json.gz", repeated(t, events(oneStep, oneKernel, open)[:len(events(oneStep, oneKernel, open))-2], 'x', 15, `","ts":9},`+oneKernel+`]}`), "1 broken places"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bounded(t, 96<<20, 128<<20, func() {
				set := beside(t, func(dir string) { put(t, filepath.Join(dir, tt.name), tt.text) }, Options{})
				if got := said(set, tt.name); !strings.Contains(got, tt.want) || got == "" {
					t.Errorf("got %.400q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestGigabyteString reads a plain file, most of which is a hole, that holds
// one string of a gigabyte.
func TestGigabyteString(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a gigabyte")
	}
	bounded(t, 96<<20, 128<<20, func() {
		set := beside(t, func(dir string) {
			path := filepath.Join(dir, "string.json")
			put(t, path, eventsHead+oneStep+","+oneKernel+`,{"ph":"X","name":"`)
			if err := os.Truncate(path, 1<<30); err != nil {
				t.Fatal(err)
			}
		}, Options{})
		if got := said(set, "string.json"); !strings.Contains(got, "ends early") {
			t.Errorf("got %q, want that it ends early", got)
		}
	})
}

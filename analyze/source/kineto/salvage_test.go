package kineto

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// kernelEvent is a kernel at i microseconds.
func kernelEvent(i int) string {
	return fmt.Sprintf(`{"ph":"X","cat":"kernel","name":"k%d","pid":0,"tid":7,"ts":%d,"dur":1,"args":{"device":0,"stream":7,"correlation":%d}}`, i, i, i)
}

func kernelEvents(from, to int) string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, kernelEvent(i))
	}
	return strings.Join(list, ",\n")
}

func TestSalvage(t *testing.T) {
	head, tail := `{"schemaVersion":1,"traceEvents":[`+"\n", "\n"+`],"baseTimeNanoseconds":42}`
	huge := `{"ph":"X","cat":"cpu_op","name":"a","args":{"Call stack":"` + strings.Repeat("x", 3<<20) + `"}}`
	for _, x := range []struct {
		name, text string
		kernels    int
		epoch      int64
		warning    string // "" for none
	}{
		{"whole", head + kernelEvents(1, 9) + tail, 8, 42, ""},
		{"cut in an event", head + kernelEvents(1, 9) + `,{"ph":"X","cat":"ker`, 8, trace.NoTime, "ends early"},
		{"cut behind an event", head + kernelEvents(1, 9) + `,`, 8, trace.NoTime, "ends early"},
		{"cut in the tail", head + kernelEvents(1, 9) + "\n" + `],"traceName": "a`, 8, trace.NoTime, "ends early"},
		{"array without its bracket", `[` + kernelEvents(1, 9), 8, trace.NoTime, "not closed"},
		{"two lists", head + kernelEvents(1, 9) + `],"traceEvents":[` + kernelEvents(1, 5) + tail, 8, 42, "1 more lists"},
		{"begin and end", head + kernelEvents(1, 9) + `,{"ph":"B","cat":"kernel","name":"x","ts":5},{"ph":"E","cat":"kernel","name":"x","ts":6}` + tail, 8, 42, "2 events were left out: they are the begin"},
		{"array cut in an event", `[` + kernelEvents(1, 9) + `,{"ph`, 8, trace.NoTime, "ends early"},
		{"unescaped quotes in a name", head + kernelEvents(1, 5) + `,{"ph":"X","cat":"kernel","name":"f("a")","ts":1},` + kernelEvents(5, 9) + tail, 8, 42, "1 broken places"},
		{"unescaped backslash before a quote", head + kernelEvents(1, 5) + `,{"ph":"X","cat":"cpu_op","name":"C:\dir\","ts":1,"args":{"a":"b"}},` + kernelEvents(5, 9) + tail, 8, 42, "1 broken places"},
		{"missing quote", head + kernelEvents(1, 5) + `,{"ph":"X","cat":"cpu_op","name":"abc,"ts":1},` + kernelEvents(5, 9) + tail, 8, 42, "1 broken places"},
		{"broken last event", head + kernelEvents(1, 9) + `,{"ph":"X" "cat":1}` + tail, 8, 42, "1 broken places"},
		{"garbage between events", head + kernelEvents(1, 5) + `,}}%%{},` + kernelEvents(5, 9) + tail, 8, 42, "1 broken places"},
		{"event larger than the window", head + kernelEvents(1, 5) + "," + huge + "," + kernelEvents(5, 9) + tail, 8, 42, "1 broken places"},
		{"last event larger than the window", head + kernelEvents(1, 9) + "," + huge + tail, 8, 42, "1 broken places"},
		{"broken header", `{"a":"x"y","b":1,"traceEvents" : [` + kernelEvents(1, 9) + tail, 8, 42, ""},
		{"header value larger than the window", `{"a":["` + strings.Repeat("y", 3<<20) + `"],"traceEvents":[` + kernelEvents(1, 9) + tail, 8, 42, ""},
		{"raw newline in a string", head + strings.ReplaceAll(kernelEvents(1, 9), "k3", "k\n3") + tail, 8, 42, ""},
		{"a week and more", head + kernelEvents(1, 9) + `,{"ph":"X","cat":"kernel","name":"x","ts":5,"dur":604800000000.001}` + tail, 8, 42, "more than 7 days"},
		{"no time", head + kernelEvents(1, 9) + `,{"ph":"X","cat":"kernel","name":"x","ts":"soon","dur":6}` + tail, 8, 42, "ts is missing"},
		{"time beyond int64", head + kernelEvents(1, 9) + `,{"ph":"X","cat":"kernel","name":"x","ts":9e99,"dur":6}` + tail, 8, 42, "ts is missing"},
		{"half at time 0", head + kernelEvents(1, 5) + strings.Repeat(`,{"ph":"X","cat":"kernel","name":"x","ts":0.000,"dur":0.000}`, 4) + tail, 8, 42, "188481"},
		{"end in the middle", head + kernelEvents(1, 5) + `]},` + kernelEvents(5, 9) + tail, 7, 42, "1 broken places"},
		{"text behind the end", head + kernelEvents(1, 9) + tail + "\nbye", 8, 42, "ends early"},
		{"a window full of braces", head + kernelEvents(1, 9) + `,{"ph":"s","args":` + strings.Repeat("{", 900<<10) + "}", 8, trace.NoTime, "ends early"},
		{"deep nesting", head + kernelEvents(1, 5) + `,{"ph":"X","cat":"kernel","name":"x","dur":1,"ts":1,"args":` + strings.Repeat(`{"a":[`, 20000) + strings.Repeat(`]}`, 20000) + "}," + kernelEvents(5, 9) + tail, 9, 42, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			ts, err := readText(x.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(ts[0].Device); got != x.kernels {
				t.Errorf("got %d kernels, want %d", got, x.kernels)
			}
			if ts[0].Epoch != x.epoch {
				t.Errorf("got epoch %d, want %d", ts[0].Epoch, x.epoch)
			}
			expectWarning(t, ts[0], x.warning)
		})
	}
}

// expectWarning checks for one warning, or none.
func expectWarning(t *testing.T, x *trace.Trace, want string) {
	t.Helper()
	if want == "" {
		if len(x.Warnings) > 0 {
			t.Errorf("got warnings %v, want none", x.Warnings)
		}
		return
	}
	if len(x.Warnings) != 1 || !strings.Contains(x.Warnings[0].Text, want) || x.Warnings[0].File != "t.json" {
		t.Fatalf("got warnings %v, want one with %q", x.Warnings, want)
	}
}

// TestPrefixes cuts a small trace at every byte, plain and gzipped.
func TestPrefixes(t *testing.T) {
	var text, zipped bytes.Buffer
	whole := writeTrace(&text, 9000)
	z := gzip.NewWriter(&zipped)
	z.Write(text.Bytes())
	z.Close()
	for name, all := range map[string][]byte{"plain": text.Bytes(), "gzip": zipped.Bytes()} {
		last := 0
		for n := 0; n < len(all); n += 1 + n%3 {
			ts, err := read(trace.NewInput(context.Background(), "t.json", bytes.NewReader(all[:n]), int64(n), nil))
			if err != nil {
				if last > 0 || ts != nil || !strings.HasPrefix(err.Error(), "t.json: ") {
					t.Fatalf("%s cut at %d: %v after %d kernels", name, n, err, last)
				}
				continue
			}
			got := len(ts[0].Device)
			if got < last || got > whole {
				t.Fatalf("%s cut at %d: got %d kernels, %d before", name, n, got, last)
			}
			// The trailer of a gzip stream is not text.
			if len(ts[0].Warnings) == 0 && (name == "plain" || n < len(all)-16) {
				t.Fatalf("%s cut at %d: no warning", name, n)
			}
			last = got
		}
		if last != whole {
			t.Errorf("%s: got %d kernels at last, want %d", name, last, whole)
		}
	}
}

// TestDamagedGzip flips bytes in the middle of a gzipped trace: what was read
// to there is kept, about half.
func TestDamagedGzip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writeTrace(f, 16<<20)
	f.Close()
	all, err := os.ReadFile(gzipFile(t, path))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		all[len(all)/2+i] = 0xff
	}
	ts, err := read(trace.NewInput(context.Background(), "t.json", bytes.NewReader(all), int64(len(all)), nil))
	if err != nil {
		t.Fatal(err)
	}
	if x := ts[0]; len(x.Device) < 1000 || !strings.Contains(fmt.Sprint(x.Warnings), "damaged") {
		t.Errorf("got %d kernels, warnings %v", len(x.Device), x.Warnings)
	}
}

func TestErrors(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"empty", "", "t.json: the file is empty"},
		{"blank", " \n ", "t.json: not a PyTorch profiler trace"},
		{"text", "hello", "t.json: not a PyTorch profiler trace"},
		{"other JSON", `{"a":1}`, "t.json: not a PyTorch profiler trace: it has no traceEvents"},
		{"no events", `{"traceEvents":[]}`, "t.json: holds no events"},
		{"array of others", `[{"a":1}]`, "t.json: not a PyTorch profiler trace: its list holds no events"},
		{"cut header", `{"schemaVersion":1,"dev`, "t.json: ends before its first event"},
		{"gzip of nothing", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00", "t.json: the file is empty"},
		{"broken gzip", "\x1f\x8bxxxxxxxxxxxxxxxxxxxx", "t.json: cannot be read: gzip: invalid header"},
		{"no usable time", `[{"ph":"X","cat":"kernel","name":"a"}]`, "t.json: none of 1 events has a usable time"},
	} {
		ts, err := readText(x.text)
		if err == nil || ts != nil || !strings.HasPrefix(err.Error(), x.want) || !strings.HasSuffix(err.Error(), ")") {
			t.Errorf("%s: got %d traces and %v, want %q", x.name, len(ts), err, x.want)
		}
	}
	if _, err := Read(context.Background(), "/no/such/rank3.json", nil); err == nil || strings.Contains(err.Error(), "/no") || !strings.HasPrefix(err.Error(), "rank3.json: ") {
		t.Errorf("missing file: got %v", err)
	}
}

func TestCrowd(t *testing.T) {
	var list []string
	for i := range 2 * build.MaxPlaces {
		list = append(list, strings.ReplaceAll(kernelEvent(i+1), `"device":0`, fmt.Sprintf(`"device":%d`, i)))
	}
	ts := mustRead(t, "["+strings.Join(list, ",")+"]")
	if len(ts) != build.MaxPlaces || len(ts[0].Warnings) != 1 || !strings.Contains(ts[0].Warnings[0].Text, "more than 256") {
		t.Errorf("got %d traces and %v", len(ts), ts[0].Warnings)
	}
}

func TestRankOfSeveral(t *testing.T) {
	info := `"distributedInfo":{"rank":3,"world_size":8}`
	two := `{"traceEvents":[` + kernelEvents(1, 4) + "," + strings.ReplaceAll(kernelEvent(9), `"device":0`, `"device":1`) + "]," + info + "}"
	ts := mustRead(t, two)
	if len(ts) != 2 || ts[0].Identity.Rank != 3 || ts[1].Identity.Rank != -1 || len(ts[0].Warnings) != 1 {
		t.Errorf("two devices: got %d traces, ranks %v and %v", len(ts), ts[0].Identity, ts[len(ts)-1].Identity)
	}
	hosts := `{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"a","pid":1,"ts":1,"dur":1},{"ph":"X","cat":"user_annotation","name":"a","pid":2,"ts":1,"dur":1}],` + info + "}"
	ts = mustRead(t, hosts)
	if len(ts) != 2 || ts[0].Identity.Rank != -1 || ts[1].Identity.Rank != -1 || len(ts[0].Warnings) != 2 {
		t.Errorf("two processes: got %d traces, ranks %v and %v, warnings %v", len(ts), ts[0].Identity, ts[len(ts)-1].Identity, ts[0].Warnings)
	}
}

func TestNanoseconds(t *testing.T) {
	for _, x := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"0.000", 0, true}, {"1", 1000, true}, {"1.5", 1500, true}, {"1.", 1000, true},
		{"1712195495505582.988", 1712195495505582988, true}, {"1.0009", 1000, true}, {"1.9999999999999999999", 1999, true},
		{"-1.25", -1250, true}, {"+2", 2000, true}, {"1.7e15", 1700000000000000000, true}, {"1712195495505582988E-3", 1712195495505582988, true},
		{"25e-4", 2, true}, {"1e-99", 0, true}, {"0e999999999999", 0, true}, {"-5e-1", -500, true},
		{"9223372036854775.807", 9223372036854775807, true}, {"9223372036854775.808", 0, false},
		{"9e15", 9000000000000000000, true}, {"1e16", 0, false}, {"99999999999999999999", 0, false}, {"1e999999999", 0, false},
		{"", 0, false}, {"-", 0, false}, {".", 0, false}, {"NaN", 0, false}, {"1e", 0, false}, {"1e+", 0, false}, {"1x", 0, false}, {"1.2.3", 0, false}, {"null", 0, false},
	} {
		if got, ok := nanoseconds([]byte(x.in)); got != x.want || ok != x.ok {
			t.Errorf("%q: got %d, %v, want %d, %v", x.in, got, ok, x.want, x.ok)
		}
	}
}

func TestDirection(t *testing.T) {
	for name, want := range map[string]string{"Memcpy HtoD (Pinned -> Device)": "h2d", "Memcpy DtoH (Device -> Pageable)": "d2h",
		"Memcpy DtoD (Device -> Device)": "d2d", "Memcpy PtoP (Device -> Device)": "p2p", "Memcpy HtoH (Pageable -> Pageable)": "h2h",
		"CopyDeviceToDevice": "d2d", "Memcpy Unknown": "other"} {
		if got := copyDirection(name).String(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, d := range dialects {
		f.Add([]byte(d.text))
	}
	for _, s := range odd {
		f.Add([]byte(s))
	}
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		ts, err := read(trace.NewInput(context.Background(), "t.json", bytes.NewReader(text), int64(len(text)), nil))
		if (err == nil) == (len(ts) == 0) {
			t.Fatalf("got %d traces and error %v", len(ts), err)
		}
		for _, x := range ts {
			check(t, x)
		}
	})
}

// check holds for every trace, whatever the file.
func check(t *testing.T, x *trace.Trace) {
	if x.Identity.Rank < -1 || x.Capture.End < x.Capture.Start {
		t.Fatalf("got identity %v, capture %v", x.Identity, x.Capture)
	}
	for i, s := range x.Device {
		if s.End < s.Start || s.End-s.Start > maxDuration || i > 0 && s.Start < x.Device[i-1].Start || s.Kind == trace.KindUnknown {
			t.Fatalf("span %d: got %+v", i, s)
		}
	}
	for i, r := range x.Ranges {
		if r.End < r.Start || i > 0 && r.Start < x.Ranges[i-1].Start {
			t.Fatalf("range %d: got %+v", i, r)
		}
	}
}

package ncu

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/ncutest"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(math.Abs(a), math.Abs(b)) }

func TestUnit(t *testing.T) {
	for _, tt := range []struct {
		printed, unit string
		factor        float64
	}{
		{"nsecond", "s", 1e-9}, {"us", "s", 1e-6}, {"msecond", "s", 1e-3}, {"ms", "s", 1e-3}, {"second", "s", 1}, {"s", "s", 1},
		{"byte", "B", 1}, {"Kbyte", "B", 1e3}, {"Gbyte/second", "B/s", 1e9}, {"Tbyte/s", "B/s", 1e12}, {"byte/us", "B/s", 1e6}, {"Kbyte/block", "B/block", 1e3},
		{"%", "ratio", 0.01}, {"hz", "Hz", 1}, {"Ghz", "Hz", 1e9}, {"cycle/nsecond", "Hz", 1e9}, {"cycle/second", "Hz", 1}, {"inst/cycle", "inst/cycle", 1},
		{"", "", 1}, {"register/thread", "register/thread", 1}, {"Kfoo", "Kfoo", 1}, {"foo/second", "foo/second", 1}, {"m", "m", 1}, {"Minst", "inst", 1e6},
	} {
		if unit, factor := Unit(tt.printed); unit != tt.unit || !near(factor, tt.factor) {
			t.Errorf("%q: got %s and %v, want %s and %v", tt.printed, unit, factor, tt.unit, tt.factor)
		}
	}
}

func TestNumber(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		text       string
		dot, comma float64
		ok         bool
	}{
		{"1,215,000,000.00", 1215000000, nan, true}, {"27.595.520", nan, 27595520, true}, {"65,77", nan, 65.77, true}, {"65.77", 65.77, nan, true},
		{"1,234", 1234, 1.234, true}, {"1.234", 1.234, 1234, true}, {"42", 42, 42, true}, {"-3", -3, -3, true}, {"1e9", 1e9, 1e9, true}, {"12 (5; 7)", 12, 12, true},
		{"n/a", 0, 0, false}, {"nan", 0, 0, false}, {"inf", 0, 0, false}, {"-nan", 0, 0, false}, {"", 0, 0, false}, {"CachePreferNone", 0, 0, false},
		{"(96, 1, 1)", 0, 0, false}, {"1,23,4", 0, 0, false}, {"1.2.3", 0, 0, false}, {"0x1p3000", 0, 0, false},
	} {
		var w writing
		dot, comma, ok := w.number(tt.text)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if ok != tt.ok || ok && (!same(dot, tt.dot) || !same(comma, tt.comma)) {
			t.Errorf("%q: got %v, %v, %v, want %v, %v, %v", tt.text, dot, comma, ok, tt.dot, tt.comma, tt.ok)
		}
	}
}

func TestFields(t *testing.T) {
	for _, tt := range []struct {
		row  string
		want []string
	}{
		{`"a","b,c",d,`, []string{"a", "b,c", "d", ""}}, {`"say ""no""",x`, []string{`say "no"`, "x"}}, {``, []string{""}}, {`"",""`, []string{"", ""}},
		{`"open`, nil}, {`"a"b,c`, nil}, {`"a""`, nil},
	} {
		if got, ok := fields(tt.row); ok != (tt.want != nil) || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.row, got, tt.want)
		}
	}
}

// load reads a text as a file.
func load(t *testing.T, text string) (*Set, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Load(context.Background(), path, Options{})
}

// TestRead: what a recording is made of is read from both pages, in all units and ways of writing.
func TestRead(t *testing.T) {
	for name, change := range map[string]func(*ncutest.Recording){
		"raw": func(*ncutest.Recording) {}, "base": func(r *ncutest.Recording) { r.Base = true }, "details": func(r *ncutest.Recording) { r.Details = true },
		"comma": func(r *ncutest.Recording) { r.Comma = true }, "comma details": func(r *ncutest.Recording) { r.Comma, r.Details = true, true },
	} {
		t.Run(name, func(t *testing.T) {
			r := ncutest.Usual()
			for i := range r.Kernels {
				r.Kernels[i].Spread = 0
			}
			change(&r)
			set, err := load(t, strings.ReplaceAll(r.Text(), "\n", "\r\n"))
			if err != nil || len(set.Launches) != 36 || set.Incomplete || len(set.Warnings) > 0 {
				t.Fatalf("got %+v, %v", set, err)
			}
			l := &set.Launches[12]
			k := r.Kernels[1]
			if l.Kernel != `gemm<"tile, 64">` || l.Grid != k.Grid || l.Block != k.Block || l.CC != "9.0" || set.Fact(FactReplay) != "kernel" || set.Fact(FactPasses) != "38" {
				t.Errorf("got %+v of %+v", l, set.Files)
			}
			for _, q := range Quantities() {
				want, known := map[string]float64{Duration: k.Time(r.Clock), Instructions: k.Instructions, ActiveWarps: k.Warps, Clock: r.Clock, "registers": 168, "static_shared_memory": 16384, "dram_bandwidth": k.Bytes / k.Time(r.Clock), "achieved_occupancy": 0.25}[q.ID]
				got, ok := set.Get(l, &q)
				if known && (!ok || math.Abs(got/want-1) > 2e-3) {
					t.Errorf("%s: got %v, want %v", q.ID, got, want)
				}
				if q.ID == "ipc" && ok {
					t.Errorf("%s: got %v, want none", q.ID, got)
				}
			}
			roofs := set.Rooflines(l)
			if r.Details {
				if len(roofs) > 0 {
					t.Errorf("got %+v of a page without them", roofs)
				}
				return
			}
			if len(roofs) != 1 || roofs[0].Precision != Single || math.Abs(roofs[0].Work/(k.FLOP/k.Time(r.Clock))-1) > 1e-2 || math.Abs(roofs[0].PeakTraffic/4.8e12-1) > 1e-3 || math.Abs(roofs[0].PeakWork/6e13-1) > 1e-3 {
				t.Errorf("got %+v", roofs)
			}
		})
	}
}

// TestOldHeads: older versions have no columns for sizes and device, and other names of sections.
func TestOldHeads(t *testing.T) {
	set, err := load(t, "some output of the program\n"+`"ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream","Section Name","Metric Name","Metric Unit","Metric Value"
"0","7","a","h","k(int*)","2021-Jan-01","1","7","GPU Speed Of Light","Duration","usecond","12.50"
"0","7","a","h","k(int*)","2021-Jan-01","1","7","GPU Speed Of Light","SOL SM","%","40.00"
a line, of the program
"0","7","a","h","k(int*)","2021-Jan-01","1","7","Launch Statistics","Grid Size","","1,024"
"0","7","a","h","k(int*)","2021-Jan-01","1","7","Launch Statistics","Block Size","","128"
"0","7","a","h","k(int*)","2021-Jan-01","1","7","Command line profiler metrics","gpu__time_duration.sum","nsecond","n/a"
`)
	if err != nil || len(set.Launches) != 1 || set.Launches[0].Grid != "1024" || set.Launches[0].Block != "128" || set.Incomplete {
		t.Fatalf("got %+v, %v", set, err)
	}
	qs := Quantities()
	if v, ok := set.Get(&set.Launches[0], &qs[0]); !ok || !near(v, 12.5e-6) {
		t.Errorf("duration: got %v", v)
	}
	if v, ok := set.Get(&set.Launches[0], &qs[1]); !ok || !near(v, 0.4) {
		t.Errorf("throughput: got %v", v)
	}
}

// TestStalls: the names that stalls had in each version.
func TestStalls(t *testing.T) {
	for _, tt := range []struct {
		key          Key
		reason, unit string
		ok           bool
	}{
		{Key{"", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", "inst"}, "long_scoreboard", "cycle", true},
		{Key{"", "smsp__average_warp_latency_issue_stalled_barrier.ratio", "cycle"}, "barrier", "cycle", true},
		{Key{"", "smsp__average_warps_issue_stalled_wait_per_issue_active.pct", "ratio"}, "wait", "ratio", true},
		{Key{"", "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct", "ratio"}, "lg_throttle", "ratio", true},
		{Key{"Warp State Statistics", "Stall Long Scoreboard", "inst"}, "long_scoreboard", "cycle", true},
		{Key{"", "smsp__average_warps_issue_stalled_wait_not_issued_per_issue_active.ratio", "inst"}, "", "", false},
		{Key{"", "gpu__time_duration.sum", "s"}, "", "", false},
	} {
		if reason, unit, ok := StallOf(tt.key); ok != tt.ok || ok && (reason != tt.reason || unit != tt.unit) {
			t.Errorf("%v: got %s %s %v", tt.key, reason, unit, ok)
		}
	}
}

// TestImport: reports are printed by the ncu of the machine; what it says of a failure is told
// without paths, and what it started ends with it.
func TestImport(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for ncu is a shell script")
	}
	dir := t.TempDir()
	r := ncutest.Usual()
	for name, text := range map[string]string{
		"table.txt": r.Text(), "x.ncu-rep": "binary",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct{ script, says string }{
		"good":   {`test "$*" = "--import ` + dir + `/x.ncu-rep --csv --page raw" || exit 9; cat ` + dir + `/table.txt`, ""},
		"failed": {"echo '==ERROR== Failed to open /home/someone/x.ncu-rep' >&2; exit 1", "Failed to open"},
		"half":   {"cat " + dir + "/table.txt; echo broken >&2; exit 3", "exit status 3"},
		"silent": {"exit 0", "no table of kernels"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "ncu"), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			set, err := Load(context.Background(), filepath.Join(dir, "x.ncu-rep"), Options{})
			switch {
			case tt.says == "":
				if err != nil || len(set.Launches) != 36 {
					t.Errorf("got %+v, %v", set, err)
				}
			case err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "someone") || !strings.Contains(err.Error(), "try by hand"):
				t.Errorf("got %v, want %s", err, tt.says)
			}
		})
	}
}

// TestPrefixes: a file that is cut anywhere is an error, or incomplete, or lost whole launches alone:
// it never has a value that the whole file does not have.
func TestPrefixes(t *testing.T) {
	for _, details := range []bool{false, true} {
		r := ncutest.Usual()
		r.Kernels = r.Kernels[:2]
		for i := range r.Kernels {
			r.Kernels[i].Launches, r.Details = 2, details
		}
		text := r.Text()
		whole, err := load(t, text)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(text) {
			set := &Set{ids: map[Key]int32{}}
			f := File{Name: "x"}
			if err := set.read(&f, 0, strings.NewReader(text[:n])); err != nil {
				continue
			}
			for i := range set.Launches {
				for _, v := range set.Launches[i].Values {
					if want, ok := whole.Value(&whole.Launches[i], set.Keys[v.Key]); !ok || want != v.Number {
						t.Fatalf("cut at %d: %v is %v, want %v", n, set.Keys[v.Key], v.Number, want)
					}
				}
			}
		}
	}
}

// FuzzRead: no file makes the reader fail otherwise than with an error.
func FuzzRead(f *testing.F) {
	r := ncutest.Usual()
	f.Add(r.Text())
	r.Details, r.Comma = true, true
	f.Add(r.Text())
	f.Add("\"ID\",\"Kernel Name\",\"a__b\"\n\"\",\"\",\"ns\"\n\"0\",\"k\n\",\"1;2\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		set := &Set{ids: map[Key]int32{}}
		file := File{Name: "x"}
		if err := set.read(&file, 0, strings.NewReader(text)); err != nil {
			return
		}
		for i := range set.Launches {
			set.Rooflines(&set.Launches[i])
			for _, v := range set.Launches[i].Values {
				if int(v.Key) >= len(set.Keys) || math.IsNaN(v.Number) {
					t.Errorf("got %+v", v)
				}
			}
		}
	})
}

// TestDoubtfulTimes: a duration that none can be is not recorded, and a comma that may stand before
// decimals is no number that decides.
func TestDoubtfulTimes(t *testing.T) {
	page := func(times ...string) string {
		text := `"ID","Kernel Name","Block Size","Grid Size","Device","CC","gpu__time_duration.sum"` + "\n" + `"","","","","","","ns"` + "\n"
		for i, v := range times {
			text += fmt.Sprintf(`"%d","k","(32, 1, 1)","(4, 1, 1)","0","9.0","%s"`, i, v) + "\n"
		}
		return text
	}
	for _, tt := range []struct {
		name    string
		times   []string
		known   int
		unclear bool
		says    string
	}{
		{"sound", []string{"965.5", "1,965.5"}, 2, false, ""},
		{"zero and less", []string{"965.5", "0", "-12"}, 1, false, "2 durations are not above zero"},
		{"either", []string{"1,965", "1,970"}, 2, true, "numbers such as 1,234"},
		{"told by another", []string{"1,965", "1.970,5"}, 2, false, ""},
	} {
		set, err := load(t, page(tt.times...))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		known, said := 0, ""
		for i := range set.Launches {
			if _, ok := set.Get(&set.Launches[i], &Quantities()[0]); ok {
				known++
			}
		}
		for _, w := range set.Warnings {
			said += w.Text
		}
		if known != tt.known || set.Unclear != tt.unclear || !strings.Contains(said, tt.says) || (said == "") != (tt.says == "") {
			t.Errorf("%s: got %d durations, unclear %v, %q", tt.name, known, set.Unclear, said)
		}
	}
}

// TestCandidates: of a directory what may be ncu's is read, but for a report beside its own table and
// what is hidden.
func TestCandidates(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "a.log", "in/c.csv", "in/c.ncu-rep", "d.ncu-rep", ".old/e.csv", "notes.md"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := candidates(dir)
	for i := range got {
		got[i], _ = filepath.Rel(dir, got[i])
	}
	if want := []string{"a.log", "b.csv", "d.ncu-rep", filepath.Join("in", "c.csv")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// TestOffloaded: two kernels that their lines alone tell apart stay two, and are named as in a capture of steps.
func TestOffloaded(t *testing.T) {
	r := ncutest.Usual()
	for i := range r.Kernels {
		r.Kernels[i].Name = fmt.Sprintf("__omp_offloading_10302_2d86c1c_main_l%d", 90+10*i)
	}
	set, err := load(t, r.Text())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, l := range set.Launches {
		names[l.Kernel] = true
	}
	if want := fmt.Sprintf("__omp_offloading_main_l#1of%d", len(r.Kernels)); len(names) != len(r.Kernels) || !names[want] {
		t.Errorf("got %v, want %d kernels, %s one of them", names, len(r.Kernels), want)
	}
}

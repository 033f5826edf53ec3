package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// passes is a directory of captures of one pass each, of which every one is a process of its own, a minute after the
// one before, unless it is said otherwise.
type passes struct {
	n       int
	slower  float64             // the factor of all kernels
	name    func(i int) string  // nil: pass0.json
	process func(i int) int     // nil: another for each
	at      func(i int) float64 // s; nil: a minute after the one before
	dropped int                 // the file that lacks a kernel; 0: none does
	more    int                 // launches of a kernel that every file has more
	grid    int                 // of all kernels
}

// write writes the captures. Processes differ by up to 1 %.
func (p passes) write(t *testing.T, seed int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range p.n {
		name, process, at := fmt.Sprintf("pass%d.json", i), 4000+100*seed+i, 60*float64(i)
		if p.name != nil {
			name = p.name(i)
		}
		if p.process != nil {
			process = p.process(i)
		}
		if p.at != nil {
			at = p.at(i)
		}
		var b strings.Builder
		b.WriteString(`{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA A100"}],"traceEvents":[`)
		ts, k := 1717552534e6+1e9*float64(seed)+at*1e6, 0
		own := p.slower * (1 + 0.01*math.Sin(float64(7*i+3*seed)))
		launch := func(kernel string, us float64) {
			k++
			fmt.Fprintf(&b, `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":%d,"tid":%d,"ts":%.3f,"dur":2,"args":{"correlation":%d}},`, process, process, ts-3, k)
			fmt.Fprintf(&b, `{"ph":"X","cat":"kernel","name":%q,"pid":0,"tid":7,"ts":%.3f,"dur":%.3f,"args":{"device":0,"stream":7,"correlation":%d,"grid":[%d,1,1],"block":[128,1,1]}},`,
				kernel, ts, us*own, k, 64+p.grid)
			ts += us*own + 2
		}
		launch("embed", 50)
		for layer := range 5 {
			launch("gemm", 400)
			launch("attention", 300)
			if p.dropped == 0 || p.dropped != i || layer > 0 {
				launch("norm", 30)
			}
		}
		for range p.more {
			launch("head", 10)
		}
		launch("head", 700)
		writeFile(t, filepath.Join(dir, name), strings.TrimSuffix(b.String(), ",")+"]}")
	}
	return dir
}

// TestPasses: captures of one pass each are steps where all launch the same, and nothing is judged where they do not.
func TestPasses(t *testing.T) {
	named := func(format string) func(int) string { return func(i int) string { return fmt.Sprintf(format, i) } }
	one := func(int) int { return 77 }
	for name, tt := range map[string]struct {
		base, cand  passes
		runs, steps int     // that are compared; no steps: nothing is judged
		percent     float64 // by how much the candidate is slower
		fails       bool
		says        string // part of the report
	}{
		"slower":          {passes{n: 8, slower: 1}, passes{n: 8, slower: 1.1}, 8, 1, 10, true, "each capture is one pass: equal kernel launches in all 16 files"},
		"three of each":   {passes{n: 3, slower: 1}, passes{n: 3, slower: 1.25}, 3, 1, 25, true, "each capture is one pass: equal kernel launches in all 6 files"},
		"unchanged":       {passes{n: 8, slower: 1}, passes{n: 8, slower: 1}, 8, 1, 0, false, ""},
		"numbers by name": {passes{n: 4, slower: 1, name: named("trace_%d.json")}, passes{n: 4, slower: 1.2, name: named("trace_%d.json")}, 4, 1, 20, true, ""},
		"run directories": {passes{n: 4, slower: 1, name: named("run%d/a.json")}, passes{n: 4, slower: 1.2, name: named("run%d/a.json")}, 4, 1, 20, true, ""},
		"one process":     {passes{n: 12, slower: 1, process: one}, passes{n: 12, slower: 1.3, process: one}, 1, 12, 30, true, ""},
		"one of each":     {passes{n: 1, slower: 1}, passes{n: 1, slower: 1.1}, 1, 0, 0, false, "each capture is one pass: equal kernel launches in all 2 files; record at least 3 per side"},
		"a kernel less":   {passes{n: 4, slower: 1}, passes{n: 4, slower: 1.1, dropped: 2}, 1, 0, 0, false, "launches norm 5 times and candidate/pass2.json 4 times"},
		"launches more":   {passes{n: 4, slower: 1}, passes{n: 4, slower: 1.1, more: 2}, 1, 0, 0, false, "launches head once and candidate/pass0.json 3 times"},
		"another batch":   {passes{n: 4, slower: 1}, passes{n: 4, slower: 1.1, grid: 64}, 1, 0, 0, false, "launches 5 of 5 kernels with other grids than baseline/pass0.json, attention first"},
		"ranks at once":   {passes{n: 4, slower: 1, at: func(int) float64 { return 0 }}, passes{n: 4, slower: 1.1, at: func(int) float64 { return 0 }}, 1, 0, 0, false, ""},
		"ranks by name":   {passes{n: 4, slower: 1, name: named("rank%d.json")}, passes{n: 4, slower: 1.1, name: named("rank%d.json")}, 1, 0, 0, false, ""},
	} {
		base, cand := tt.base.write(t, 1), tt.cand.write(t, 2)
		for way, sides := range [][]string{{base, cand}, {cand, base}} {
			r := judge(t, sides[0], sides[1])
			want := tt.percent
			if way == 1 {
				want = 100/(1+want/100) - 100
			}
			if b, c := r.Baseline, r.Candidate; len(b.Runs) != tt.runs || len(c.Runs) != tt.runs || b.Steps.Used != tt.steps {
				t.Errorf("%s, way %d: got %+v and %+v, want %d runs and %d steps", name, way, b, c, tt.runs, tt.steps)
			}
			if got := r.slower(); r.Verdict.Judged != (tt.steps > 0) || tt.steps > 0 && math.Abs(got-want) > 1.2 {
				t.Errorf("%s, way %d: got %+.1f %%, %s, want %+.1f %%", name, way, got, r.Verdict.Headline, want)
			}
			if fails := r.Verdict.Verdict == "regressed" || r.Verdict.Verdict == "improved"; fails != tt.fails {
				t.Errorf("%s, way %d: got %s", name, way, r.Verdict.Headline)
			}
		}
		if text := fmt.Sprint(judge(t, base, cand)); !strings.Contains(text, tt.says) {
			t.Errorf("%s: %q does not say %q", name, text, tt.says)
		}
	}
}

// TestSavedPasses: summaries are compared where their captures launch the same, too.
func TestSavedPasses(t *testing.T) {
	dir := t.TempDir()
	base, same, other := filepath.Join(dir, "a.perfdiff"), filepath.Join(dir, "b.perfdiff"), filepath.Join(dir, "c.perfdiff")
	profiles := passes{n: 4, slower: 1.2}.write(t, 2)
	mustRun(t, statusOK, "summarize", passes{n: 4, slower: 1}.write(t, 1), "-o", base)
	mustRun(t, statusOK, "summarize", profiles, "-o", same)
	mustRun(t, statusOK, "summarize", passes{n: 4, slower: 1.2, more: 1}.write(t, 3), "-o", other)
	for _, cand := range []string{same, profiles} {
		if r := judge(t, base, cand); r.Verdict.Verdict != "regressed" {
			t.Errorf("%s: got %s", filepath.Base(cand), r.Verdict.Headline)
		}
	}
	if out, _ := mustRun(t, statusNotJudged, base, other); !strings.Contains(strings.Join(strings.Fields(out), " "), "the baseline's launch head 1 time and the candidate's 2 times") {
		t.Errorf("got %s", out)
	}
}

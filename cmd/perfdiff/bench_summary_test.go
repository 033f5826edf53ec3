package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/trace"
)

// measuredRanks are how many ranks of a large summary are simulated and measured; the
// others have the steps of one of these in another order.
const measuredRanks = 16

// largeSummaries writes a saved summary for each side, of so many ranks and steps, and
// returns their paths. The candidate's loader is slower and one rank is a straggler.
func largeSummaries(tb testing.TB, dir string, ranks, steps int) (base, cand string) {
	tb.Helper()
	text := fmt.Sprintf("about: a large job\nnodes: 2\nranks: %d\nsteps: %d\nseed: 3\n"+
		"job: {reads: {bytes: 16777216}}\ncandidate: {input: {from: 2ms}, slow: {5: 1.1}}\n", measuredRanks, steps)
	story, err := synth.Parse("large", []byte(text))
	if err == nil {
		_, err = story.Write(context.Background(), dir, synth.Nsight)
	}
	if err != nil {
		tb.Fatal(err)
	}
	side := func(name string) string {
		set, err := analyze.Load(context.Background(), filepath.Join(dir, name), analyze.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		multiply(set, ranks)
		data, err := analyze.Summary(set)
		path := filepath.Join(dir, name+".perfdiff")
		if err == nil {
			err = os.WriteFile(path, data, 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
		return path
	}
	return side("baseline"), side("candidate")
}

// multiply makes so many ranks of the first run's: rank n has the steps of rank n modulo
// those that there are, turned by some, as if its noise were its own.
func multiply(set *measured.Set, ranks int) {
	one := set.Runs[0].Ranks
	inTime := map[string]bool{}
	for _, m := range set.Metrics {
		inTime[m.Name] = m.Unit == "s"
	}
	all := make([]measured.Rank, 0, ranks)
	for n := range ranks {
		r := one[n%len(one)]
		turn := n / len(one) * 7
		r.Rank, r.WorldSize = n, ranks
		r.Host, r.Device = fmt.Sprintf("node%d", n/8), n%8
		r.Files = []string{fmt.Sprintf("report.%d.sqlite", n)}
		r.Facts = slices.Clone(r.Facts)
		r.Steps = slices.Clone(r.Steps)
		r.Series = slices.Clone(r.Series)
		for i := range r.Series {
			r.Series[i].Values = turned(r.Series[i].Values, r.Steps, turn)
			if inTime[r.Series[i].Metric] {
				stretch(r.Series[i].Values, uint64(n))
			}
		}
		all = append(all, r)
	}
	set.Runs[0].Ranks = all
	set.Files = nil
	for n := range ranks {
		set.Files = append(set.Files, measured.File{Name: fmt.Sprintf("report.%d.sqlite", n), Format: "nsys sqlite", Bytes: 1 << 20, Digest: fmt.Sprintf("%s%d", set.Digest, n), Ranks: []int{n}})
	}
}

// turned are the values of the kept steps, each moved by so many places; those of dropped
// ones stay.
func turned(values []float64, steps []trace.Step, by int) []float64 {
	if len(values) != len(steps) {
		return values
	}
	out := slices.Clone(values)
	var kept []int
	for i, s := range steps {
		if s.Dropped == "" {
			kept = append(kept, i)
		}
	}
	for k, i := range kept {
		out[i] = values[kept[(k+by)%len(kept)]]
	}
	return out
}

// stretch makes times of a rank a little longer, each step by a share of its own, as whole
// nanoseconds.
func stretch(values []float64, rank uint64) {
	for i, v := range values {
		h := (rank<<32 | uint64(i)) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
		values[i] = math.Round(v*1e9*(1+float64(h>>54)*1e-5)) * 1e-9
	}
}

// BenchmarkSummaries compares saved summaries of 1,024 ranks and 1,000 steps and writes the
// page, or the JSON form with every value: processor time and peak memory of reading,
// comparing and writing.
func BenchmarkSummaries(b *testing.B) {
	exe := program(b)
	base, cand := largeSummaries(b, b.TempDir(), fraction(1024), 1000)
	for _, form := range []string{"html", "json"} {
		b.Run(form, func(b *testing.B) {
			var cpu time.Duration
			var peak float64
			for b.Loop() {
				out := filepath.Join(b.TempDir(), "report."+form)
				one := cost(b, watched, exe, base, cand, "-q", "-o", out)
				cpu, peak = cpu+one.cpu, max(peak, one.peakMB)
			}
			b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(peak, "peak-MB")
		})
	}
}

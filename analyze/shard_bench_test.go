package analyze

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

	"perfdiff/analyze/part"
	"perfdiff/analyze/run"
	"perfdiff/analyze/synth"
)

// generatedParts writes the parts of a job of so many ranks and steps, in shards of perShard ranks:
// those of 16 measured ranks, each again and again with another number, other times and other
// arrivals in collectives.
func generatedParts(tb testing.TB, dir string, ranks, steps, perShard int) {
	tb.Helper()
	const measured = 16
	story, err := synth.Parse("large", fmt.Appendf(nil, "about: a large job\nnodes: 2\nranks: %d\nsteps: %d\nseed: 3\n"+
		"job: {reads: {bytes: 16777216}}\n", measured, steps))
	profiles := tb.TempDir()
	if err == nil {
		_, err = story.Write(context.Background(), profiles, synth.Nsight)
	}
	found, _ := discover(context.Background(), filepath.Join(profiles, "baseline"), nil)
	own := found.inRun(func(string) bool { return true })
	for i := range own {
		own[i].filesOfRun = ranks
	}
	read, readErr := readShard(context.Background(), own, Options{})
	if err != nil || readErr != nil {
		tb.Fatal(err, readErr)
	}
	var listed []part.Listed
	for n := range ranks {
		listed = append(listed, part.Listed{Name: fmt.Sprintf("report.%05d.sqlite", n), Bytes: 400e6, Shard: n / perShard})
	}
	h := part.Header{Tool: toolOf("perfdiff (devel)"), Label: "candidate", Plan: "0", Total: ranks, Shards: ranks / perShard}
	for h.Shard = range h.Shards {
		var files []part.File
		for n := h.Shard * perShard; n < (h.Shard+1)*perShard; n++ {
			files = append(files, anotherRank(&read[n%measured], n, ranks))
		}
		p, err := part.New(h, part.Beside{Listed: listed}, files)
		if err == nil {
			_, _, err = p.Write(dir)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// anotherRank is what was measured of a rank, as that of rank n of a larger job.
func anotherRank(of *result, n, ranks int) part.File {
	f := of.part()
	f.Name, f.Bytes, f.Digest = fmt.Sprintf("report.%05d.sqlite", n), 400e6, fmt.Sprintf("%016x", n)
	f.Captures = slices.Clone(f.Captures)
	c := &f.Captures[0]
	c.Digest, c.Warnings = f.Digest, nil
	r := &c.Rank
	r.Rank, r.WorldSize, r.Host, r.Comms = n, ranks, fmt.Sprintf("%s-%d", r.Host, n/16), nil // clocks are those of its host
	c.Identity.Rank, c.Identity.WorldSize, c.Identity.Host = n, ranks, r.Host
	r.Series = slices.Clone(r.Series)
	for i := range r.Series {
		r.Series[i].Values = slices.Clone(r.Series[i].Values)
		if strings.HasSuffix(r.Series[i].Metric, "_time") {
			for k, v := range r.Series[i].Values {
				r.Series[i].Values[k] = math.Round(v*1e9*(1+noise(n, k)*1e-2)) * 1e-9
			}
		}
	}
	c.Comm.Spans = slices.Clone(c.Comm.Spans)
	for k := range c.Comm.Spans {
		s := &c.Comm.Spans[k]
		s.Start += int64(noise(n, k) * float64(s.End-s.Start) / 2)
		s.Ranks = int32(ranks)
	}
	return f
}

// noise is a number in [0, 1), the same for the same two.
func noise(n, k int) float64 {
	h := (uint64(n)<<32 | uint64(k)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return float64(h>>11) / (1 << 53)
}

// BenchmarkMerge merges generated parts: time, processor time of both processors, and peak memory.
// PERFDIFF_MERGE=ranks,steps measures one job; without it 1,024 ranks of 1,000 steps and, with fewer
// steps, 16,384 ranks, as PERFDIFF_BENCH_FULL has it.
func BenchmarkMerge(b *testing.B) {
	jobs := [][2]int{{128, 100}}
	if os.Getenv("PERFDIFF_BENCH_FULL") == "1" {
		jobs = [][2]int{{1024, 1000}, {16384, 20}}
	}
	var ranks, steps int
	if n, _ := fmt.Sscanf(os.Getenv("PERFDIFF_MERGE"), "%d,%d", &ranks, &steps); n == 2 {
		jobs = [][2]int{{ranks, steps}}
	}
	for _, job := range jobs {
		b.Run(fmt.Sprintf("%d-ranks-%d-steps", job[0], job[1]), func(b *testing.B) {
			dir := b.TempDir()
			generatedParts(b, dir, job[0], job[1], 16)
			bytes := int64(0)
			files, _ := filepath.Glob(filepath.Join(dir, "*"+part.Ext))
			for _, f := range files {
				if info, err := os.Stat(f); err == nil {
					bytes += info.Size()
				}
			}
			runtime.GC()
			for b.Loop() {
				set, _, err := MergeParts(context.Background(), []string{dir}, "perfdiff (devel)", false, Options{Memory: 16 << 30})
				if err != nil {
					b.Fatal(err)
				}
				summary, err := Summary(set)
				if err != nil || len(set.Runs[0].Ranks) != job[0] {
					b.Fatal(err, len(set.Runs[0].Ranks))
				}
				b.ReportMetric(float64(len(summary))/1e6, "MB-summary")
				if set.Runs[0].Ranks[0].Values(run.Key{Metric: run.CommWaitTime}) == nil {
					b.Fatal("nobody waits for anybody: ", set.Runs[0].Clocks.Inseparable)
				}
			}
			b.ReportMetric(float64(bytes)/1e6, "MB-parts")
		})
	}
}

package html

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

var nan = math.NaN()

// noise is a number from 0 to 1 that depends on its arguments only.
func noise(v ...int) float64 {
	h := uint64(1469598103934665603)
	for _, x := range v {
		h = (h ^ uint64(x+7)) * 1099511628211
		h ^= h >> 29
	}
	return float64(h%10000) / 10000
}

// job is the report of a made-up pair: a baseline that gets slower, a
// candidate of half its time.
func jobReport(ranks, steps int) *diff.Report {
	r := &diff.Report{
		SchemaVersion: diff.SchemaVersion, Tool: "perfdiff test", Policy: policy.DefaultPolicy(), Judged: true, Verdict: verdict.Improved, Reason: verdict.ReasonDecided,
		Base: sideOf("buffered", ranks, steps), Cand: sideOf("direct", ranks, steps),
		Findings: []cause.Finding{
			{Kind: policy.KindCommunication, Metric: "exposed_comm_time", Base: 0.0558, Cand: 0.0092, Delta: -0.0466, Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Unit: "s", Class: verdict.ClassBetter, Section: "collectives"},
			{Kind: policy.KindInputWait, Metric: "input_wait_time", Base: 0.0335, Cand: 0.00075, Delta: -0.0327, Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Unit: "s", Class: verdict.ClassBetter, Section: "io"},
			{Kind: policy.KindGapBefore, Metric: "gap_before", Base: 0.00102, Cand: 0.00102, Delta: 0, Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Unit: "s", Class: verdict.ClassRemains, Section: "gaps"},
		},
		Differences: []verdict.Difference{{Name: "driver", Base: "550.90.07", Cand: "550.127.05", Class: policy.ClassLook, Why: policy.OtherDriver}, {Name: "os", Base: "6.1", Cand: "6.2", Class: policy.ClassHarmless, Why: policy.NotOfTheDevice}},
		Same:        []trace.Fact{{Key: "gpu", Value: "H100"}, {Key: "cuda", Value: "12.4"}},
		Warnings:    []diff.Warning{{Side: "baseline", Warning: trace.Warning{File: "rank3.sqlite", Text: "214 device spans have no launch"}, Count: 2}},
	}
	for i := range steps {
		p := cause.StepPoint{Number: int64(11 + i), Base: pointOf(0, i, ranks, steps), Cand: pointOf(1, i, ranks, steps)}
		if i == 0 {
			p.Omission = cause.Omission{Base: "profiler start-up", Cand: "profiler start-up"}
		}
		r.Steps = append(r.Steps, p)
	}
	r.Quantiles = cause.Quantiles(r.Steps)
	for k := range ranks {
		r.Ranks = append(r.Ranks, diff.RankRow{Rank: k, Base: rankOf(0, k, steps), Cand: rankOf(1, k, steps)})
	}
	r.Waterfall = fallOf(r)
	addMetrics(r)
	addRest(r, ranks, steps)
	return r
}

// fullReport is the same with as much in its timelines as a page shows, and with the calls of a
// collective.
func fullReport(ranks, steps int) *diff.Report {
	r := jobReport(ranks, steps)
	for k := range r.Ranks {
		for side, of := range []*diff.RankSide{&r.Ranks[k].Base, &r.Ranks[k].Cand} {
			var took run.Durations
			for i := range 4 * steps {
				took.Add(int64(1e7 * (1 + 4*noise(side, k, i, 6))))
			}
			of.Calls = []run.Calls{took.Calls("AllReduce")}
		}
	}
	for side := range r.Timeline {
		r.Timeline[side] = []diff.Excerpt{excerptOf(side, ranks, steps/2, false), excerptOf(side, ranks, steps-1, true), excerptOf(side, ranks, steps/3, false), excerptOf(side, ranks, steps/4, false)}
	}
	r.Views = []diff.View{{Kind: diff.ViewTypical, Rank: -1}, {Kind: diff.ViewWorst, Side: "baseline", Step: [2]int{1, 0}, Rank: -1}, {Kind: diff.ViewWorst, Side: "candidate", Step: [2]int{0, 1}, Rank: -1},
		{Kind: diff.ViewSpike, Step: [2]int{2, 2}, Rank: -1}, {Kind: diff.ViewSpike, Side: "candidate", Step: [2]int{3, 3}, Rank: -1}, {Kind: diff.ViewCulprit, Rank: ranks - 1}}
	return r
}

// excerptOf is a step of as many bars as a run keeps, of up to 16 ranks.
func excerptOf(side, ranks, step int, worst bool) diff.Excerpt {
	e := run.Excerpt{Step: int64(11 + step), Worst: worst}
	shown := min(ranks, 16)
	for rank := range shown {
		strip := run.Strip{Rank: rank, Length: int64(1e9 * stepTime(side, step, step+1)), Names: slices.Clone(run.IdleCauses),
			Tracks: []run.Track{{Host: true, Steps: true, ID: 4711}, {ID: 7}, {ID: 20}, {ID: 24}}}
		for i := range 40 {
			strip.Names = append(strip.Names, fmt.Sprintf("void gemm_kernel<float, %d>(Params)", i))
		}
		n := run.MaxExcerptBars / shown
		for i := range n {
			lane := run.Lane(5 * i / n)
			share := strip.Length / int64(n/5+1)
			at := share*int64(i%(n/5+1)) + int64(noise(side, rank, i)*float64(share)/2)
			name := len(run.IdleCauses) + int(40*noise(i, 2))%40
			if lane == run.LaneGap {
				name = i % len(run.IdleCauses)
			}
			bar := run.StripSpan{Start: at, End: at + share/3 + int64(noise(side, rank, i, 1)*1e5), Name: int32(name), Lane: lane}
			switch lane {
			case run.LaneRange:
				bar.Track = 1
			case run.LaneGap:
			default:
				bar.Track, bar.Ahead = int16(2+lane), int64(1e6*noise(side, rank, i, 2))
			}
			if lane == run.LaneComm {
				bar.Split, bar.Wait = true, (bar.End-bar.Start)/2
			}
			strip.Spans = append(strip.Spans, bar)
		}
		e.Ranks = append(e.Ranks, strip)
	}
	return diff.Excerpt{Excerpt: e, Run: "a", Used: true}
}

func sideOf(label string, ranks, steps int) diff.Side {
	s := diff.Side{Label: label, Runs: []string{label}, World: ranks, GPUs: []string{"H100"}, RanksFrom: []string{"SLURM_PROCID"}}
	for i := range ranks {
		s.Ranks = append(s.Ranks, i)
		s.Files = append(s.Files, run.File{Name: fmt.Sprintf("report.%d.sqlite", i), Bytes: 1e7})
	}
	for i := range (ranks + 7) / 8 {
		s.Hosts = append(s.Hosts, fmt.Sprintf("node%d", i))
	}
	s.Steps = diff.StepReceipt{Marker: `range "step N"`, Found: steps, Kept: steps - 1, Used: steps - 1, Dropped: []run.Drop{{Steps: []int64{11}, Reason: "profiler start-up"}}, Second: "agrees: 1 AllReduce per step"}
	for _, f := range s.Files {
		s.Steps.Receipts = append(s.Steps.Receipts, run.Receipt{File: f.Name, Marker: s.Steps.Marker, Found: steps, Kept: steps - 1, Dropped: s.Steps.Dropped})
	}
	return s
}

// stepTime is what a step takes, in seconds.
func stepTime(side, step, steps int) float64 {
	if side == 1 {
		return 0.079 + 0.0006*noise(side, step)
	}
	return 0.1 + 0.12*float64(step)/float64(steps) + 0.004*noise(side, step)
}

func pointOf(side, step, ranks, steps int) cause.StepSide {
	t := stepTime(side, step, steps)
	return cause.StepSide{Median: t, Min: t * 0.97, Max: t * 1.04, Ranks: ranks}
}

func rankOf(side, rank, steps int) diff.RankSide {
	out := diff.RankSide{Present: true, From: "SLURM_PROCID", Host: fmt.Sprintf("node%d", rank/8), GPU: "H100", Device: rank % 8, Values: map[string][]float64{}}
	var used []float64
	for i := range steps {
		t := stepTime(side, i, steps) * (1 + 0.02*noise(side, rank, i))
		out.Steps = append(out.Steps, int64(11+i))
		out.Omissions = append(out.Omissions, map[bool]cause.Omission{true: {Base: "profiler start-up", Cand: "profiler start-up"}}[i == 0])
		b := partsOf(side, rank, t)
		for k, v := range map[string]float64{"step_time": t, "compute_time": b.Compute, "exposed_comm_time": b.ExposedComm, "idle_time": b.Idle, "collective_duration/AllReduce": b.ExposedComm,
			"overlap": 0.3 * noise(side, rank, i, 4), "gap_time": b.Idle * 0.97, "io_read_throughput": 2e9 * (1 + noise(side, rank, i, 5))} {
			out.Values[k] = append(out.Values[k], v)
		}
		if i > 0 {
			used = append(used, t)
		}
	}
	for i, q := range []float64{0, 0.25, 0.5, 0.75, 1} {
		out.Box[i] = interpolatedQuantile(used, q)
	}
	b := partsOf(side, rank, mean(used))
	out.Breakdown, out.Parts = b, []float64{b.Compute, b.ExposedComm, b.ExposedMemory, b.Idle}
	return out
}

func partsOf(side, rank int, t float64) diff.Breakdown {
	b := diff.Breakdown{Step: t, Compute: 0.06 + 0.002*noise(rank), ExposedMemory: 0.002}
	rest := t - b.Compute - b.ExposedMemory
	b.ExposedComm = rest * (0.4 + 0.3*noise(side, rank, 3))
	b.Idle = rest - b.ExposedComm
	return b
}

func compared(metric, part, unit string, base, cand float64) verdict.Comparison {
	c := verdict.Comparison{
		Key: run.Key{Metric: metric, Part: part}, Metric: run.Metric{Name: metric, Unit: unit, Better: run.Lower, Doc: "What it is."},
		Base: base, Cand: cand, BaseMean: base, CandMean: cand, Delta: cand - base, Estimate: cand/base - 1, Relative: true, Threshold: 0.02,
		Verdict: verdict.Improved, Reason: verdict.ReasonDecided, Runs: [2]int{1, 1}, Ranks: [2]int{16, 16}, StepsUsed: 18, Floor: 0.015,
	}
	c.Lo, c.Hi = c.Estimate-0.02, c.Estimate+0.02
	if math.Abs(c.Estimate) < 0.02 {
		c.Verdict = verdict.Unchanged
	}
	return c
}

func addMetrics(r *diff.Report) {
	gate := compared("step_time", "", "s", 0.160, 0.079)
	gate.Gating = true
	gate.Metric.Subject = "Step time"
	gate.BaseMean, gate.CandMean = 0.1605, 0.0793
	r.Headline.Of = gate
	missing := compared("io_read_throughput", "", "B/s", nan, nan)
	missing.Reason, missing.Verdict, missing.NotRecorded = verdict.ReasonNotRecorded, verdict.Inconclusive, [2]verdict.Need{{Kind: verdict.NeedRecord, What: "file access events"}, {Kind: verdict.NeedRecord, What: "file access events"}}
	missing.Estimate, missing.Lo, missing.Hi, missing.Delta = nan, nan, nan, nan
	r.Metrics = []verdict.Comparison{gate, compared("compute_time", "", "s", 0.061, 0.061), compared("comm_time", "", "s", 0.0558, 0.0098), compared("exposed_comm_time", "", "s", 0.0558, 0.0092),
		compared("exposed_memory_time", "", "s", 0.002, 0.002), compared("idle_time", "", "s", 0.0417, 0.0071), compared("input_wait_time", "", "s", 0.0335, 0.00075), missing}
	for _, part := range []string{"AllReduce", "Broadcast"} {
		f := map[string]float64{"AllReduce": 1, "Broadcast": 0.01}[part]
		r.Parts = append(r.Parts, compared("comm_time", part, "s", 0.0558*f, 0.0098*f), compared("collective_duration", part, "s", 0.0558*f, 0.0098*f),
			compared("collective_calls", part, "1", 1, 1), compared("gap_before", part, "s", 0.0004, 0.001))
	}
	r.Parts = append(r.Parts, compared("gap_count", "", "1", 420, 410), compared("gap_time", "", "s", 0.0417, 0.0071), compared("gap_p50", "", "s", 12e-6, 11e-6), compared("gap_p90", "", "s", 90e-6, 60e-6), compared("gap_p99", "", "s", 0.004, 0.001),
		compared("memcpy_bytes", "h2d", "B", 1.1e8, 1.1e8), compared("net_receive_throughput", "", "B/s", 4.1e9, 2.2e9), compared("net_receive_throughput", "mlx5_0 port 1", "B/s", 4.1e9, 2.2e9),
		compared("gpu_activity", "SM active", "ratio", 0.41, 0.79), compared("gpu_activity", "tensor active", "ratio", 0.19, 0.38))
	r.Descriptions = []run.Metric{{Name: "step_time", Doc: "From the first device work of a step to the first of the next."}}
}

func addRest(r *diff.Report, ranks, steps int) {
	for i := range 60 {
		b := cause.GapBin{From: run.Edge(i), To: run.Edge(i + 1)}
		if i < 55 {
			b.Base = 40 * math.Exp(-math.Pow(float64(i)-12, 2)/60) * (1 + noise(i))
		}
		if i < 40 {
			b.Cand = 40 * math.Exp(-math.Pow(float64(i)-11, 2)/50) * (1 + noise(i, 1))
		}
		r.Gaps = append(r.Gaps, b)
	}
	for i := range 12 {
		d := (noise(i, 5) - 0.4) * 1e-3
		r.Kernels = append(r.Kernels, cause.Kernel{Name: fmt.Sprintf("void gemm_kernel<float, %d>(Params)", i), Class: "compute", BaseTime: 5e-3, CandTime: 5e-3 + d, BaseCalls: 61, CandCalls: 61, Delta: d, Slower: d, Share: 0.08})
	}
	r.Activity.Bin = 0.0083886
	for stepTime(0, steps/2, steps)*float64(steps)/r.Activity.Bin > 800 { // as diff brings bins together
		r.Activity.Bin *= 2
	}
	for k := range ranks {
		r.Activity.Base = append(r.Activity.Base, courseOf(0, k, steps, r.Activity.Bin))
		r.Activity.Cand = append(r.Activity.Cand, courseOf(1, k, steps, r.Activity.Bin))
	}
}

func courseOf(side, rank, steps int, bin float64) diff.RankActivity {
	c := diff.RankActivity{Rank: rank, ReadSource: "file access events"}
	end := 0.0
	for i := range steps {
		c.StepStarts, c.StepNumbers = append(c.StepStarts, end), append(c.StepNumbers, int64(11+i))
		end += stepTime(side, i, steps)
	}
	for i := range int(end / bin) {
		on := uint8(160*math.Max(0, math.Sin(float64(i)/(1.5+float64(1-side)*2)+noise(rank))) + 30*noise(side, rank, i))
		c.Compute = append(c.Compute, on)
		c.Comm = append(c.Comm, (200-on)/uint8(2+side))
		c.Overlap = append(c.Overlap, 0)
		c.Busy = append(c.Busy, min(200, on+c.Comm[i]+uint8(4*noise(side, rank, i, 1))))
		c.Read = append(c.Read, float32(1e9*(1+float64(side)*2*math.Max(0, math.Sin(float64(i)/3)))))
		if rank%8 == 0 { // the first of its node has the node's ports
			c.Receive = append(c.Receive, 4e7*float32(c.Comm[i]))
			c.Send, c.NetSource = append(c.Send, 3.5e7*float32(c.Comm[i])), "NET_NIC_METRIC"
		}
	}
	return c
}

// The states that a page can be in.

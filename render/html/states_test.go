package html

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

func unjudged() *diff.Report {
	r := jobReport(1, 1)
	r.Judged, r.Verdict, r.Reason, r.Per = false, verdict.Inconclusive, verdict.ReasonNoSteps, cause.PerSecond
	r.Headline = diff.Headline{Of: verdict.Comparison{Reason: verdict.ReasonNoSteps}, Silent: []string{"baseline", "candidate"}}
	for _, s := range []*diff.Side{&r.Base, &r.Cand} {
		s.Steps = diff.StepReceipt{Marker: "none", Hint: "put a range around each step"}
	}
	r.Steps, r.Findings, r.Metrics, r.Parts, r.Gaps, r.Kernels, r.Activity = nil, nil, nil, nil, nil, nil, diff.Activity{}
	return r
}

// stepless is a report of captures without steps whose calls are compared; names are
// hostile.
func stepless() *diff.Report {
	r, job := unjudged(), jobReport(2, 3)
	r.Kernels, r.Gaps, r.Activity = job.Kernels, job.Gaps, job.Activity
	side := cause.StatSide{Count: 1200, Median: 1e-4, Mean: 1e-4, Time: 0.1, Calls: 12, Share: 0.5, Total: 3}
	moved := side
	moved.Bytes = 2e9
	for _, table := range cause.CallTables {
		r.Calls = append(r.Calls, cause.Call{Table: table, Name: hostile + string(table), Base: side, Cand: moved, Change: 0.25, BeyondNoise: true},
			cause.Call{Table: table, Name: "gone", Base: side, Change: nan, Q: nan})
		r.Summaries = append(r.Summaries, cause.Summary{Table: table, Rows: []cause.StatRow{{Name: hostile, Base: side, Cand: moved, Delta: 0.01}, {Name: "gone", Base: side, Delta: -0.1}}})
	}
	r.Capture = []verdict.Comparison{
		{Key: run.Key{Metric: "extent_busy_share"}, Metric: run.Metric{Name: "extent_busy_share", Unit: "ratio"}, Base: 0.9, Cand: 0.7, BaseMean: 0.9, CandMean: 0.7, Delta: -0.2, Estimate: nan},
		{Key: run.Key{Metric: "extent_read_throughput"}, Metric: run.Metric{Name: "extent_read_throughput", Unit: "B/s"}, Base: 1e9, Cand: 2e9, BaseMean: 1e9, CandMean: 2e9, Delta: 1e9, Estimate: nan, Sources: [2][]string{{hostile}}},
		{Key: run.Key{Metric: "gap_rate"}, Metric: run.Metric{Name: "gap_rate", Unit: "1/s"}, Base: nan, Cand: 700, BaseMean: nan, CandMean: 700, Delta: nan, Estimate: nan},
	}
	return r
}

func verdictReport(v verdict.Verdict, estimate float64) *diff.Report {
	r := jobReport(16, 19)
	r.Verdict = v
	for i := range r.Steps {
		p := &r.Steps[i]
		p.Base = p.Cand
		p.Cand.Median *= 1 + estimate
		p.Cand.Min, p.Cand.Max = p.Cand.Min*(1+estimate), p.Cand.Max*(1+estimate)
	}
	c := &r.Metrics[0]
	c.Base, c.Cand, c.Delta = 0.0793, 0.0793*(1+estimate), 0.0793*estimate
	c.Estimate, c.Lo, c.Hi, c.Verdict = estimate, estimate-0.025, estimate+0.025, v
	if v == verdict.Unchanged {
		c.Lo, c.Hi = estimate-0.01, estimate+0.01
	}
	if r.Headline.Of = *c; v == verdict.Inconclusive {
		r.Headline.Of.Reason, r.Headline.Of.RunsNeeded = verdict.ReasonNeedsRuns, 3
	}
	return r
}

func incomparable() *diff.Report {
	r := jobReport(16, 19)
	r.Judged, r.Reason, r.Verdict = false, verdict.ReasonRankCount, verdict.Inconclusive
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			list[i].Reason, list[i].Verdict = verdict.ReasonRankCount, verdict.Inconclusive
		}
	}
	r.Headline.Of = r.Metrics[0]
	r.Differences = append([]verdict.Difference{{Name: "world size", Base: "16", Cand: "32", Class: policy.ClassInvalidates, Why: policy.MoreRanks}}, r.Differences...)
	return r
}

const hostile = "</script><img src=x onerror=alert(1)>\"'`__f__$base@tick{{.}}&amp;\u2028"

// hostileReport has a hostile name everywhere a profile has one.
func hostileReport() *diff.Report {
	r := jobReport(3, 5)
	r.Headline.Of.Metric.Subject, r.Ground.Copies = hostile, []sides.Copies{{Side: hostile, Of: hostile, Runs: []string{hostile}}}
	for _, s := range []*diff.Side{&r.Base, &r.Cand} {
		s.Label, s.Runs, s.Hosts, s.GPUs, s.RanksFrom = hostile, []string{hostile}, []string{hostile}, []string{hostile}, []string{hostile}
		s.Steps.Marker, s.Steps.Second, s.Steps.Hint, s.Steps.Receipts[0].File = hostile, hostile, hostile, hostile
		s.Files[0].Name, s.Files[0].Err = hostile, hostile
	}
	for i := range r.Parts {
		if r.Parts[i].Part != "" {
			r.Parts[i].Key.Part, r.Parts[i].Sources = hostile+r.Parts[i].Part, [2][]string{{hostile}}
		}
	}
	for i := range r.Kernels {
		r.Kernels[i].Name = hostile + r.Kernels[i].Name
	}
	for i := range r.Ranks {
		r.Ranks[i].Base.Host, r.Ranks[i].Base.GPU, r.Ranks[i].Base.From = hostile, hostile, hostile
	}
	r.Steps[0].Omission.Base = hostile
	r.Activity.Base[0].ReadSource = hostile
	r.Warnings[0].File, r.Warnings[0].Text = hostile, hostile
	r.Differences[0].Base, r.Same[0].Value = hostile, hostile
	return r
}

// hollow is a report in which every number is missing.
func hollow() *diff.Report {
	r := jobReport(2, 3)
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			c := &list[i]
			c.Base, c.Cand, c.BaseMean, c.CandMean, c.Delta, c.Estimate, c.Lo, c.Hi = nan, nan, nan, nan, nan, nan, nan, nan
			c.Threshold, c.Floor, c.Detectable = nan, nan, nan
			c.Reason, c.NotRecorded = verdict.ReasonNotRecorded, [2]verdict.Need{{Kind: verdict.NeedRecord, What: "kernels"}, {Kind: verdict.NeedRecord, What: "kernels"}}
		}
	}
	r.Waterfall = cause.Waterfall{}
	none := cause.StepSide{Median: nan, Min: nan, Max: nan}
	for i := range r.Steps {
		r.Steps[i].Base, r.Steps[i].Cand = none, none
	}
	for i := range r.Ranks {
		for _, s := range []*diff.RankSide{&r.Ranks[i].Base, &r.Ranks[i].Cand} {
			s.Box = [5]float64{nan, nan, nan, nan, nan}
			s.Breakdown = diff.Breakdown{Step: nan, Compute: nan, ExposedComm: nan, ExposedMemory: nan, Idle: nan}
			s.Parts = nil
			for _, v := range s.Values {
				for k := range v {
					v[k] = nan
				}
			}
		}
	}
	for i := range r.Kernels {
		r.Kernels[i].Delta, r.Kernels[i].Calls, r.Kernels[i].Slower, r.Kernels[i].BaseTime, r.Kernels[i].BaseCalls = nan, nan, nan, nan, nan
	}
	for i := range r.Gaps {
		r.Gaps[i].Base, r.Gaps[i].Cand = nan, nan
	}
	return r
}

// severalRuns has three runs per side, and a rank that only one side has.
func severalRuns() *diff.Report {
	r := jobReport(16, 19)
	for _, s := range []*diff.Side{&r.Base, &r.Cand} {
		s.Runs = []string{"a", "b", "c"}
	}
	for i := range r.Steps {
		for k, side := range []*cause.StepSide{&r.Steps[i].Base, &r.Steps[i].Cand} {
			for n := range 3 {
				side.PerRun = append(side.PerRun, side.Median*(0.96+0.04*float64(n)+0.01*noise(i, k, n)))
			}
		}
	}
	r.Cand.Ranks, r.Cand.Missing = slices.Delete(r.Cand.Ranks, 3, 4), []int{3}
	r.Ranks[3].Cand = diff.RankSide{Device: -1, Box: [5]float64{nan, nan, nan, nan, nan}}
	return r
}

var pages = map[string]func() *diff.Report{
	"timeline": func() *diff.Report { return knownSteps() },
	"job":      func() *diff.Report { return jobReport(16, 19) }, "unjudged": unjudged, "stepless": stepless, "incomparable": incomparable, "hostile": hostileReport, "hollow": hollow, "runs": severalRuns,
	"one-rank": func() *diff.Report { return jobReport(1, 12) }, "large": func() *diff.Report { return fullReport(16, 100) }, "empty": func() *diff.Report { return &diff.Report{} },
	"regressed": func() *diff.Report { return verdictReport(verdict.Regressed, 0.078) }, "unchanged": func() *diff.Report { return verdictReport(verdict.Unchanged, 0.003) },
	"inconclusive": func() *diff.Report { return verdictReport(verdict.Inconclusive, 0.02) }, "nodes": func() *diff.Report { return jobReport(128, 700) },
}

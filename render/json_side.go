package render

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

func sideDocument(s *diff.Side) Side {
	return Side{
		Label: s.Label, Runs: neverNil(s.Runs), Ranks: neverNil(s.Ranks), World: s.World, Missing: neverNil(s.Missing), WithoutSteps: neverNil(s.WithoutSteps),
		RanksFrom: neverNil(s.RanksFrom), Hosts: neverNil(s.Hosts), GPUs: neverNil(s.GPUs),
		Files: documentsOf(s.Files, fileDocument), Steps: stepsDocument(&s.Steps), Facts: documentsOf(s.Facts, factDocument),
		Stability: documentsOf(s.Stability, stabilityDocument), Clocks: documentsOf(s.Clocks, clocksDocument),
		Origins: documentsOf(s.Origins, originDocument), Captured: capturedDocument(s.Captured), Digest: s.Digest,
	}
}

func originDocument(o *run.Origin) Origin { return Origin(*o) }

func fileDocument(f *run.File) File {
	return File{Name: f.Name, Format: f.Format, Bytes: f.Bytes, Digest: f.Digest, Ranks: neverNil(f.Ranks), Error: f.Err}
}

func stepsDocument(s *diff.StepReceipt) Steps {
	return Steps{
		Marker: s.Marker, Found: s.Found, Kept: s.Kept, Used: s.Used, Dropped: documentsOf(s.Dropped, dropDocument),
		WarmUp: s.WarmUp, SecondAnchor: s.Second, Hint: s.Hint, Receipts: documentsOf(s.Receipts, receiptDocument),
	}
}

func receiptDocument(r *run.Receipt) Receipt {
	return Receipt{
		File: r.File, Marker: r.Marker, Found: r.Found, Kept: r.Kept,
		Dropped: documentsOf(r.Dropped, dropDocument), SecondAnchor: r.Second, Hint: r.Hint,
	}
}

func dropDocument(d *run.Drop) Drop { return Drop{Steps: neverNil(d.Steps), Reason: d.Reason} }

func stepDocument(p *cause.StepPoint) StepPoint {
	return StepPoint{
		Number: p.Number, Dropped: words.StepLeft(&p.Omission),
		Baseline: stepTimesDocument(&p.Base), Candidate: stepTimesDocument(&p.Cand),
	}
}

func stepTimesDocument(s *cause.StepSide) StepTimes {
	return StepTimes{
		Median: Number(s.Median), Min: Number(s.Min), Max: Number(s.Max), Ranks: s.Ranks, PerRun: numbersOf(s.PerRun),
	}
}

func rankDocument(r *diff.RankRow) Rank {
	return Rank{Rank: r.Rank, Baseline: rankSideDocument(&r.Base), Candidate: rankSideDocument(&r.Cand)}
}

// rankSideDocument is nil where the side does not have the rank.
func rankSideDocument(s *diff.RankSide) *RankSide {
	if !s.Present {
		return nil
	}
	values := make(map[string]Numbers, len(s.Values))
	for key, v := range s.Values {
		values[key] = numbersOf(v)
	}
	calls := make([]Calls, len(s.Calls))
	for i := range s.Calls {
		calls[i] = callsDocument(&s.Calls[i])
	}
	b := s.Breakdown
	return &RankSide{
		From: s.From, Host: s.Host, GPU: s.GPU, Device: s.Device,
		Steps: neverNil(s.Steps), Dropped: leftOut(s.Omissions), Values: values, OwnTime: numbersOf(s.OwnTime), Calls: calls, Box: numbersOf(s.Box[:]),
		Breakdown: Breakdown{
			Step: Number(b.Step), Compute: Number(b.Compute), ExposedComm: Number(b.ExposedComm),
			ExposedMemory: Number(b.ExposedMemory), Idle: Number(b.Idle),
		},
		Parts: numbersOf(s.Parts),
	}
}

func callsDocument(c *run.Calls) Calls {
	q := func(at float64) float64 { return float64(c.Quantile(at)) * 1e-9 }
	n := float64(c.Count)
	lengths := make([]float64, len(c.Bins))
	for i, bin := range c.Bins {
		lengths[i] = run.CallLength(bin) * 1e-9
	}
	return Calls{
		Lengths: numbersOf(lengths), Counts: neverNil(c.Counts),
		Collective: c.Name, Count: c.Count, Mean: Number(float64(c.Total) * 1e-9 / n), StandardDeviation: Number(math.Sqrt(c.Squares / math.Max(1, n-1))),
		Quantiles: numbersOf([]float64{float64(c.Min) * 1e-9, q(.05), float64(c.Quartiles[0]) * 1e-9, float64(c.Median) * 1e-9,
			float64(c.Quartiles[1]) * 1e-9, q(.95), q(.99), float64(c.Max) * 1e-9}),
	}
}

func activityDocument(c *diff.RankActivity) RankActivity {
	return RankActivity{
		Rank: c.Rank, Busy: numbersOfHalfPercents(c.Busy), Compute: numbersOfHalfPercents(c.Compute), Comm: numbersOfHalfPercents(c.Comm),
		Overlap: numbersOfHalfPercents(c.Overlap), Read: numbersOfSingles(c.Read), Write: numbersOfSingles(c.Write), ReadSource: c.ReadSource,
		Receive: numbersOfSingles(c.Receive), Send: numbersOfSingles(c.Send), NetSource: c.NetSource,
		StepStarts: numbersOf(c.StepStarts), StepNumbers: neverNil(c.StepNumbers),
	}
}

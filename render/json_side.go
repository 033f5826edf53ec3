package render

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
)

func sideDocument(s *diff.Side) Side {
	return Side{
		Label: s.Label, Runs: listed(s.Runs), Ranks: listed(s.Ranks), World: s.World, Missing: listed(s.Missing),
		RanksFrom: listed(s.RanksFrom), Hosts: listed(s.Hosts), GPUs: listed(s.GPUs),
		Files: each(s.Files, fileDocument), Steps: stepsDocument(&s.Steps), Facts: each(s.Facts, factDocument),
		Conduct: each(s.Conduct, conductDocument), Clocks: each(s.Clocks, clocksDocument),
		Origins: each(s.Origins, originDocument),
	}
}

func originDocument(o *run.Origin) Origin { return Origin(*o) }

func fileDocument(f *run.File) File {
	return File{Name: f.Name, Format: f.Format, Bytes: f.Bytes, Digest: f.Digest, Ranks: listed(f.Ranks), Error: f.Err}
}

func stepsDocument(s *diff.StepReceipt) Steps {
	return Steps{
		Marker: s.Marker, Found: s.Found, Kept: s.Kept, Used: s.Used, Dropped: each(s.Dropped, dropDocument),
		WarmUp: s.WarmUp, Second: s.Second, Hint: s.Hint, Receipts: each(s.Receipts, receiptDocument),
	}
}

func receiptDocument(r *run.Receipt) Receipt {
	return Receipt{
		File: r.File, Marker: r.Marker, Found: r.Found, Kept: r.Kept,
		Dropped: each(r.Dropped, dropDocument), Second: r.Second, Hint: r.Hint,
	}
}

func dropDocument(d *run.Drop) Drop { return Drop{Steps: listed(d.Steps), Reason: d.Reason} }

func stepDocument(p *diff.StepPoint) StepPoint {
	return StepPoint{
		Number: p.Number, Dropped: p.Dropped,
		Baseline: stepTimesDocument(&p.Base), Candidate: stepTimesDocument(&p.Cand),
	}
}

func stepTimesDocument(s *diff.StepSide) StepTimes {
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
	b := s.Breakdown
	return &RankSide{
		From: s.From, Host: s.Host, GPU: s.GPU, Device: s.Device,
		Steps: listed(s.Steps), Dropped: listed(s.Dropped), Values: values, Box: numbersOf(s.Box[:]),
		Breakdown: Breakdown{
			Step: Number(b.Step), Compute: Number(b.Compute), ExposedComm: Number(b.ExposedComm),
			ExposedMemory: Number(b.ExposedMemory), Idle: Number(b.Idle),
		},
		Parts: numbersOf(s.Parts),
	}
}

func courseDocument(c *diff.RankCourse) Course {
	return Course{
		Rank: c.Rank, Busy: halfPercents(c.Busy), Compute: halfPercents(c.Compute), Comm: halfPercents(c.Comm),
		Overlap: halfPercents(c.Overlap), Read: singles(c.Read), Write: singles(c.Write), ReadSource: c.ReadSource,
		Receive: singles(c.Receive), Send: singles(c.Send), NetSource: c.NetSource,
		StepStarts: numbersOf(c.StepStarts), StepNumbers: listed(c.StepNumbers),
	}
}

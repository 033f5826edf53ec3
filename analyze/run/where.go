package run

import (
	"slices"

	"perfdiff/analyze/trace"
)

// Place is where a stretch of a step is in a profile.
type Place struct {
	Rank int    `report:"rank"`
	Step int64  `report:"step"` // number
	File string `report:"file"` // relative to the run set; "": a rank of several files does not say which
	// Start and End are ns by the clock of the file; NoTime, null in JSON, where there is none.
	Start int64 `report:"start,clock"`
	End   int64 `report:"end,clock"`
}

// PlaceOf returns where the step with an index is, over what host and device did in it.
func (r *Rank) PlaceOf(at int) Place {
	step := &r.Steps[at]
	p := Place{r.Rank, step.Number, r.fileOf(at), trace.NoTime, trace.NoTime}
	if step.HasWindow() && !r.isLogged() {
		p.Start, p.End = step.Start, step.End
		if step.HostStart != trace.NoTime && step.HostEnd != trace.NoTime {
			p.Start, p.End = min(p.Start, step.HostStart), max(p.End, step.HostEnd)
		}
	}
	return p
}

// isLogged reports whether the steps of a rank come from a log, which has lengths and no clock.
func (r *Rank) isLogged() bool {
	return slices.ContainsFunc(r.Receipts, func(x Receipt) bool { return x.By.Kind == MarkLogged })
}

// fileOf returns the file that holds a step of a rank: the receipts of its captures, which follow each other, say how
// many steps each has. "" where that does not add up.
func (r *Rank) fileOf(at int) string {
	if len(r.Files) == 1 {
		return r.Files[0]
	}
	found, file := 0, ""
	for i := range r.Receipts {
		if found += r.Receipts[i].Found; file == "" && at < found {
			file = r.Receipts[i].File
		}
	}
	if found != len(r.Steps) {
		return ""
	}
	return file
}

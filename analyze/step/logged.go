package step

import (
	"cmp"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// logged returns the steps of a log, which states their times itself. They follow each other on a clock of their own.
func logged(t *trace.Trace, opt Options) Found {
	l := t.Logged
	by := markerOf(l)
	rec := run.Receipt{File: t.File, Marker: by.String(), By: by, Found: len(l.Steps), Second: "none"}
	if opt.Marker != (run.Marker{}) && opt.Marker != by {
		rec.By, rec.Marker, rec.Hint = run.Marker{}, "none", annotationHint(t, opt)
		return Found{Receipt: rec}
	}
	steps, at := make([]trace.Step, len(l.Steps)), int64(0)
	for i, s := range l.Steps {
		steps[i] = trace.Step{Number: s.Number, Start: at, End: at + s.Time, HostStart: trace.NoTime, HostEnd: trace.NoTime, Dropped: s.Dropped}
		at += s.Time
	}
	skipLogged(steps, opt.SkipFirst)
	rec.Dropped, rec.Kept = tallyDrops(steps)
	return Found{Steps: steps, Receipt: rec}
}

// skipLogged leaves out as many steps at the start as the user wants; if the user did not say, only where enough
// others remain.
func skipLogged(steps []trace.Step, skip int) {
	for i := 0; i < skip && i < len(steps); i++ {
		steps[i].Dropped = cmp.Or(steps[i].Dropped, DropSkip)
	}
	if skip >= 0 || len(steps) == 0 {
		return
	}
	kept := 0
	for i := range steps {
		if steps[i].Dropped == "" {
			kept++
		}
	}
	if kept < enoughWithoutFirst-1 {
		steps[0].Dropped = ""
	}
}

// markerOf returns the marker of the steps of a log.
func markerOf(l *trace.Logged) run.Marker {
	return run.Marker{Kind: run.MarkLogged, Name: l.Name, Every: l.Every}
}

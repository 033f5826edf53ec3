package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// stepOfBoth draws the typical step of one rank on both sides, with its reads below; nil where no step is recorded.
func (s *sheet) stepOfBoth(f *words.Finding) *cardFigure {
	rank, known := s.rankOfBoth(f)
	if !known {
		return nil
	}
	d := figure{Kind: "strips"}
	text := ""
	reads := f.Section == "io"
	for side, name := range sideNames {
		e := s.typicalOf(side)
		if e == nil || stripOf(e, rank) == nil {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("step %d of the %s takes %s", e.Step, name, s.ms.With(float64(stripOf(e, rank).Length)*1e-9))
		d.Rows = append(d.Rows, e.row(rank, fmt.Sprintf("%s, step %d", number.Capital(name), e.Step)))
		if course := s.readsInStep(side, rank, e); reads && course != nil {
			d.Rows = append(d.Rows, *course)
		}
	}
	sentence := fmt.Sprintf("On rank %d, %s.", rank, text)
	if slices.ContainsFunc(d.Rows, func(r figureRow) bool { return r.Bin > 0 }) {
		sentence += " Below each, what it or its node reads meanwhile."
	}
	return &cardFigure{"A typical step", sentence, d}
}

// rankOfBoth returns the rank whose step is shown: the first that the finding names, else the first of
// the candidate's excerpt that the baseline's has too.
func (s *sheet) rankOfBoth(f *words.Finding) (rank int, ok bool) {
	base, cand := s.typicalOf(0), s.typicalOf(1)
	if base == nil && cand == nil {
		return 0, false
	}
	has := func(rank int) bool {
		return (base == nil || stripOf(base, rank) != nil) && (cand == nil || stripOf(cand, rank) != nil)
	}
	for _, rank := range f.Ranks {
		if has(rank) {
			return rank, true
		}
	}
	for _, e := range []*shownStep{cand, base} {
		for i := 0; e != nil && i < len(e.Ranks); i++ {
			if has(e.Ranks[i].Rank) {
				return e.Ranks[i].Rank, true
			}
		}
	}
	return 0, false
}

// mostReadBins bounds a course below a strip. Chosen: three pixels each.
const mostReadBins = 200

// readsInStep draws what the rank, or its node, reads while a step runs; nil where that is not recorded, or where the
// step is not longer than a few bins.
func (s *sheet) readsInStep(side, rank int, e *shownStep) *figureRow {
	list := [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand}[side]
	at, strip := s.readerOf(list, side, rank), stripOf(e, rank)
	if at < 0 || strip == nil {
		return nil
	}
	c, bin := &list[at], s.r.Activity.Bin
	step := slices.Index(c.StepNumbers, e.Step)
	if step < 0 || step >= len(c.StepStarts) {
		return nil
	}
	start, length := c.StepStarts[step], float64(float64(strip.Length)*1e-9)
	first := int(start / bin)
	last := min(len(c.Read)-1, int((start+length)/bin))
	const fewBins = 3 // less is no course
	if last-first < fewBins || last-first > mostReadBins {
		return nil
	}
	sc := number.ScaleOf("B/s", s.mostRead())
	out := &figureRow{Side: side, Name: "reads", Unit: sc.Name, Bin: fiveDigits(bin * s.ms.Factor), From: fiveDigits((float64(float64(first)*bin) - start) * s.ms.Factor)}
	for _, v := range c.Read[first : last+1] {
		out.Values = append(out.Values, drawnValue(float64(v)*sc.Factor))
	}
	return out
}

// readerOf returns the index of the curve of a rank's reads: its own, or that of the rank that stands for its node; -1
// none.
func (s *sheet) readerOf(list []diff.RankActivity, side, rank int) int {
	hosts := map[int]string{}
	for i := range s.r.Ranks {
		hosts[s.r.Ranks[i].Rank] = []*diff.RankSide{&s.r.Ranks[i].Base, &s.r.Ranks[i].Cand}[side].Host
	}
	own := slices.IndexFunc(list, func(c diff.RankActivity) bool { return c.Rank == rank && len(c.Read) > 0 })
	if own >= 0 {
		return own
	}
	return slices.IndexFunc(list, func(c diff.RankActivity) bool {
		return len(c.Read) > 0 && hosts[c.Rank] == hosts[rank] && hosts[rank] != ""
	})
}

// mostRead returns the highest rate of any curve, so that both sides have one scale.
func (s *sheet) mostRead() float64 {
	most := 0.0
	for _, list := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
		for i := range list {
			for _, v := range list[i].Read {
				most = max(most, float64(v))
			}
		}
	}
	return most
}

// spikeFigures shows the spikes among all steps, one spike between its neighbours, and its timeline below that of a
// typical step.
func (s *sheet) spikeFigures(f *words.Finding) []*cardFigure {
	steps := s.stepsFigure(run.StepTime, f)
	if steps != nil {
		steps.Heading = "The spikes among the steps"
	}
	side := 1
	if f.Spikes != nil && f.Spikes.Side == "baseline" {
		side = 0
	}
	return []*cardFigure{steps, s.neighbours(side, f), s.spikeStrips(side, f)}
}

// neighbours draws what the steps around a spike consist of; nil where that is not known.
func (s *sheet) neighbours(side int, f *words.Finding) *cardFigure {
	const around = 2 // steps on each side of it; chosen
	at := s.worstNamed(side, f)
	if at < 0 {
		return nil
	}
	d := figure{Kind: "stack", Unit: s.ms.Name, Parts: []figurePart{{"compute", "Compute"}, {"comm", "Exposed communication"}, {"memory", "Copies"}, {"idle", "Idle"}}}
	var parts [4][2][]float64
	for k, key := range []string{run.ComputeTime, run.ExposedCommTime, run.ExposedMemoryTime, run.IdleTime} {
		parts[k] = s.perStep(key, true)
	}
	total := func(i int) (sum float64) {
		for k := range parts {
			if v := parts[k][side][i]; !math.IsNaN(v) {
				sum += v
			}
		}
		return sum
	}
	if !(total(at) > 0) {
		return nil
	}
	for i := max(0, at-around); i <= min(len(s.r.Steps)-1, at+around); i++ {
		row := figureRow{Name: "step " + strconv.FormatInt(s.r.Steps[i].Number, 10), Side: side, Texts: []string{s.ms.With(total(i))}}
		for k := range parts {
			row.Values = append(row.Values, drawnValue(parts[k][side][i]*s.ms.Factor))
		}
		d.Rows = append(d.Rows, row)
	}
	text := fmt.Sprintf("Step %d of the %s takes %s, mean over ranks", s.r.Steps[at].Number, sideNames[side], s.ms.With(total(at)))
	if at > 0 {
		text += ", the one before it " + s.ms.With(total(at-1))
	}
	return &cardFigure{"A spike beside its neighbours", text + ".", d}
}

// worstNamed returns the index of the longest step of a side that the finding names, -1 none.
func (s *sheet) worstNamed(side int, f *words.Finding) int {
	worst, most := -1, 0.0
	for i := range s.r.Steps {
		v := []float64{s.r.Steps[i].Base.Median, s.r.Steps[i].Cand.Median}[side]
		if slices.Contains(namedSteps(f), s.r.Steps[i].Number) && v > most {
			worst, most = i, v
		}
	}
	return worst
}

// namedSteps returns the steps that a finding is about; for spikes those of the worst run.
func namedSteps(f *words.Finding) []int64 {
	switch {
	case len(f.Steps) > 0:
		return f.Steps
	case f.Spikes != nil:
		return f.Spikes.Worst.Spikes
	case f.Level != nil:
		return []int64{f.Level.Larger.Step}
	}
	return nil
}

// spikeStrips returns a spike and a typical step of a side, on a rank that both have; nil where no
// spike has a timeline.
func (s *sheet) spikeStrips(side int, f *words.Finding) *cardFigure {
	spike, typical := s.spikeShown(side, namedSteps(f)), s.typicalOf(side)
	if spike == nil || typical == nil {
		return nil
	}
	for i := range spike.Ranks {
		rank := spike.Ranks[i].Rank
		usual := stripOf(typical, rank)
		if usual == nil || stripOf(spike, rank) == nil {
			continue
		}
		d := figure{Kind: "strips", Rows: []figureRow{
			spike.row(rank, fmt.Sprintf("step %d, a spike", spike.Step)), typical.row(rank, fmt.Sprintf("step %d, typical", typical.Step)),
		}}
		text := fmt.Sprintf("On rank %d step %d takes %s, and step %d, a typical one, %s.", rank, spike.Step,
			s.ms.With(float64(spike.Ranks[i].Length)*1e-9), typical.Step, s.ms.With(float64(usual.Length)*1e-9))
		return &cardFigure{"The spike and a typical step", text, d}
	}
	return nil
}

// spikeShown returns the longest of some steps of a side that have a timeline; nil none.
func (s *sheet) spikeShown(side int, steps []int64) (out *shownStep) {
	if s.data.Timeline == nil {
		return nil
	}
	for i := range s.r.Timeline[side] {
		e := &s.r.Timeline[side][i]
		if slices.Contains(steps, e.Step) && len(e.Ranks) > 0 && (out == nil || e.Ranks[0].Length > out.Ranks[0].Length) {
			out = s.stepShown(side, i)
		}
	}
	return out
}

// courseFigures show how the steps go on over a run, and the part that goes with them.
func (s *sheet) courseFigures(f *words.Finding) []*cardFigure {
	steps := s.stepsFigure(run.StepTime, f)
	if steps == nil {
		return nil
	}
	out := []*cardFigure{steps}
	if f.Level == nil {
		return append(out, s.ranksFigure(run.StepTime, f))
	}
	l := &f.Level.Larger
	side := slices.Index(sideNames[:], l.Side)
	for _, v := range []float64{l.Before, l.After} {
		steps.figure.Lines = append(steps.figure.Lines, figureLine{side, fiveDigits(v * s.ms.Factor), s.ms.With(v)})
	}
	steps.Heading = "Two levels"
	steps.Sentence += fmt.Sprintf(" From step %d on the %s takes %s, before it %s.", l.Step, l.Side, s.ms.With(l.After), s.ms.With(l.Before))
	if part := l.Part; part != (cause.StepPart{}) {
		key := part.Metric
		if part.Part != "" {
			key += "/" + part.Part
		}
		if more := s.stepsFigure(key, f); more != nil {
			more.Heading = "What changed with it"
			out = append(out, more)
		}
		out = append(out, s.ranksFigure(key, f))
	}
	return out
}

// bubbleFigures shows what the stages of a pipeline do in a step on both sides, and a step of the candidate with a
// rank of each stage.
func (s *sheet) bubbleFigures() []*cardFigure {
	p := s.r.Pipeline
	if p == nil {
		return nil
	}
	d := figure{Kind: "stack", Unit: s.ms.Name}
	for _, part := range stageParts() {
		d.Parts = append(d.Parts, figurePart{part.key, part.name})
	}
	const mostStages = 16 // chosen; the section has them all
	for stage := range min(mostStages, max(len(p[0].Loads), len(p[1].Loads))) {
		for side := range p {
			if stage >= len(p[side].Loads) {
				continue
			}
			l := &p[side].Loads[stage]
			row := figureRow{Name: fmt.Sprintf("stage %d, %s", l.Stage, sideNames[side]), Side: side, Texts: []string{s.ms.With(l.Step)}}
			for _, v := range words.StageTimes(l) {
				row.Values = append(row.Values, drawnValue(v*s.ms.Factor))
			}
			d.Rows = append(d.Rows, row)
		}
	}
	if len(d.Rows) == 0 {
		return nil
	}
	text := number.Capital(words.Schedule(&p[0], &p[1])) + "."
	if share := ofBothSides(p[0].Share, p[1].Share); share != "" {
		text += " The bubble is " + share + " of the step."
	}
	return []*cardFigure{{"Busy time and bubble of each stage", text, d}, s.stageStrips()}
}

// stageStrips returns a step of the candidate with one rank of each stage below the other; nil where
// none is recorded.
func (s *sheet) stageStrips() *cardFigure {
	const mostStrips = 8 // chosen, for the height of the picture
	e := s.typicalOf(1)
	if e == nil {
		return nil
	}
	d := figure{Kind: "strips"}
	for i := range s.r.Pipeline[1].Loads {
		l := &s.r.Pipeline[1].Loads[i]
		at := slices.IndexFunc(l.Ranks, func(rank int) bool { return stripOf(e, rank) != nil })
		if at >= 0 && len(d.Rows) < mostStrips {
			d.Rows = append(d.Rows, e.row(l.Ranks[at], fmt.Sprintf("stage %d, rank %d", l.Stage, l.Ranks[at])))
		}
	}
	if len(d.Rows) == 0 {
		return nil
	}
	return &cardFigure{"A step through the stages", fmt.Sprintf("Step %d of the candidate, a rank of each stage.", e.Step), d}
}

// kernelFigures returns the launches of a kernel, how its change splits, and its place in a step.
func (s *sheet) kernelFigures(f *words.Finding) []*cardFigure {
	if f.Call != nil {
		return []*cardFigure{callFigure(f.Call)}
	}
	k := s.kernelOf(f)
	if k == nil {
		return nil
	}
	times, calls := number.ScaleOf("s", largestMagnitude(existing([]float64{k.BaseTime, k.CandTime})...)), number.Scale{Factor: 1}
	base, cand := k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls
	each := number.ScaleOf("s", largestMagnitude(existing([]float64{base, cand})...))
	d := figure{Kind: "bars", Rows: []figureRow{
		barRow("Time per "+s.perUnit(), times, k.BaseTime, k.CandTime), barRow("Launches per "+s.perUnit(), calls, k.BaseCalls, k.CandCalls), barRow("Each launch", each, base, cand),
	}}
	d.Rows[1].Texts = []string{numberOrDash(k.BaseCalls), numberOrDash(k.CandCalls)}
	text := shortenTo(k.Name, 64) + ". " + barsText(d.Rows)
	text += splitText(k)
	switch {
	case k.LaunchChange != "":
		text += " Its launches differ: " + k.LaunchChange + "."
	case k.BaseShape != "" && k.BaseShape == k.CandShape:
		text += " It is launched alike on both sides: " + k.BaseShape + "."
	}
	return []*cardFigure{{"The kernel", text, d}, s.placeInStep(f, k)}
}

// splitText says where a kernel's change comes from; "" where that is not known.
func splitText(k *cause.Kernel) string {
	sc := number.ScaleOf("s", math.Max(math.Abs(k.Calls), math.Abs(k.Slower)))
	switch {
	case math.IsNaN(k.Calls+k.Slower) || k.Calls == 0 && k.Slower == 0:
		return ""
	case k.Calls == 0:
		return " Its change of " + sc.SignedWith(k.Slower) + " is that of the single launch."
	case k.Slower == 0:
		return " Its change of " + sc.SignedWith(k.Calls) + " is that of the number of launches."
	}
	return " Its change is " + sc.SignedWith(k.Calls) + " by the number of launches and " + sc.SignedWith(k.Slower) + " by the single launch."
}

// callFigure returns a call without steps on both sides.
func callFigure(c *cause.Call) *cardFigure {
	sc := number.ScaleOf("s", largestMagnitude(existing([]float64{c.Base.Median, c.Cand.Median})...))
	d := figure{Kind: "bars", Rows: []figureRow{
		barRow("Median call", sc, c.Base.Median, c.Cand.Median),
		{Name: "Calls", Values: []any{c.Base.Count, c.Cand.Count}, Texts: []string{number.Count(int(c.Base.Count)), number.Count(int(c.Cand.Count))}},
	}}
	return &cardFigure{"The call", shortenTo(c.Name, 64) + ". " + barsText(d.Rows), d}
}

// kernelOf returns the kernel that a finding is about: its own, or of compute as a whole the one that
// makes up half of the change or more; nil none.
func (s *sheet) kernelOf(f *words.Finding) *cause.Kernel {
	if f.Kernel != nil {
		return f.Kernel
	}
	for i := range s.r.Kernels {
		if k := &s.r.Kernels[i]; f.Kind == policy.KindCompute && k.Class == "compute" && k.Others == 0 && k.Delta*f.Delta > 0 && math.Abs(k.Delta) >= math.Abs(f.Delta)/2 {
			return k
		}
	}
	return nil
}

// placeInStep returns the typical step of both sides with the launches of a kernel marked.
func (s *sheet) placeInStep(f *words.Finding, k *cause.Kernel) *cardFigure {
	out := s.stepOfBoth(f)
	name := shortenTo(k.Name, maxNameRunes)
	if out == nil || !slices.Contains(s.data.Timeline.Names, name) {
		return nil
	}
	out.Heading, out.figure.Mark = "Its place in the step", []string{name}
	out.Sentence += " Its launches are marked."
	return out
}

package diff

import (
	"fmt"
	"math"

	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// Conduct is how a run goes on beside its level: its warm-up, its drift and its
// spikes.
type Conduct struct {
	Run    string
	WarmUp int     // steps that were cut at the start
	Drift  float64 // rise of the step time from the first to the last step, a fraction; NaN too few steps
	Spikes []int64 // numbers of the steps at which spikes begin
	Period int     // steps from spike to spike; 0: they have none
	Excess float64 // s, what a spike adds to its step, mean
	Cost   float64 // s a step, over all used steps
	Part   string  // name of the part of the step that grows most in spikes; ""
}

// conducts are those of a side's runs.
func (p *pair) conducts(s *side) []Conduct {
	var out []Conduct
	for _, r := range s.runs {
		c := Conduct{Run: r.name, WarmUp: len(r.warm), Drift: math.NaN()}
		if x, _ := logs(r); len(x) >= stat.MinDrift {
			c.Drift = settled(math.Expm1(stat.Drift(x).Value))
		}
		curve, _ := r.curve(stepTime)
		if len(curve) >= tailSteps {
			found := stat.Period(curve)
			for _, at := range found.Places {
				c.Spikes = append(c.Spikes, r.used[at])
			}
			c.Period, c.Excess = found.Period, found.Excess
			c.Cost = found.Excess * float64(len(found.Places)) / float64(len(curve))
			c.Part = p.spikePart(r, found.Places)
		}
		out = append(out, c)
	}
	return out
}

// spikePart is the part of the step that grows most at the places of spikes.
func (p *pair) spikePart(r *oneRun, places []int) string {
	best, most := "", 0.0
	at := map[int]bool{}
	for _, j := range places {
		at[j] = true
	}
	for _, c := range p.parts {
		var in, out []float64
		for j, v := range r.partCurve(c.key) {
			if at[j] {
				in = append(in, v)
			} else {
				out = append(out, v)
			}
		}
		if more := stat.Mean(in) - stat.Median(out); more > most {
			best, most = c.name, more
		}
	}
	return best
}

// spikeFinding is about spikes that come back on one side and not, or at another
// cost, on the other.
func (p *pair) spikeFinding(r *Report) []Finding {
	// What all spikes of a side cost counts, whether they come back or not.
	worst := func(list []Conduct) (out Conduct) {
		for _, c := range list {
			if c.Cost > out.Cost {
				out = c
			}
		}
		return out
	}
	b, c := worst(r.Base.Conduct), worst(r.Cand.Conduct)
	delta := c.Cost - b.Cost
	periodic, steps := c, r.Base.Steps.Used
	if delta < 0 {
		periodic, steps = b, r.Cand.Steps.Used
	}
	switch {
	case !(math.Abs(delta) >= p.policy.Threshold*p.step), periodic.Period == 0:
		return nil
	case math.Abs(delta) < periodic.Cost/2: // the other side has spikes as well
		return nil
	case steps < 4*periodic.Period: // and is long enough to show any
		return nil
	}
	f := Finding{Metric: "tail", Class: "worse", Section: "steps", Effect: delta}
	x, side, other := c, "candidate", b
	if delta < 0 {
		x, side, other, f.Class = b, "baseline", c, "better"
	}
	sc := number.ScaleOf("s", math.Max(x.Excess, math.Abs(delta)))
	f.Number, f.Unit = sc.Signed(delta), sc.Name
	f.Text = fmt.Sprintf("Every %s step of the %s takes %s longer than its neighbours, %s a step in the mean", number.Ordinal(x.Period), side, sc.With(x.Excess), sc.With(x.Cost))
	if other.Period > 0 {
		f.Text += fmt.Sprintf(" (%s on the other side)", sc.With(other.Cost))
	}
	if x.Part != "" {
		f.Text += fmt.Sprintf("; most of it is %s", lower(x.Part))
	}
	f.Text += "."
	f.Evidence = fmt.Sprintf("%s: steps %s of run %s", counted(len(x.Spikes), "spike"), someNumbers(x.Spikes), x.Run)
	f.Advice = "Look at what the program does in these steps: a checkpoint, an evaluation, garbage collection; annotate it with a range to see it by name."
	return []Finding{f}
}

// someNumbers writes the first step numbers of a list.
func someNumbers(list []int64) string {
	text := ""
	for i, n := range list {
		switch {
		case i == 6:
			return text + ", \u2026"
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}

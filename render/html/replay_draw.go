package html

import (
	"html/template"
	"math"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// replayDrawing is a picture of a kernel, with what is said above and below it.
type replayDrawing struct {
	Heading string
	SVG     template.HTML
	Notes   []string
}

// stallsOf draws two bars for each of the stalls whose change is largest: what warps wait on both sides.
func stallsOf(k *compute.Kernel) (out []replayDrawing) {
	var list []*compute.Measure
	for i := range k.Stalls {
		if m := &k.Stalls[i]; m.ID != "selected" && (m.Base.Median != 0 || m.Cand.Median != 0) { // a warp that issues waits for nothing
			list = append(list, m)
		}
	}
	list = list[:min(len(list), shownStallBars)]
	longest := 0.0
	for i := range list {
		for _, v := range []float64{list[i].Base.Median, list[i].Cand.Median} {
			if v > longest {
				longest = v
			}
		}
	}
	if longest == 0 {
		return nil
	}
	const pitch, tall = 34.0, 11.0
	p := &plot.Plot{Ink: plot.PageInk, Width: 520, Height: float64(float64(len(list))*pitch) + 4, Small: 12}
	x := plot.Scale{Hi: longest, From: 150, To: 430}
	for i, m := range list {
		y, sc := float64(float64(i)*pitch)+4, words.ReplayScale(m.Unit, longest)
		p.Label(x.From-8, y+16, "end", words.ReplayStall(m.ID))
		for side, v := range []*compute.Sample{&m.Base, &m.Cand} {
			top, end := y+float64(float64(side)*(tall+2)), x.From
			if v.Median > 0 {
				end = x.At(v.Median)
			}
			p.Rect(x.From, top, end-x.From, tall, p.Side(side))
			if side == 0 && end > x.From+3 {
				p.Rect(x.From+1.5, top+1.5, end-x.From-3, tall-3, p.Paper)
			}
			p.Label(end+6, top+10, "start", words.ReplaySample(v, sc))
		}
	}
	note := "Cycles that a warp waits per issued instruction, by reason. The largest change first."
	if list[0].Unit == "ratio" {
		note = "Share of warps that wait, by reason. The largest change first."
	}
	return []replayDrawing{{"Why warps wait", template.HTML(p.SVG(` class="stalls"` + plot.Titled("Stalls of "+shortKernel(k.Name)))), []string{note}}}
}

// rooflinesOf draws one roofline for each precision in which a side works.
func rooflinesOf(k *compute.Kernel) (out []replayDrawing) {
	for _, precision := range []ncu.Precision{ncu.Double, ncu.Single, ncu.Half} {
		var sides [2]*ncu.Roofline
		for side := range k.Rooflines {
			for i := range k.Rooflines[side] {
				if x := &k.Rooflines[side][i]; x.Precision == precision && x.Intensity() > 0 {
					sides[side] = x
				}
			}
		}
		if sides[0] != nil || sides[1] != nil {
			out = append(out, rooflineOf(k.Name, precision, sides))
		}
	}
	return out
}

// decade returns the decimal logarithm, rounded before anything is added to it: machines that add in the same
// step would draw other bytes.
func decade(v float64) float64 { return float64(math.Log10(v)) }

// rooflineOf draws the roofs of both sides, and the kernel where it is, under them or above: both axes in decades.
func rooflineOf(kernel string, precision ncu.Precision, sides [2]*ncu.Roofline) replayDrawing {
	x := plot.Scale{Lo: math.Inf(1), Hi: math.Inf(-1), From: 88, To: 454}
	y := plot.Scale{Lo: math.Inf(1), Hi: math.Inf(-1), From: 226, To: 10}
	for _, s := range sides {
		if s != nil {
			x.Lo, x.Hi = min(x.Lo, s.Intensity(), s.Ridge()), max(x.Hi, s.Intensity(), s.Ridge())
			y.Lo, y.Hi = min(y.Lo, s.Work, s.PeakWork), max(y.Hi, s.Work, s.PeakWork)
		}
	}
	x.Lo, x.Hi = math.Floor(decade(x.Lo)), math.Ceil(decade(x.Hi)+0.3)
	y.Lo, y.Hi = math.Floor(decade(y.Lo)-0.1), math.Ceil(decade(y.Hi)+0.1)
	p := &plot.Plot{Ink: plot.PageInk, Width: 480, Height: 262, Small: 12}
	for e := x.Lo; e <= x.Hi; e++ {
		p.Line(x.At(e), y.To, x.At(e), y.From, p.Rule, 1)
		p.Label(x.At(e), y.From+16, "middle", plot.Number(math.Pow(10, e), false))
	}
	for e := y.Lo; e <= y.Hi; e++ {
		v := math.Pow(10, e)
		sc := number.ScaleOf("FLOP/s", v)
		p.Line(x.From, y.At(e), x.To, y.At(e), p.Rule, 1)
		p.Label(x.From-6, y.At(e)+4, "end", plot.Number(v*sc.Factor, false)+number.Space+sc.Name)
	}
	p.Label((x.From+x.To)/2, p.Height-4, "middle", "FLOP per byte of device memory")
	out := replayDrawing{Heading: "Roofline, " + string(precision) + " precision"}
	at := func(intensity, work float64) plot.Point {
		return plot.Point{X: x.At(decade(intensity)), Y: y.At(max(y.Lo, decade(work)))}
	}
	for side, s := range sides {
		if s == nil {
			continue
		}
		// Below the axis the roof of memory begins where it crosses the axis.
		from := math.Max(math.Pow(10, x.Lo), math.Pow(10, y.Lo)/s.PeakTraffic)
		roof := p.Path([]plot.Point{at(from, from*s.PeakTraffic), at(s.Ridge(), s.PeakWork), {X: x.To, Y: y.At(decade(s.PeakWork))}}, p.Side(side), 1.8)
		if side == 0 {
			roof.Dash = "5 4"
		}
		told, dot := words.ReplayRoofline(s), at(s.Intensity(), s.Work)
		if s.Share() > 1 {
			p.Text(dot.X-10, dot.Y+4, "end", p.Hold, p.Small, false, "above the roof")
		}
		p.SideDots(side, []plot.Point{dot}, 13-float64(2*side)).Hint = told
		out.Notes = append(out.Notes, [2]string{"Baseline: ", "Candidate: "}[side]+told+".")
	}
	out.SVG = template.HTML(p.SVG(` class="roof"` + plot.Titled("Roofline in "+string(precision)+" precision of "+shortKernel(kernel))))
	return out
}

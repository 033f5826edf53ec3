package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// stallBars are two bars for each stall: what warps wait on both sides.
type stallBars struct {
	Label, Axis string
	Rows        []stallBar
	Height      int
}

type stallBar struct {
	Name               string
	Y, CandY, TextY    int
	BaseW, CandW       string
	BaseText, CandText string
	BaseEnd, CandEnd   string
}

// The frame of the bars of stalls.
const (
	stallLeft, stallRight = 150.0, 430.0
	stallPitch, stallBarH = 34, 11
)

// stallsOf draws the stalls whose change is largest.
func stallsOf(k *compute.Kernel) *stallBars {
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
	out := &stallBars{Label: "Stalls of " + shortKernel(k.Name), Axis: "Cycles that a warp waits per issued instruction, by reason. The largest change first.", Height: len(list)*stallPitch + 4}
	if list[0].Unit == "ratio" {
		out.Axis = "Share of warps that wait, by reason. The largest change first."
	}
	for i := range list {
		m := list[i]
		sc := words.ReplayScale(m.Unit, longest)
		wide := func(v float64) float64 {
			if math.IsNaN(v) || v < 0 {
				return 0
			}
			return float64((stallRight - stallLeft) * (v / longest))
		}
		y := i * stallPitch
		out.Rows = append(out.Rows, stallBar{
			Name: words.ReplayStall(m.ID), Y: y + 4, CandY: y + 4 + stallBarH + 2, TextY: y + 20,
			BaseW: coordinate(wide(m.Base.Median)), CandW: coordinate(wide(m.Cand.Median)),
			BaseText: words.ReplaySample(&m.Base, sc), CandText: words.ReplaySample(&m.Cand, sc),
			BaseEnd: coordinate(stallLeft + wide(m.Base.Median) + 6), CandEnd: coordinate(stallLeft + wide(m.Cand.Median) + 6),
		})
	}
	return out
}

// rooflinePlot shows where a kernel is under the roofs of its device, on both sides, in one precision.
type rooflinePlot struct {
	Label, Heading   string
	BaseRoof         string // "" of a side without it
	CandRoof         string
	Base, Cand       *roofPoint
	BaseSay, CandSay string
	X, Y             []roofTick
}

type roofPoint struct{ X, Y string }

type roofTick struct{ At, Text string }

// The frame of a roofline.
const (
	roofLeft, roofRight = 88.0, 454.0
	roofTop, roofBottom = 10.0, 226.0
)

// rooflinesOf draws one roofline for each precision in which a side works.
func rooflinesOf(k *compute.Kernel) (out []rooflinePlot) {
	for _, precision := range []ncu.Precision{ncu.Double, ncu.Single, ncu.Half} {
		var sides [2]*ncu.Roofline
		for side := range k.Rooflines {
			for i := range k.Rooflines[side] {
				if x := &k.Rooflines[side][i]; x.Precision == precision {
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

// rooflineOf draws the roofs of both sides and the kernel under them, both axes in decades.
func rooflineOf(kernel string, precision ncu.Precision, sides [2]*ncu.Roofline) rooflinePlot {
	p := rooflinePlot{Heading: "Roofline, " + string(precision) + " precision", Label: "Roofline in " + string(precision) + " precision of " + shortKernel(kernel)}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range sides {
		if s != nil {
			x0, x1 = min(x0, s.Intensity(), s.Ridge()), max(x1, s.Intensity(), s.Ridge())
			y0, y1 = min(y0, s.Work, s.PeakWork), max(y1, s.Work, s.PeakWork) // a kernel may lie above its roof
		}
	}
	x0, x1 = math.Floor(decade(x0)), math.Ceil(decade(x1)+0.3)
	y0, y1 = math.Floor(decade(y0)), math.Ceil(decade(y1)+0.05)
	x := func(v float64) float64 {
		return roofLeft + float64((roofRight-roofLeft)*((decade(v)-x0)/(x1-x0)))
	}
	y := func(v float64) float64 {
		return roofBottom - float64((roofBottom-roofTop)*(math.Max(0, decade(v)-y0)/(y1-y0)))
	}
	for e := x0; e <= x1; e++ {
		p.X = append(p.X, roofTick{coordinate(x(math.Pow(10, e))), number.Format(math.Pow(10, e))})
	}
	for e := y0; e <= y1; e++ {
		v := math.Pow(10, e)
		p.Y = append(p.Y, roofTick{coordinate(y(v)), number.ScaleOf("FLOP/s", v).With(v)})
	}
	for side, s := range sides {
		if s == nil {
			continue
		}
		// Below the axis the roof of memory begins where it crosses the axis.
		from := math.Max(math.Pow(10, x0), math.Pow(10, y0)/s.PeakTraffic)
		roof := fmt.Sprintf("%s,%s %s,%s %s,%s", coordinate(x(from)), coordinate(y(from*s.PeakTraffic)), coordinate(x(s.Ridge())), coordinate(y(s.PeakWork)),
			coordinate(roofRight), coordinate(y(s.PeakWork)))
		at := &roofPoint{coordinate(x(s.Intensity())), coordinate(y(s.Work))}
		if side == 0 {
			p.BaseRoof, p.Base, p.BaseSay = roof, at, words.ReplayRoofline(s)
		} else {
			p.CandRoof, p.Cand, p.CandSay = roof, at, words.ReplayRoofline(s)
		}
	}
	return p
}

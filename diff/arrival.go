package diff

import (
	"fmt"
	"math"

	"perfdiff/diff/number"
)

// mostly is how many times larger one part of a change must be than the other
// to be called its cause.
const mostly = 3

// stays is up to which share of itself a part may move and still be said to stay.
const stays = 0.05

// hidden reports whether the exposed transfer changed while the whole of it did
// not.
func hidden(r *Report, exposed *Comparison) bool {
	whole := metricOf(r.Parts, "comm_transfer_time")
	return whole != nil && math.Abs(exposed.Delta) >= mostly*math.Abs(whole.Delta)
}

// arrivals says whether communication changed because ranks arrive at other
// times or because the transfer took another time; "" where the captures do not
// separate the two.
func arrivals(r *Report) (why, advice string) {
	wait, transfer := metricOf(r.Parts, "exposed_wait_time"), metricOf(r.Parts, "exposed_transfer_time")
	if wait == nil || transfer == nil || math.IsNaN(wait.Delta) || math.IsNaN(transfer.Delta) {
		return "", ""
	}
	sc := number.ScaleOf("s", math.Max(math.Max(wait.Base, wait.Cand), math.Max(transfer.Base, transfer.Cand)))
	moved := func(c *Comparison) string {
		verb := "rose"
		if c.Delta < 0 {
			verb = "fell"
		}
		return fmt.Sprintf("%s from %s to %s", verb, sc.Format(c.Base), sc.With(c.Cand))
	}
	w, t := math.Abs(wait.Delta), math.Abs(transfer.Delta)
	other := func(c *Comparison) string { // that is not the cause
		if math.Abs(c.Delta) <= stays*math.Max(c.Base, c.Cand) {
			return "stayed at " + sc.With(c.Cand)
		}
		return moved(c)
	}
	switch {
	case w >= mostly*t && wait.Delta < 0:
		return fmt.Sprintf("ranks arrive closer together (waiting %s); the transfer itself %s", moved(wait), other(transfer)), ""
	case w >= mostly*t:
		return fmt.Sprintf("ranks arrive further apart (waiting %s); the transfer itself %s", moved(wait), other(transfer)),
			"Look at who arrives last and why (Collectives, who waits for whom); the network is not the cause."
	case t >= mostly*w && hidden(r, transfer):
		less := "less"
		if transfer.Delta < 0 {
			less = "more"
		}
		return fmt.Sprintf("compute hides %s of the transfer, which itself did not change (what is exposed of it %s)", less, moved(transfer)),
			"Look at what the streams wait for around the collectives: bucket sizes, stream priorities, synchronizations."
	case t >= mostly*w:
		return fmt.Sprintf("the transfer itself %s; waiting for late ranks %s", moved(transfer), other(wait)),
			"Look at the links, NCCL's settings and the placement of ranks; record the network ports to see whether they are full."
	}
	return fmt.Sprintf("waiting for late ranks %s, the transfer itself %s", moved(wait), moved(transfer)),
		"Both moved: begin with who arrives last (Collectives), since a late rank can also make a transfer longer."
}

package words

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// pageableCopies returns the sentence about copies from, or to, pageable memory on one side.
func pageableCopies(r *diff.Report, f *cause.Finding) string {
	c := f.Copies
	more, less := &c.Cand, &c.Base
	subject := map[string]string{"h2d": "Copies to the device", "d2h": "Copies from the device"}[c.Direction]
	worse := c.Cand.Pageable > c.Base.Pageable
	if !worse {
		more, less = less, more
	}
	text := subject
	switch {
	case more.Blocks() && worse:
		text += " block the host"
	case more.Blocks():
		text += " no longer block the host"
	case worse:
		text += " take longer"
	default:
		text += " take less"
	}
	sc, bytes := number.ScaleOf("s", math.Max(c.Base.Time, c.Cand.Time)), number.ScaleOf("B", math.Max(c.Base.Bytes, c.Cand.Bytes))
	rate := number.ScaleOf("B/s", math.Max(c.Base.Rate, c.Cand.Rate))
	said := func(u *cause.CopyUse) string {
		return fmt.Sprintf("%s %s at %s take %s", bytes.With(u.Bytes), pageableFrom(c.Direction, u), rate.With(u.Rate), sc.With(u.Time))
	}
	text += fmt.Sprintf(": %s per step, in the baseline %s", said(&c.Cand), said(&c.Base))
	if more.Blocks() && !math.IsNaN(less.Call) {
		calls := number.ScaleOf("s", math.Max(c.Base.Call, c.Cand.Call))
		text += fmt.Sprintf("; calls that copy hold the host for %s per step instead of %s", calls.With(c.Cand.Call), calls.With(c.Base.Call))
	}
	return text
}

// pageableFrom says from, or to, which memory of the host a side copies.
func pageableFrom(direction string, u *cause.CopyUse) string {
	from := map[string]string{"h2d": "from", "d2h": "to"}[direction]
	switch {
	case u.Pageable > 0.995:
		return from + " pageable memory"
	case u.Pageable < 0.005:
		return from + " pinned memory"
	}
	return fmt.Sprintf("(%s of them %s pageable memory)", number.Share(u.Pageable), from)
}

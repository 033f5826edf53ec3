package compute

import (
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
)

// effectOf returns what a difference in a fact does to the comparison.
func effectOf(fact string) (class string, why policy.Effect) {
	switch fact {
	case ncu.FactDevice, ncu.FactCC:
		return policy.ClassInvalidates, policy.OtherMachine
	case ncu.FactClock:
		return policy.ClassInvalidates, OtherClockSetting
	case ncu.FactCache:
		return policy.ClassInvalidates, OtherCacheSetting
	case ncu.FactReplay:
		return policy.ClassInvalidates, OtherReplay
	case ncu.FactVersion:
		return policy.ClassLook, OtherVersion
	}
	return policy.ClassHarmless, OtherMetrics
}

// differences finds in which facts the sides differ, and which a side does not tell.
func (r *Report) differences(base, cand *ncu.Set, pairs []pairing) {
	for _, fact := range ncu.Facts() {
		a, b := base.Fact(fact), cand.Fact(fact)
		class, why := effectOf(fact)
		switch {
		case a == "" || b == "":
			if class != policy.ClassHarmless {
				r.Unknown = append(r.Unknown, fact)
			}
		case a != b:
			r.Differences = append(r.Differences, Difference{fact, [2]string{a, b}, class, why})
		case (fact == ncu.FactDevice || fact == ncu.FactCC) && strings.Contains(a, " and "):
			r.Differences = append(r.Differences, Difference{fact, [2]string{a, b}, policy.ClassLook, SeveralDevices})
		}
	}
	for _, c := range []struct{ fact, id string }{{MeasuredClock, ncu.Clock}, {MeasuredMemoryClock, ncu.MemoryClock}} {
		a, b := medianOf(pairs, 0, c.id), medianOf(pairs, 1, c.id)
		if apart(a, b, r.Threshold) {
			hz := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
			r.Differences = append(r.Differences, Difference{c.fact, [2]string{hz(a), hz(b)}, policy.ClassLook, policy.OtherClock})
		}
	}
}

// medianOf returns the median of a quantity over the kernels that both sides have; NaN without any.
func medianOf(pairs []pairing, side int, id string) float64 {
	var v []float64
	for i := range pairs {
		for j := range quantities {
			if quantities[j].ID == id {
				if s := pairs[i].quantity(side, &quantities[j]); s.N > 0 {
					v = append(v, s.Median)
				}
			}
		}
	}
	return stat.Median(v)
}

// void finds why nothing can be judged.
func (r *Report) void(base, cand *ncu.Set) {
	switch {
	case base.SharedWith(cand) != "":
		r.Void = VoidSame
	case r.differs(policy.OtherMachine):
		r.Void = VoidDevice
	case r.differs(OtherClockSetting), r.differs(OtherCacheSetting), r.differs(OtherReplay):
		r.Void = VoidRecording
	case base.Unclear || cand.Unclear:
		r.Void = VoidNumbers
	case len(r.Kernels) == 0:
		r.Void = VoidNothing
	}
}

func (r *Report) differs(why policy.Effect) bool {
	return slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Why == why })
}

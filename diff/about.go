package diff

import "perfdiff/diff/sides"

// About says how a comparison was made; it changes no number.
type About struct {
	Title   string    `report:"title,omitempty"`   // "": none was given
	Names   [2]string `report:"names,omitempty"`   // of baseline and candidate; both "": none were given
	Command string    `report:"command,omitempty"` // what was asked, without paths, and without what changes nothing in the report; "" not known
}

// Captured says when captures of a side's runs began, in UTC nanoseconds: the first and the last. Both are 0 if a run
// does not say.
type Captured struct{ First, Last int64 }

// capturedOf returns when captures of a side's runs began.
func capturedOf(s *sides.Side) (out Captured) {
	for _, r := range s.Runs {
		switch {
		case r.Began == 0:
			return Captured{}
		case out.First == 0 || r.Began < out.First:
			out.First = r.Began
		}
		out.Last = max(out.Last, r.Began)
	}
	return out
}

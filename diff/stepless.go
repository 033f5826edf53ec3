package diff

import (
	"perfdiff/diff/cause"
)

// Stepless reports whether the sides have no step to compare, so that the report describes
// their calls and seconds.
func (r *Report) Stepless() bool { return r.Per == cause.PerSecond }

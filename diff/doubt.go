package diff

import (
	"perfdiff/diff/cause"
)

// doubtHeadline says in one sentence what is not known.
func doubtHeadline(p *cause.Causes) string { return "No verdict: " + p.Doubtful() + "." }

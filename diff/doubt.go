package diff

import (
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/diff/number"
)

// whyDoubted is what is not known and what decides, in sentences.
func whyDoubted(p *cause.Causes, r *Report) string {
	var parts []string
	for i := range p.Doubts {
		d := &p.Doubts[i]
		r.Hints = append(r.Hints, d.Hint)
		parts = append(parts, number.Capital(d.Clause())+". Hint: "+d.Hint+".")
	}
	return strings.Join(parts, " ")
}

// doubtHeadline says in one sentence what is not known.
func doubtHeadline(p *cause.Causes) string { return "No verdict: " + p.Doubtful() + "." }

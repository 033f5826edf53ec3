package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// readsMoved writes the sentence about a change in how data is read: "14.0 GB/s for 97 % of the time became bursts of
// 42.0 GB/s for 66 % of it".
func readsMoved(r *diff.Report, f *cause.Finding) string {
	if f.Reads == nil {
		return moved(r, f)
	}
	text := "Reads: "
	if f.Kind == policy.KindReadThroughput {
		text = subject(about(r, f)) + " " + verb(f.Delta) + " " + fromTo(f) + perNode(f.Reads) + ": "
	}
	base, cand := &f.Reads.Base, &f.Reads.Cand
	sc := number.ScaleOf("B/s", math.Max(base.Burst, cand.Burst))
	text += fmt.Sprintf("%s for %s of the time became %s for %s of it",
		atRate(base, sc), number.Share(base.Share), atRate(cand, sc), number.Share(cand.Share))
	if cand.Aligned-base.Aligned >= directReads {
		text += ", in large aligned requests as direct reads are"
	}
	return text + ", measured from " + Source(about(r, f))
}

// perNode says what each node reads on average: ", per node 14.0 and 29.0 GB/s". It is what the report of one node
// shows.
func perNode(d *cause.ReadDetails) string {
	if math.IsNaN(d.Base.PerNode) {
		return ""
	}
	sc := number.ScaleOf("B/s", math.Max(d.Base.PerNode, d.Cand.PerNode))
	return ", per node " + sc.Format(d.Base.PerNode) + " and " + sc.With(d.Cand.PerNode)
}

// directReads is how much more of the bytes must come in large aligned requests for that to be
// worth a word. Chosen, not measured: one of the sides reads so, and the other does not.
const directReads = 0.5

// threads returns as many in the mean: "3.81 threads", "1 thread".
func threads(n float64) string {
	text := strings.TrimSuffix(number.Format(n), ".00")
	if text == "1" {
		return text + " thread"
	}
	return text + " threads"
}

// atRate returns the rate at which a side reads, and whether it pauses.
func atRate(s *cause.ReadSide, sc number.Scale) string {
	if s.Steady() {
		return sc.With(s.Burst)
	}
	return "bursts of " + sc.With(s.Burst)
}

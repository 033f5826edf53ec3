package html

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// fallOf is the waterfall of the sample's parts.
func fallOf(r *diff.Report) (w cause.Waterfall) {
	for k, x := range [][2]string{{"compute", "compute_time"}, {"comm", "exposed_comm_time"}, {"memory", "exposed_memory_time"}, {"idle", "idle_time"}} {
		p := cause.Part{PartChange: cause.PartChange{StepPart: cause.StepPart{Key: run.Key{Metric: x[1]}}, Kind: x[0]}}
		for _, rank := range r.Ranks {
			p.Base, p.Cand = p.Base+rank.Base.Parts[k]/float64(len(r.Ranks)), p.Cand+rank.Cand.Parts[k]/float64(len(r.Ranks))
		}
		p.Delta = p.Cand - p.Base
		p.Lo, p.Hi = p.Delta-0.002, p.Delta+0.002
		if k == 0 {
			p.Within = []cause.PartChange{p.PartChange}
			p.Within[0].Part = "GEMM"
		}
		w.Parts, w.Base, w.Cand = append(w.Parts, p), w.Base+p.Base, w.Cand+p.Cand
	}
	w.Delta = w.Cand - w.Base
	w.MedianBase, w.MedianCand, w.Residual = w.Base+0.001, w.Cand, -0.001
	return w
}

package sides

import "perfdiff/analyze/run"

// What was read and written is compared from one source, the best that both sides have:
// storage counters of the nodes, else file accesses of the ranks. A source that all nodes, or
// all ranks, have goes before a better one that some have. Counters add up over nodes, and
// a sum over fewer of them is none of the job: then only nodes that both sides sampled enter.

// Reads is where the bytes of both sides are taken from.
type Reads struct {
	Source string `report:"source,said"` // run.SourceStorage, run.SourceFiles; "" nothing that both sides have
	// Nodes are those whose counters enter, and Of those that were captured, in a run of each
	// side; the most of any. 0 of file accesses.
	Nodes  [2]int      `report:"nodes"`
	Of     [2]int      `report:"nodes_of"`
	Has    [2][]string `report:"recorded"` // what either side recorded, the best first
	Unlike bool        `report:"unlike"`   // both recorded something, and nothing that the other did
}

// chooseReads finds the source and leaves the series of no other in the sides' ranks.
func (p *Lined) chooseReads() {
	r := &p.Reads
	base, cand := ofReads(p.Base), ofReads(p.Cand)
	switch {
	case base.none() || cand.none():
		r.Source = base.best()
		if base.none() {
			r.Source = cand.best()
		}
	case base.all(run.SourceStorage) && cand.all(run.SourceStorage):
		r.Source = run.SourceStorage
	case base.all(run.SourceFiles) && cand.all(run.SourceFiles):
		r.Source = run.SourceFiles
	case base.shareOf(run.SourceStorage, cand):
		r.Source = run.SourceStorage
	case base.shareOf(run.SourceFiles, cand):
		r.Source = run.SourceFiles
	default:
		r.Unlike = true
	}
	for i, of := range []*readers{base, cand} {
		of.keep(r.Source)
		if r.Has[i] = of.has(); r.Source == run.SourceStorage {
			r.Nodes[i], r.Of[i] = of.count()
		}
	}
	for _, of := range []*readers{base, cand} {
		for _, x := range of.side.Runs {
			x.reads = *r
		}
	}
}

// PutIn leaves the series of the source in the runs of another set, as past ones. A run with
// counters of another number of nodes than the baseline has none that compare.
func (r *Reads) PutIn(s *Side) {
	of := ofReads(s)
	for i := range of.groups {
		if n, _ := of.countOf(i); r.Source == run.SourceStorage && n != r.Nodes[0] {
			of.groups[i] = nil
		}
		s.Runs[i].reads = *r
	}
	of.keep(r.Source)
}

// AddsUp reports whether the values of a metric are sums over nodes: all are but a share.
func (r *Reads) AddsUp(metric string) bool {
	return r.Source == run.SourceStorage && metric != run.IOReadTimeShare
}

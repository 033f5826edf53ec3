package sides

import "sync"

// BothAtOnce calls f at once for the baseline (0) and for the candidate (1): with hundreds of ranks, sums over them
// take most of the time of a comparison. f must not change anything but the side that it is given and its own results
// for that side.
func (p *Lined) BothAtOnce(f func(i int, s *Side)) {
	var other sync.WaitGroup
	other.Go(func() { f(0, p.Base) })
	f(1, p.Cand)
	other.Wait()
}

package sides

import "sync"

// BothAtOnce calls f for the baseline, which is 0, and for the candidate, which is 1, at once: of
// hundreds of ranks, what is summed up over them takes most of the time of a comparison. f must not
// change anything but the side that it is given, and what it fills of it.
func (p *Lined) BothAtOnce(f func(i int, s *Side)) {
	var other sync.WaitGroup
	other.Go(func() { f(0, p.Base) })
	f(1, p.Cand)
	other.Wait()
}

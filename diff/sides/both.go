package sides

import "sync"

// Both is what f gives of the baseline and of the candidate, at once: of hundreds of ranks, what is
// summed up over them takes most of the time of a comparison. f must not change anything but the side
// that it is given.
func Both[T any](base, cand *Side, f func(*Side) T) (ofBase, ofCand T) {
	var other sync.WaitGroup
	other.Go(func() { ofBase = f(base) })
	ofCand = f(cand)
	other.Wait()
	return ofBase, ofCand
}

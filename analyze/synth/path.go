package synth

// PathPart is a part of the critical path, by what its time is spent on.
type PathPart int

// The parts of the critical path that the simulation tells apart.
const (
	PathCompute PathPart = iota
	PathComm
	PathCopies
	PathInput
	PathOther // the host, launches, and the time between work
	PathParts
)

// PathSums is a path in ns, by part.
type PathSums [PathParts]int64

// minus returns by how much a path is longer than another one, part by part.
func (p PathSums) minus(q PathSums) PathSums {
	for i := range p {
		p[i] -= q[i]
	}
	return p
}

// longestPath is the path from the begin of the simulation to a moment. The simulation extends it by what happens
// next: if something waits for two things, the later one is on the path.
type longestPath struct {
	PathSums
	at int64
}

// spend extends the path to a time, by a part.
func (p longestPath) spend(part PathPart, until int64) longestPath {
	p.PathSums[part] += until - p.at
	p.at = until
	return p
}

// later returns the path of the later of two moments.
func later(p, q longestPath) longestPath {
	if q.at > p.at {
		return q
	}
	return p
}

// hostPath returns the path to where the host is.
func (r *simulatedRank) hostPath() longestPath {
	r.host = r.host.spend(PathOther, r.now)
	return r.host
}

// startOn returns the path to the start of work on a stream: it was launched by the call that the host
// made last, or waited for the stream.
func (r *simulatedRank) startOn(stream longestPath, start, ready int64) longestPath {
	if start == ready {
		return r.hostPath().spend(PathOther, start)
	}
	return stream.spend(PathOther, start)
}

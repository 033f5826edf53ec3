package collective

// dependenceOf returns how the ranks of a collective, which is no point-to-point call, wait for each
// other.
func (m *matcher) dependenceOf(f []member) dependence {
	if m.span(f[0]).hasRoot() || m.unevenness(f) > 0 {
		return mayEndEarly
	}
	return endTogether
}

// unevenness returns Split.Uneven of the kernels of an all-to-all; -1 if a size is not known or the
// kernels are no all-to-all.
func (m *matcher) unevenness(f []member) float64 {
	if !m.span(f[0]).ToAll() {
		return -1
	}
	return m.unevennessOf(f, m.routed(f))
}

// routed returns the function that tells what an all-to-all routes: what ranks send, or what they receive.
func (m *matcher) routed(f []member) func(*Span) int64 {
	sent, received := func(s *Span) int64 { return s.Bytes }, func(s *Span) int64 { return s.Received }
	if m.unevennessOf(f, sent) > m.unevennessOf(f, received) {
		return sent
	}
	if m.unevennessOf(f, received) >= 0 {
		return received
	}
	return func(*Span) int64 { return 0 }
}

func (m *matcher) unevennessOf(f []member, of func(*Span) int64) float64 {
	sum, most := 0.0, 0.0
	for _, x := range f {
		bytes := float64(of(m.span(x)))
		if bytes <= 0 {
			return -1
		}
		sum, most = sum+bytes, max(most, bytes)
	}
	return 1 - sum/float64(len(f))/most
}

// split gives each kernel of a group its wait and skew. It is false if wait cannot be told from
// transfer.
func (m *matcher) split(g kernelGroup, splits [][]Split) bool {
	f := m.members[g.from:g.to]
	if first := m.span(f[0]); first.ToAll() {
		uneven, routed := float32(m.unevenness(f)), m.routed(f)
		for _, x := range f {
			out := &splits[x.rank][x.span]
			out.Uneven, out.Routed = uneven, routed(m.span(x))
		}
	}
	if g.dependence != endTogether {
		return m.splitByEnds(f, splits)
	}
	m.splitByDurations(f, 0, splits)
	return true
}

// splitByDurations takes the shortest duration for the transfer, and the rest of each duration
// for wait. A wait of at most least ns counts as transfer.
func (m *matcher) splitByDurations(f []member, least int64, splits [][]Split) {
	duration := func(x member) int64 {
		s := m.span(x)
		return s.End - s.Start
	}
	last, shortest, longest := f[0], duration(f[0]), duration(f[0])
	for _, x := range f {
		d := duration(x)
		if d < shortest {
			last, shortest = x, d
		}
		longest = max(longest, d)
	}
	name := last.rank
	for _, x := range f {
		if x != last && duration(x)-shortest <= m.leastApart(x.rank, last.rank) {
			name = Nobody // this one may have come as late
			break
		}
	}
	for _, x := range f {
		out := &splits[x.rank][x.span]
		out.Wait, out.Skew, out.Last = duration(x)-shortest, longest-shortest, name
		out.For, out.ForSpan = last.rank, last.span
		if out.Wait <= least {
			out.Wait = 0
		}
	}
}

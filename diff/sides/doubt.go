package sides

import (
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// DoubtKind says what is not known about two sides.
type DoubtKind string

// The kinds, each with the fields of Doubt that it fills.
const (
	DoubtAsRead        DoubtKind = "as-read"        // what was not known when Side was read: Read
	DoubtSameRun       DoubtKind = "same-run"       // the Runs are one, given on both sides
	DoubtSameFiles     DoubtKind = "same-files"     // Files of the candidate's run, Of, are also of the baseline's, Runs
	DoubtSameRecording DoubtKind = "same-recording" // the Runs are one recording, exported twice
	DoubtOtherRanks    DoubtKind = "other-ranks"    // the sides hold Ranks of a job, and not one of them is the same
	DoubtRankSources   DoubtKind = "rank-sources"   // the Ranks do not match, and have their numbers From what is no profile's own
	DoubtTimeUnit      DoubtKind = "time-unit"      // Count of the kernels that both sides run, Of, take Factor times as long in the candidate; Of 0: steps do
	DoubtRankTimes     DoubtKind = "rank-times"     // steps of the first Ranks of Side take the first of Each, those of the second the second
	DoubtDeviceClock   DoubtKind = "device-clock"   // steps of Count of Side's ranks, Of, take the first of Each on the device and the second on the host
)

// Doubt is something that is not known about a side, or about how the two fit together.
type Doubt struct {
	Kind      DoubtKind
	Side      string      // "baseline", "candidate"; "" both
	Read      run.Doubt   // as the files were read
	Runs      [2]string   // names, of the baseline and of the candidate
	Files, Of int         // how many files, kernels or ranks, as the kind says
	Count     int         // of kernels or ranks, as the kind says
	Factor    float64     // of the candidate's durations over the baseline's
	Each      [2]float64  // s, the longest step of the ranks with short ones, and the shortest of the others; or as the kind says
	InUnit    bool        // Each differ as units do, and not only more than ranks do that communicate
	Ranks     [2][]int    // of each side, in order
	From      [2][]string // what the numbers of each side's ranks are from
}

// forcible reports whether it is about ranks or times, which may be judged by force.
func (d *Doubt) forcible() bool {
	switch d.Kind {
	case DoubtAsRead:
		return d.Read.About == run.DoubtRanks
	case DoubtOtherRanks, DoubtRankSources, DoubtTimeUnit, DoubtRankTimes, DoubtDeviceClock:
		return true
	}
	return false
}

// findDoubts returns what is not known about the sides: their runs, the ranks of their files, or the unit of their
// times.
func (p *Lined) findDoubts() (all []Doubt) {
	all = p.findDoubtsOfRanks()
	for _, s := range []*Side{p.Base, p.Cand} {
		if d, odd := s.otherPace(); odd {
			all = append(all, d)
		}
	}
	all = append(all, p.slowClocks()...)
	if d, other := p.otherTimeUnit(); other {
		all = append(all, d)
	}
	return all
}

// findDoubtsOfRanks returns what is not known about runs and ranks.
func (p *Lined) findDoubtsOfRanks() (all []Doubt) {
	for _, d := range p.Base.Set.Doubts {
		of := Doubt{Kind: DoubtAsRead, Side: p.Base.Name, Read: d}
		if slices.Contains(p.Cand.Set.Doubts, d) {
			of.Side = ""
		}
		all = append(all, of)
	}
	for _, d := range p.Cand.Set.Doubts {
		if !slices.Contains(p.Base.Set.Doubts, d) {
			all = append(all, Doubt{Kind: DoubtAsRead, Side: p.Cand.Name, Read: d})
		}
	}
	if len(all) > 0 || p.OtherSize {
		sort.SliceStable(all, func(i, j int) bool {
			a, b := &all[i], &all[j]
			return strings.Compare(string(b.Read.About), string(a.Read.About)) < 0
		})
		return all
	}
	numbers := [2][]int{p.Base.Numbers(), p.Cand.Numbers()}
	switch {
	case ranksDiffer(p.Base, p.Cand):
		return []Doubt{{Kind: DoubtRankSources, Ranks: numbers, From: [2][]string{p.Base.rankSources(), p.Cand.rankSources()}}}
	case p.NoRankInCommon() && !p.likelyOne():
		return []Doubt{{Kind: DoubtOtherRanks, Ranks: numbers}}
	}
	return nil
}

// doubted removes the doubts that the policy overrules by force.
func (p *Lined) doubted() {
	for _, d := range p.findDoubts() {
		if p.force && d.forcible() {
			p.Forced = append(p.Forced, Forced{Doubt: &d})
		} else {
			p.Doubts = append(p.Doubts, d)
		}
	}
}

// rankSource is how good the numbers of ranks are.
type rankSource uint8

const (
	saidRanks    rankSource = iota // by the profiles, or by the user
	namedRanks                     // read out of names
	guessedRanks                   // by order
)

// rankSource returns the worst that a side's ranks come from.
func (s *Side) rankSource() (worst rankSource) {
	s.EachRank(func(k *Rank) {
		switch {
		case k.RankFrom == trace.RankGuessed:
			worst = guessedRanks
		case trace.RankIsNamed(k.RankFrom):
			worst = max(worst, namedRanks)
		}
	})
	return worst
}

// rankSources returns where the numbers of a side's ranks come from, in order.
func (s *Side) rankSources() []string {
	return s.DistinctValues(func(k *Rank) string { return k.RankFrom })
}

// NoRankInCommon reports whether all ranks are known, more than by order, and none is on both
// sides.
func (p *Lined) NoRankInCommon() bool {
	b, c := p.Base.Numbers(), p.Cand.Numbers()
	guessed := p.Base.rankSource() == guessedRanks || p.Cand.rankSource() == guessedRanks
	return len(b) > 0 && len(c) > 0 && b[0] >= 0 && c[0] >= 0 && !guessed &&
		!slices.ContainsFunc(b, func(n int) bool { return slices.Contains(c, n) })
}

// likelyOne reports whether each side is one rank whose number was only read out of a name: for a job on one device
// that number may mean anything.
func (p *Lined) likelyOne() bool {
	alone := func(s *Side) bool { return s.MostRanks() == 1 && s.WorldSize() <= 1 }
	return alone(p.Base) && alone(p.Cand) && (p.Base.WorldSize() == 1 && p.Cand.WorldSize() == 1 ||
		p.Base.rankSource() != saidRanks || p.Cand.rankSource() != saidRanks)
}

// ranksDiffer reports whether it is in doubt which ranks belong together: their numbers are not the same, and were
// guessed, or read out of names on one side and said by the profiles of the other. Then a rank would be compared with
// any other. A side of one rank is compared as it is.
func ranksDiffer(base, cand *Side) bool {
	from, to := base.rankSource(), cand.rankSource()
	single := base.MostRanks() <= 1 && cand.MostRanks() <= 1
	none := base.MostRanks() == 0 || cand.MostRanks() == 0
	return !single && !none && !slices.Equal(base.Numbers(), cand.Numbers()) && (from != to || from == guessedRanks)
}

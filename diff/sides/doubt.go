package sides

import (
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// doubt is what is not known of a side, or of how the two fit together.
type doubt struct {
	Side string // "" both
	run.Doubt
}

// doubts are what is not known of the sides: their runs, or the ranks of their files.
func (p *Lined) findDoubts() (all []doubt) {
	for _, d := range p.Base.Set.Doubts {
		if slices.Contains(p.Cand.Set.Doubts, d) {
			all = append(all, doubt{"", d})
		} else {
			all = append(all, doubt{p.Base.Name, d})
		}
	}
	for _, d := range p.Cand.Set.Doubts {
		if !slices.Contains(p.Base.Set.Doubts, d) {
			all = append(all, doubt{p.Cand.Name, d})
		}
	}
	if d, ok := ranksDiffer(p.Base, p.Cand); ok && len(all) == 0 && !p.OtherSize {
		all = append(all, doubt{"", d})
	}
	if p.NoneInCommon() && !p.likelyOne() && len(all) == 0 && !p.OtherSize {
		all = append(all, doubt{"", run.Doubt{About: ofOtherRanks,
			Text: "the baseline holds ranks " + number.Ranges(p.Base.Numbers()) + " of the job and the candidate ranks " + number.Ranges(p.Cand.Numbers()),
			Hint: "record the same ranks on both sides, or compare these all the same with --force"}})
	}
	slices.SortStableFunc(all, func(a, b doubt) int { return strings.Compare(string(b.About), string(a.About)) })
	return all
}

// doubted takes what may be judged by force out of the doubts, where the policy says so.
func (p *Lined) doubted() {
	for _, d := range p.findDoubts() {
		if p.force && (d.About == run.DoubtRanks || d.About == ofOtherRanks) {
			p.Forced = append(p.Forced, d.Clause())
		} else {
			p.Doubts = append(p.Doubts, d)
		}
	}
}

// Clause is a doubt with its side.
func (d *doubt) Clause() string {
	if d.Side == "" {
		return d.Text
	}
	return d.Side + ": " + d.Text
}

// Doubtful is what is in doubt first, as a clause.
func (p *Lined) Doubtful() string {
	switch p.Doubts[0].About {
	case ofBoth:
		return "both sides hold the same run"
	case ofBothFiles:
		return "both sides hold files of the same run"
	case ofOtherRanks:
		return "no rank is on both sides"
	case run.DoubtRuns:
		return "it is not known what the runs are"
	}
	return "it is not known which ranks the files are of"
}

// rankSource is how good the numbers of ranks are.
type rankSource uint8

const (
	saidRanks    rankSource = iota // by the profiles, or by the user
	namedRanks                     // read out of names
	guessedRanks                   // by order
)

// rankSource is the worst that a side's ranks come from.
func (s *Side) rankSource() (worst rankSource) {
	s.Each(func(k *Rank) {
		switch {
		case k.RankFrom == trace.RankGuessed:
			worst = guessedRanks
		case trace.RankIsNamed(k.RankFrom):
			worst = max(worst, namedRanks)
		}
	})
	return worst
}

// ofOtherRanks: the sides hold ranks of a job, and not one of them is the same.
const ofOtherRanks run.DoubtAbout = "ranks in common"

// NoneInCommon reports whether all ranks are known, more than by order, and none is on both
// sides.
func (p *Lined) NoneInCommon() bool {
	b, c := p.Base.Numbers(), p.Cand.Numbers()
	guessed := p.Base.rankSource() == guessedRanks || p.Cand.rankSource() == guessedRanks
	return len(b) > 0 && len(c) > 0 && b[0] >= 0 && c[0] >= 0 && !guessed &&
		!slices.ContainsFunc(b, func(n int) bool { return slices.Contains(c, n) })
}

// likelyOne reports whether each side is one rank whose number was only read out of a name:
// in that of a job on one device it may be anything.
func (p *Lined) likelyOne() bool {
	alone := func(s *Side) bool { return s.Captured() == 1 && s.World() <= 1 }
	return alone(p.Base) && alone(p.Cand) && (p.Base.World() == 1 && p.Cand.World() == 1 ||
		p.Base.rankSource() != saidRanks || p.Cand.rankSource() != saidRanks)
}

// ranksDiffer doubts the ranks of sides whose numbers are not the same ones, where they
// were guessed, or read out of names on one side and said by the profiles of the other:
// then a rank would be compared with any other. One rank a side is compared as it is.
func ranksDiffer(base, cand *Side) (run.Doubt, bool) {
	b, c := base.Numbers(), cand.Numbers()
	from, to := base.rankSource(), cand.rankSource()
	single := base.Captured() <= 1 && cand.Captured() <= 1
	none := base.Captured() == 0 || cand.Captured() == 0
	if single || none || slices.Equal(b, c) || from == to && from != guessedRanks {
		return run.Doubt{}, false
	}
	sources := func(s *Side) string {
		return strings.Join(s.Values(func(k *Rank) string { return k.RankFrom }), ", ")
	}
	return run.Doubt{About: run.DoubtRanks,
		Text: "the ranks do not match, and not all are the profiles' own numbers: ranks " + number.Ranges(b) + " of the baseline by " +
			sources(base) + ", ranks " + number.Ranges(c) + " of the candidate by " + sources(cand),
		Hint: "name the files of both sides alike, as in report.%q{SLURM_PROCID}, " +
			"or say where names hold the rank: --rank-name REGEX with a group rank"}, true
}

// DoubtOf is why a past run says nothing of this job's noise, where it is not known what
// it is; "" where it is.
func DoubtOf(set *run.Set) string {
	if len(set.Doubts) == 0 {
		return ""
	}
	d := set.Doubts[0]
	return "it is not known what it is: " + d.Text + " (" + d.Hint + ")"
}

package words

import (
	"cmp"
	"fmt"
	"strings"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// leftOut says why past runs do not count, for the reasons that need no further data.
var leftOut = map[verdict.LeftOutKind]string{
	verdict.IsBaseline:    "it is the baseline itself",
	verdict.InBaseline:    "it is one of the runs of the baseline",
	verdict.IsCandidate:   "it is the candidate itself",
	verdict.InCandidate:   "it is one of the runs of the candidate",
	verdict.WithoutRanks:  "it has none of the ranks that are compared",
	verdict.WithoutSteps:  "it has no steps",
	verdict.SharedFile:    "its summary holds a run that counts already, and does not say which of its runs that is",
	verdict.EngineNoise:   "what runs differ by is not learned from steps of an inference engine: their loads differ from run to run",
	verdict.OtherLevel:    "it stands on another level",
	verdict.EngineLoads:   "steps of an inference engine have other loads from run to run",
	verdict.FewSteps:      "there are too few steps to compare it by",
	verdict.NoneAlike:     "no past run is like this job",
	verdict.NotOneByOne:   "the step times of the runs cannot be compared one by one",
	verdict.SeveralLevels: "the runs of the baseline stand on several levels of the history",
	verdict.EnoughOfOwn:   "the baseline has runs enough",
}

// setups names the things that must be alike for runs to say something about each other.
var setups = map[verdict.Setup]string{
	verdict.SetupGPU:    "GPU",
	verdict.SetupSize:   "number of ranks",
	verdict.SetupRanks:  "list of captured ranks",
	verdict.SetupMarker: "step marker",
}

// setup names what differs: one of these, or a fact.
func setup(s verdict.Setup) string { return cmp.Or(setups[s], verdict.FactName(string(s))) }

// here introduces what a past run was held against.
var here = map[verdict.Against]string{
	verdict.AgainstPair:      "here it is",
	verdict.AgainstUsed:      "in the runs that are used it is",
	verdict.AgainstCandidate: "in the candidate it is",
	verdict.AgainstMost:      "in most runs it is",
}

// WhyLeftOut returns why a past run does not count, as a clause; "" it counts.
func WhyLeftOut(l *verdict.LeftOut) string {
	switch l.Kind {
	case verdict.Unreadable:
		return l.Said
	case verdict.InDoubt:
		return "it is not known what it is: " + l.Said + " (" + l.Hint + ")"
	case verdict.OtherSetup:
		return fmt.Sprintf("its %s is %s, %s %s", setup(l.Differs), known(l.Then[0]), here[l.Against], known(l.Now[0]))
	case verdict.SameRun:
		return "it is the same run as " + l.Other
	case verdict.FewAlike:
		if l.Have == 1 {
			return fmt.Sprintf("it is the only past run like the baseline; noise is learned from %d on", l.Need)
		}
		return fmt.Sprintf("%d past runs are like the baseline; noise is learned from %d on", l.Have, l.Need)
	case verdict.FewOfSteps:
		return fmt.Sprintf("it has %d of the %s that are compared", l.Have, number.Counted(l.Need, "step"))
	case verdict.OtherDriver:
		return fmt.Sprintf("its driver is %s, here it is %s", l.Then[0], l.Now[0])
	case verdict.OtherKernels:
		return fmt.Sprintf("it is of another job: kernels that run here took %s of its kernel time", number.Share(l.Size))
	case verdict.ApartFromAll:
		return "its step time stands apart from all others, by " + percent(l.Size)
	case verdict.NewerCount:
		return fmt.Sprintf("%d newer runs of its level count", l.Have)
	case verdict.StepsUnpaired:
		return unpaired(&l.Steps)
	case verdict.OtherHosts:
		return "the past runs are of other hosts: " + hostsOf(l.Then, l.Now)
	case verdict.FewForLevel:
		return fmt.Sprintf("a level takes %d runs, and there are %s with the baseline", l.Need, number.Counted(l.Have, "run"))
	case verdict.BaselineApart:
		return "the step time of the baseline differs from that of the past runs, by " + percent(l.Size)
	}
	return leftOut[l.Kind]
}

// levelWarning says what a reader must know about the runs of a baseline.
func levelWarning(w *verdict.LevelWarning) string {
	why := WhyLeftOut(&w.Why)
	switch {
	case w.Run != "":
		return "past run " + w.Run + " does not stand beside the baseline: " + why
	case w.Why.Kind == verdict.SeveralLevels:
		return why + ": none of its runs stands beside them"
	}
	return why + ": it is compared alone (are they runs of this job, and was the baseline's disturbed?)"
}

// otherPlace says how the place of a side differs from that of all past runs; "" where it does not.
func otherPlace(e *verdict.Elsewhere) string {
	switch e.Differs {
	case verdict.PlaceHosts:
		return "the past runs are of other hosts than the " + e.Side + ": " + hostsOf(e.Then, e.Now)
	case verdict.PlaceDriver:
		return fmt.Sprintf("the past runs are of another driver than the %s: %s and %s",
			e.Side, strings.Join(e.Then, ", "), strings.Join(e.Now, ", "))
	}
	return ""
}

// hostsOf names the hosts of past runs and those of the compared runs.
func hostsOf(then, now []string) string {
	return fmt.Sprintf("theirs are %s, here they are %s", number.Some(then, verdict.MostNamed), number.Some(now, verdict.MostNamed))
}

// unpaired returns why steps are not compared one by one, as a clause.
func unpaired(u *verdict.Unpaired) string {
	switch {
	case u.Unnumbered:
		return "steps found by launches have no numbers, and the runs have different numbers of them"
	case u.Common == 0:
		return "no step number is on both sides"
	}
	return "only " + number.Counted(u.Common, "step number") + " on both sides"
}

// known returns a value that files say, "unknown" where they do not.
func known(v string) string {
	if v == "" || v == "0" {
		return "unknown"
	}
	return v
}

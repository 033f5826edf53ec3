package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// unlike are in what the sides are not alike, as clauses, and alike what to do about it.
var (
	unlike = map[diff.Unlike]string{
		diff.UnlikeNodes:    "the sides ran on different nodes",
		diff.UnlikeMachines: "the sides ran on machines that are not alike",
		diff.UnlikeRecorded: "the sides were recorded differently",
	}
	alike = map[diff.Unlike]string{
		diff.UnlikeNodes:    "run both sides on the same nodes",
		diff.UnlikeMachines: "run both sides on machines that are alike",
		diff.UnlikeRecorded: "record both sides with the same profiler and options",
	}
)

// saidOf joins what is said of each.
func saidOf(list []diff.Unlike, as map[diff.Unlike]string) string {
	var texts []string
	for _, u := range list {
		texts = append(texts, as[u])
	}
	return strings.Join(texts, " and ")
}

// butNotAlike returns a headline that says that something changed, with what else may be why.
func butNotAlike(h *diff.Headline, text string) string {
	if v := h.Of.Verdict; h.Unlike == nil || v != verdict.Regressed && v != verdict.Improved {
		return text
	}
	return strings.TrimSuffix(text, ".") + ", but " + saidOf(h.Unlike, unlike) + "."
}

// mostNotAlike is how many differences the first lines name.
const mostNotAlike = 3

// NotAlike says how the sides are not alike and what that can do, which is worth a look before the verdict is
// believed; "" where they are alike.
func NotAlike(r *diff.Report) string {
	all := r.Looks()
	if len(all) == 0 || r.SameFiles {
		return ""
	}
	texts := []string{"Look first:"}
	for i := range all[:min(mostNotAlike, len(all))] {
		texts = append(texts, notAlike(&all[i]))
	}
	if n := len(all) - mostNotAlike; n > 0 {
		texts = append(texts, "And "+number.Counted(n, "more difference")+".")
	}
	return strings.Join(texts, " ")
}

// notAlike returns the sentence about a difference, with what it can do.
func notAlike(d *verdict.Difference) string {
	name, base, cand := Differs(d)
	return number.Capital(name) + ": " + orNotSaid(cand) + ", in the baseline " + orNotSaid(base) + " (" + Effect(d) + ")."
}

// sizes says how the jobs of both sides differ in size, as a clause; "" where they do not.
func sizes(s sides.Sizes) string {
	base, cand := number.Counted(s.Base, "rank"), number.Counted(s.Cand, "rank")
	switch s.Kind {
	case sides.SizesSaid:
		return fmt.Sprintf("the baseline's job has %s, the candidate's %s", base, cand)
	case sides.SizesBeyondBase:
		return fmt.Sprintf("the baseline's job has %s, and the candidate more", base)
	case sides.SizesBeyondCand:
		return fmt.Sprintf("the candidate's job has %s, and the baseline more", cand)
	case sides.SizesCaptured:
		return fmt.Sprintf("%s and %s were captured, and the files do not say how many the jobs had", base, cand)
	}
	return ""
}

// otherUnit says why a step is not the same unit of work on both sides, as a clause.
func otherUnit(u *sides.OtherUnit) string {
	switch u.Kind {
	case sides.UnitMarkers:
		return fmt.Sprintf("steps were found by %s in the baseline and by %s in the candidate, and no marker is on both sides",
			stepsBy(u.Markers[0], u.Each[0]), stepsBy(u.Markers[1], u.Each[1]))
	case sides.UnitUnmarked:
		return fmt.Sprintf("%d of the %s of the %s span others that were not marked", u.Count, number.Counted(u.Of, "step"), u.Side)
	case sides.UnitOff:
		return fmt.Sprintf("the profiler was off between the steps of the %s, which end with their own work, and those of the %s last until the next one",
			u.Side, otherSide(u.Side))
	case sides.UnitPasses:
		return fmt.Sprintf("each capture is one pass, and the baseline's launch %s %s and the candidate's %s", u.Kernel,
			number.Counted(int(u.Launched[0]), "time"), number.Counted(int(u.Launched[1]), "time"))
	case sides.UnitLaunches:
		return fmt.Sprintf("%d of %s that both sides run are launched %s times as often per step of the candidate: a step holds another number of the same thing",
			u.Count, number.Counted(u.Of, "kernel"), number.Format(u.Factor))
	}
	return ""
}

// stepsBy writes what steps were found by, and how long they are.
func stepsBy(markers []string, each float64) string {
	var names []string
	for _, m := range markers {
		names = append(names, briefly(m))
	}
	text := strings.Join(names, " and ")
	if each > 0 {
		text += " (" + seconds(each) + " each)"
	}
	return text
}

// briefMarker is how much of a marker's name a sentence takes, in characters.
const briefMarker = 60

// briefly returns a marker's name within a sentence: the start and the end of a long one, since
// kernels differ at both.
func briefly(marker string) string {
	r := []rune(marker)
	if len(r) <= briefMarker {
		return marker
	}
	return string(r[:briefMarker/2]) + "\u2026" + string(r[len(r)-briefMarker/2:])
}

// forced says in what the sides differ that are compared all the same, as a clause.
func forced(f *sides.Forced) string {
	switch {
	case f.NoLikeLoad:
		return "no engine step of one side is like one of the other"
	case f.Sizes.Differ():
		return sizes(f.Sizes)
	case f.Unit != nil:
		return otherUnit(f.Unit)
	case f.Doubt != nil:
		return doubtOfSide(f.Doubt)
	}
	return ""
}

// mostCopies is how many runs a warning names.
const mostCopies = 5

// countOnce returns the warning of runs that do not count.
func countOnce(c *sides.Copies) string {
	names := "run " + c.Runs[0] + " holds"
	if n := len(c.Runs); n > mostCopies {
		names = fmt.Sprintf("runs %s and %d others hold", strings.Join(c.Runs[:mostCopies], ", "), n-mostCopies)
	} else if n > 1 {
		names = fmt.Sprintf("runs %s and %s hold", strings.Join(c.Runs[:n-1], ", "), c.Runs[n-1])
	}
	return names + " what run " + c.Of +
		" does, and each content counts once: no two runs have the same (give each its own files)"
}

// copiesLeft says how many runs of the sides do not count, each with a space in front; "" if
// all do.
func copiesLeft(list []sides.Copies) (text string) {
	for i := range list {
		c := &list[i]
		what := "are copies of " + c.Of + " and do"
		if len(c.Runs) == 1 {
			what = "is a copy of " + c.Of + " and does"
		}
		text += fmt.Sprintf(" %s of the %s %s not count.", number.Counted(len(c.Runs), "run"), c.Side, what)
	}
	return text
}

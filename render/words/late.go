package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// late returns the sentence about who arrives last, and with what, where that changed.
func late(r *diff.Report, f *cause.Finding) string {
	x, sc := f.Late, valuesIn(f)
	left := ""
	if !math.IsNaN(x.OnOtherSide) {
		left = sc.With(x.OnOtherSide)
	}
	switch {
	case x.Base != nil && x.Cand != nil:
		then := number.Lower(who(x.Base)) + ": "
		if sameRanks(x.Cand, x.Base) {
			then = ""
		}
		return whoWhy(x.Cand, sc) + ", and the others wait. In the baseline " + then + doing(x.Base, sc)
	case f.Kind == policy.KindLateRanks:
		return vague(x, sc, left)
	case x.Cand != nil && left != "":
		return whoWhy(x.Cand, sc) + ", " + left + " in the baseline, and the others wait"
	case x.Cand != nil:
		return whoWhy(x.Cand, sc) + ", and the others wait"
	case left == "":
		left = "no longer"
	}
	return "In the baseline " + number.Lower(whoWhy(x.Base, sc)) + "; in the candidate " + left
}

// vague returns the sentence about ranks that are not sure to be the cause.
func vague(x *cause.LateChange, sc number.Row, left string) string {
	if left != "" {
		left = " (" + left + " on the other side)"
	}
	if x.Cand != nil {
		return whoWhy(x.Cand, sc) + left + ", and the others wait"
	}
	gone := "; in the candidate no longer"
	if x.LessLate {
		gone = "; in the candidate less"
	}
	return "In the baseline " + number.Lower(whoWhy(x.Base, sc)) + left + gone
}

func sameRanks(a, b *cause.Late) bool {
	return a.Kind == b.Kind && fmt.Sprint(a.Ranks) == fmt.Sprint(b.Ranks)
}

// whoWhy says who is late, and what they do longer where that is known.
func whoWhy(l *cause.Late, sc number.Row) string {
	if len(l.LongerIn) == 0 {
		return who(l)
	}
	return who(l) + ": " + doing(l, sc)
}

// who returns the late ones as a sentence begins with them.
func who(l *cause.Late) string {
	share := number.Share(l.Share)
	name, several := lateName(l)
	name = number.Capital(name)
	switch {
	case name == "":
		return fmt.Sprintf("Another rank arrives last from step to step (none at more than %s of all collectives)", share)
	case l.ByTime:
		return fmt.Sprintf("%s %s waited for most, %s of all waiting", name, are[several], share)
	}
	return fmt.Sprintf("%s %s last at %s of all collectives", name, [2]string{"arrives", "arrive"}[several], share)
}

// lateName names the late ones within a sentence, and says whether they are several, 1, or one, 0; "" of another rank in
// each step.
func lateName(l *cause.Late) (name string, several int) {
	switch l.Kind {
	case cause.LateRank:
		return fmt.Sprintf("rank %d", l.Ranks[0]), 0
	case cause.LateRanks:
		return "ranks " + sides.Ranges(l.Ranks), 1
	case cause.LateNode:
		return "the ranks of " + l.Host, 1
	}
	return "", 1
}

// are is the verb of one and of several.
var are = [2]string{"is", "are"}

// does says what late ranks do longer, in the singular and in the plural.
var does = map[run.Key][2]string{
	{Metric: run.ComputeTime}:                     {"computes", "compute"},
	{Metric: run.InputWaitTime}:                   {"waits for input", "wait for input"},
	{Metric: run.IdleTime, Part: "host"}:          {"does other host work", "do other host work"},
	{Metric: run.IdleTime, Part: "allocator"}:     {"allocates memory", "allocate memory"},
	{Metric: run.IdleTime, Part: "launching"}:     {"launches", "launch"},
	{Metric: run.IdleTime, Part: "synchronizing"}: {"synchronizes", "synchronize"},
	{Metric: run.IdleTime, Part: "unknown"}:       {"is idle for an unknown reason", "are idle for an unknown reason"},
	{Metric: run.ExposedMemoryTime}:               {"copies", "copy"},
}

// doing says what the late ones do longer.
func doing(l *cause.Late, sc number.Row) string {
	several := 0
	if l.Kind == cause.LateRanks || l.Kind == cause.LateNode {
		several = 1
	}
	var list []string
	for i, key := range l.LongerIn {
		list = append(list, does[key][several]+" "+sc.With(l.LongerBy[i]))
	}
	what := strings.Join(list, " and ")
	switch l.Kind {
	case cause.LateRank:
		return "it " + what + " per step longer than the median rank"
	case cause.LateRanks:
		return "they " + what + " per step longer than the median of the others"
	case cause.LateNode:
		return "they " + what + " per step longer than those of other nodes"
	}
	return "the last one " + what + " longer than the median rank in its step"
}

// lateAdvice says what to do about ranks that are late with something.
var lateAdvice = map[run.Key]string{
	{Metric: run.ComputeTime}:                 "Compare the devices: clock, temperature, power limit, and the kernels of one rank with another's.",
	{Metric: run.InputWaitTime}:               "Compare the input: files, storage, loader threads and the sizes of the batches.",
	{Metric: run.IdleTime, Part: "host"}:      "Compare the hosts: other processes, core binding, what the program does there alone (logging, checkpoints).",
	{Metric: run.IdleTime, Part: "allocator"}: "Compare the memory: what the allocator frees and allocates there, and which shapes differ.",
	{Metric: run.IdleTime, Part: "launching"}: "Compare the hosts: clocks, core binding and other processes; launching takes longer there.",
	{Metric: run.ExposedMemoryTime}:           "Look at what is copied there beside the work, and over which link.",
}

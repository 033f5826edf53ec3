package step

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// What repeats inside of one pass through a model, its layers, repeats as evenly as steps do. It is told by what
// occurs less often and holds all of it: a range, or a module of PyTorch, or a thing that a pass does once.

var (
	// loopName matches the names of ranges around a whole loop; they say nothing of a single iteration.
	loopName = regexp.MustCompile(`(?i)epoch|train|fit|loop|main|run|session|bench|profil|capture|program|steps|iterations|measure`)
	// stepName matches the names of ranges that are steps whatever is around them.
	stepName = regexp.MustCompile(`(?i)(?:^|[^a-z]|train|mini)(?:step|iter|iteration|batch)(?:$|[^a-z])`)
	// oncePerPass are operators that a model has at its ends and not in its layers.
	oncePerPass = regexp.MustCompile(`^aten::(?:embedding|cross_entropy_loss|nll_loss|nll_loss_nd)$`)
)

// moduleName begins the names that PyTorch gives to calls of modules.
const moduleName = "nn.Module: "

// mostHolding is how often a range may occur that holds all of something else, which then is a part of it. Chosen, not
// measured: of minRepeats ranges the range itself is a marker, and comes first.
const mostHolding = minRepeats - 1

// wholes is what may hold all of what repeats.
type wholes struct {
	ranges, modules []rangeFamily
	passes          []rangeFamily // operators of which a pass has one
}

// newWholes finds them in a trace.
func newWholes(t *trace.Trace) *wholes {
	w := &wholes{ranges: rangeFamilies(t, func(name string) bool { return !loopName.MatchString(name) }, nameWithoutHash)}
	w.ranges = slices.DeleteFunc(w.ranges, func(f rangeFamily) bool { return len(f.ranges) > mostHolding })
	ops := &trace.Trace{Names: t.Names, Ranges: t.Ops}
	w.modules = rangeFamilies(ops, func(name string) bool { return strings.HasPrefix(name, moduleName) }, nameWithoutHash)
	w.passes = rangeFamilies(ops, oncePerPass.MatchString, nameWithoutHash)
	return w
}

// holding names what the marks at these times on the host are only parts of; "" if there is nothing. A model of 20
// layers and three embeddings has fewer than half as many of what a pass does once as of its layers.
func (w *wholes) holding(times []int64) string {
	few := func(f rangeFamily) bool { return 2*len(f.ranges) <= len(times) }
	said := func(what string, f rangeFamily) string {
		if len(f.ranges) == 1 {
			return what + ", which occurs once"
		}
		return fmt.Sprintf("%s, which occurs %d times", what, len(f.ranges))
	}
	for _, f := range w.ranges {
		if few(f) && f.hold(times) {
			return said("range "+f.name, f)
		}
	}
	for _, f := range w.modules {
		if few(f) && f.hold(times) {
			return said("module "+strings.TrimPrefix(f.name, moduleName), f)
		}
	}
	for _, f := range w.passes {
		if few(f) {
			return said("a pass with operator "+f.name, f)
		}
	}
	return ""
}

// hold reports whether each of these times, which rise, lies in one of the ranges; one may not, as of a layer's kernel
// that the loss launches too.
func (f *rangeFamily) hold(times []int64) bool {
	at, outside := 0, 0
	for _, ts := range times {
		for at < len(f.ranges) && f.ranges[at].End < ts {
			at++
		}
		if at == len(f.ranges) || f.ranges[at].Start > ts {
			outside++
		}
	}
	return len(times) > 1 && outside <= 1
}

package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// halves says how a set is compared with itself.
var halves = map[diff.Halves]string{
	diff.Itself:    "against itself",
	diff.Reordered: "against a copy in another order",
	diff.OddEven:   "odd steps against even steps",
	diff.FirstLast: "first half against second half",
}

// SelfTest says which parts of a set were compared.
func SelfTest(t *diff.SelfTest) string { return halves[t.Of] }

// Check says what a comparison of runs like those that were checked would catch, and whether it finds nothing where
// nothing changed.
func Check(r *diff.CheckReport) (tag, headline, story string) {
	switch {
	case r.Why != nil:
		return "NOT CHECKED", Headline(r.Why), ""
	case !r.Judged:
		return "NOT CHECKED", "Nothing could be judged: there are no steps, or too few of them.", ""
	}
	tag, story = "CHECKED", number.Capital(number.Word(len(r.Tests)))+" comparisons of this data with itself show no change, as they should."
	caught := 0
	for i := range r.Injected {
		if r.Injected[i].Caught {
			caught++
		}
	}
	switch {
	case len(r.Injected) == 0:
		headline = "Nothing could be made slower in this data."
	case r.Injected[0].Detectable > 0:
		headline = "A comparison catches steps that take " + unsigned(r.Injected[0].Detectable) + " longer, four times in five."
	default:
		headline = fmt.Sprintf("Of %s that were put in, a comparison catches %d.", number.Counted(len(r.Injected), "change"), caught)
	}
	if !r.OK() {
		tag, headline, story = "FALSE ALARM", "Parts of this data differ from each other: what a comparison of such runs finds may be no change.", ""
	}
	for i := range r.Tests {
		if x := &r.Tests[i]; !x.OK {
			story += " " + number.Capital(SelfTest(x)) + ": " + Found(x) + "."
		}
	}
	return tag, headline, strings.TrimSpace(story)
}

// Found says what a self-test found although nothing changed; "" if it found nothing.
func Found(t *diff.SelfTest) string {
	c := t.Found
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s (%s)", c.Key.Metric, c.Verdict, changeOf(c, c.Estimate), intervalOf(c))
}

// SeenIn says where a change that was put into a set shows; "" if nowhere.
func SeenIn(x *diff.Injected) string {
	if x.ByKernels {
		return "the table of kernels"
	}
	return x.By
}

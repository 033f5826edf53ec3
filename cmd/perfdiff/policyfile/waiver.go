package policyfile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	measured "perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// Now is the day that waivers expire by; tests have days of their own.
var Now = time.Now

// soon is how long before its last day a waiver is warned of.
const soon = 14 * 24 * time.Hour

// takeWaivers takes the waivers that hold today. One that has expired is not applied and
// is warned of: it must not fail the pull requests of people who have nothing to do with
// it. With --strict it is an error.
func (s *Settings) takeWaivers(v value) {
	const example = "{metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2026-12-31}"
	for _, item := range v.list("a list of waivers, as in [" + example + "]") {
		item.keys("a waiver, as in "+example, "metric", "kind", "up_to", "reason", "owner", "expires")
		text := func(key string) string { return item.get(key).text("text") }
		w := policy.Waiver{Metric: text("metric"), Kind: policy.Kind(text("kind")), Reason: text("reason"),
			Owner: text("owner"), Expires: text("expires")}
		w.UpTo = item.get("up_to").amount("7%, or events in 100 steps of the tail")
		s.takeWaiver(item, w)
	}
}

func (s *Settings) takeWaiver(v value, w policy.Waiver) {
	size := v.get("up_to")
	day, key, err := checkWaiver(&w, size.node != nil)
	if err != nil {
		v.get(key).refuse(err)
		return
	}
	if w.Metric == measured.Tail && strings.HasSuffix(size.node.GetToken().Value, "%") {
		size.refuse(errors.New("the waiver of tail counts events in 100 steps: write a number, as in up_to: 2"))
	}
	of := v.get("metric")
	if w.Kind != "" {
		of = v.get("kind")
	}
	held := s.Policy.Waivers
	s.Policy.Waivers = []policy.Waiver{w}
	of.refuse(s.Check())
	s.Policy.Waivers = held
	if s.holds(&w, day, v.get("expires")) {
		s.Policy.Waivers = append(s.Policy.Waivers, w)
	}
	of.refuse(s.Check()) // waived twice
}

// holds reports whether a waiver holds today, and notes what is to be said of its last day.
func (s *Settings) holds(w *policy.Waiver, day time.Time, expires value) bool {
	if s.Unjudged {
		return false
	}
	left := day.AddDate(0, 0, 1).Sub(Now().UTC())
	ends := "ends after"
	if left <= 0 {
		ends = "expired on"
	}
	text := fmt.Sprintf("the waiver of %s %s %s (%s, %s): fix the regression, or ask for more time",
		w.Of(), ends, w.Expires, w.Reason, w.Owner)
	switch placed := expires.doc.wrong(expires.at, text).Error(); {
	case left <= 0 && s.Load.Strict:
		expires.refuse(errors.New(text))
	case left <= 0:
		s.Dated = append(s.Dated, placed+"; it is not applied")
	case left <= soon:
		s.Dated = append(s.Dated, placed)
	}
	return left > 0
}

// checkWaiver refuses a waiver that nobody answers for, and one without a size or a last day. key
// is what is wrong with it, "" what is missing.
func checkWaiver(w *policy.Waiver, sized bool) (day time.Time, key string, err error) {
	day, wrong := time.Parse("2006-01-02", w.Expires)
	switch {
	case w.Kind != "" && (w.Metric != "" || sized):
		key, err = "kind", fmt.Errorf("a waiver of a kind of findings, %q, has neither metric nor up_to: "+
			"it lets all of them through", w.Kind)
	case w.Kind != "" && (w.Reason == "" || w.Owner == "" || w.Expires == ""):
		err = fmt.Errorf("a waiver of %q needs kind, reason, owner and expires", w.Kind)
	case w.Kind != "":
	case !sized && w.Metric != "":
		err = fmt.Errorf("a waiver of %q needs up_to, the largest regression that it lets through, as in up_to: %s",
			w.Metric, example(w))
	case w.Metric == "" || w.Reason == "" || w.Owner == "" || w.Expires == "":
		err = fmt.Errorf("a waiver of %q needs metric, up_to, reason, owner and expires", w.Metric)
	case !(w.UpTo > 0):
		key, err = "up_to", fmt.Errorf("the waiver of %s is up to 0: write more, as in up_to: %s", w.Metric, example(w))
	case w.Metric != measured.Tail && w.UpTo >= 1:
		key, err = "up_to", fmt.Errorf("the waiver of %s is up to %g%%: it must be below 100%%, as in up_to: 7%%",
			w.Metric, 100*w.UpTo)
	}
	if err == nil && wrong != nil {
		key, err = "expires", fmt.Errorf("the waiver of %s expires on %q: write a day as in 2026-12-31", w.Of(), w.Expires)
	}
	return day, key, err
}

// example is a size that fits the metric.
func example(w *policy.Waiver) string {
	if w.Metric == measured.Tail { // events in 100 steps
		return "2"
	}
	return "7%"
}

func (s *Settings) waiverText() string {
	var lines []string
	for _, w := range s.Policy.Waivers {
		of := "kind: " + string(w.Kind)
		if w.Kind == "" {
			of = fmt.Sprintf("metric: %s, up_to: %s", w.Metric, upTo(w.Metric, w.UpTo))
		}
		lines = append(lines, fmt.Sprintf("{%s, reason: %q, owner: %q, expires: %q}", of, w.Reason, w.Owner, w.Expires))
	}
	return block("[]", "\n  - ", lines)
}

// upTo is the size of a waiver in a policy file.
func upTo(metric string, v float64) string {
	if metric == measured.Tail {
		return fmt.Sprint(math.Round(v*1e6) / 1e6)
	}
	return percent(v)
}

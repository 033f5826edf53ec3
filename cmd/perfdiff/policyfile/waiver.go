package policyfile

import (
	"cmp"
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

// adoptWaivers takes the waivers that hold today. One that has expired is not applied and
// is warned of: it must not fail the pull requests of people who have nothing to do with
// it. With --strict it is an error.
func (s *Settings) adoptWaivers(p *file, d *document) error {
	for i := range p.Waivers {
		w := &p.Waivers[i]
		day, key, err := w.check()
		if err != nil {
			return d.at(err, "waivers", i, key)
		}
		if w.Metric == measured.Tail && strings.HasSuffix(d.text("waivers", i, "up_to"), "%") {
			err := errors.New("the waiver of tail counts events in 100 steps: write a number, as in up_to: 2")
			return d.at(err, "waivers", i, "up_to")
		}
		held := s.Policy.Waivers
		s.Policy.Waivers = []policy.Waiver{w.policy()}
		key = "metric"
		if w.Kind != "" {
			key = "kind"
		}
		if err := d.at(s.Check(), "waivers", i, key); err != nil {
			return err
		}
		s.Policy.Waivers = held
		if hold, err := s.holds(w, day, d.placed("waivers", i, "expires")); err != nil {
			return err
		} else if hold {
			s.Policy.Waivers = append(s.Policy.Waivers, w.policy())
		}
		if err := d.at(s.Check(), "waivers", i, key); err != nil { // waived twice
			return err
		}
	}
	return nil
}

// holds reports whether a waiver holds today, and notes what is to be said of its last day.
func (s *Settings) holds(w *waiver, day time.Time, at func(error) error) (bool, error) {
	if s.Unjudged {
		return false, nil
	}
	left := day.AddDate(0, 0, 1).Sub(Now().UTC())
	said := fmt.Sprintf("%s (%s, %s): fix the regression, or ask for more time", w.Expires, w.Reason, w.Owner)
	if left > 0 {
		if left <= soon {
			s.Dated = append(s.Dated, at(fmt.Errorf("the waiver of %s ends after %s", w.of(), said)).Error())
		}
		return true, nil
	}
	err := at(fmt.Errorf("the waiver of %s expired on %s", w.of(), said))
	if s.Load.Strict {
		return false, err
	}
	s.Dated = append(s.Dated, err.Error()+"; it is not applied")
	return false, nil
}

// check refuses a waiver that nobody answers for, and one without a size or a last day. key
// is what is wrong with it, "" what is missing.
func (w *waiver) check() (day time.Time, key string, err error) {
	day, wrong := time.Parse("2006-01-02", w.Expires)
	switch {
	case w.Kind != "" && (w.Metric != "" || w.UpTo != nil):
		key, err = "kind", fmt.Errorf("a waiver of a kind of findings, %q, has neither metric nor up_to: it lets all of them through", w.Kind)
	case w.Kind != "" && (w.Reason == "" || w.Owner == "" || w.Expires == ""):
		err = fmt.Errorf("a waiver of %q needs kind, reason, owner and expires", w.Kind)
	case w.Kind != "":
	case w.UpTo == nil && w.Metric != "":
		err = fmt.Errorf("a waiver of %q needs up_to, the largest regression that it lets through, as in up_to: %s",
			w.Metric, w.example())
	case w.Metric == "" || w.Reason == "" || w.Owner == "" || w.Expires == "":
		err = fmt.Errorf("a waiver of %q needs metric, up_to, reason, owner and expires", w.Metric)
	case !(*w.UpTo > 0):
		key, err = "up_to", fmt.Errorf("the waiver of %s is up to 0: write more, as in up_to: %s", w.Metric, w.example())
	case w.Metric != measured.Tail && *w.UpTo >= 1:
		key, err = "up_to", fmt.Errorf("the waiver of %s is up to %g%%: it must be below 100%%, as in up_to: 7%%",
			w.Metric, 100**w.UpTo)
	}
	if err == nil && wrong != nil {
		key, err = "expires", fmt.Errorf("the waiver of %s expires on %q: write a day as in 2026-12-31", w.of(), w.Expires)
	}
	return day, key, err
}

// of is what it is of: a metric, or a kind of findings.
func (w *waiver) of() string { return cmp.Or(w.Metric, w.Kind) }

// example is a size that fits the metric.
func (w *waiver) example() string {
	if w.Metric == measured.Tail { // events in 100 steps
		return "2"
	}
	return "7%"
}

// policy is the waiver as the comparison takes it.
func (w *waiver) policy() policy.Waiver {
	out := policy.Waiver{Metric: w.Metric, Kind: policy.Kind(w.Kind), Reason: w.Reason, Owner: w.Owner, Expires: w.Expires}
	if w.UpTo != nil {
		out.UpTo = float64(*w.UpTo)
	}
	return out
}

// upTo is the size of a waiver in a policy file.
func upTo(metric string, v float64) string {
	if metric == measured.Tail {
		return fmt.Sprint(math.Round(v*1e6) / 1e6)
	}
	return percent(v)
}

package policyfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff/policy"
)

// What files and flags say in the same words is read here; errors name neither, which who
// asks puts in front.

// TakeStepRange takes the regular expression of ranges that mark steps; "" leaves what is
// there.
func (s *Settings) TakeStepRange(expr string) error { return s.takeMarker(&s.Load.Step.Range, expr) }

// TakeStepKernel takes that of kernels that do.
func (s *Settings) TakeStepKernel(expr string) error { return s.takeMarker(&s.Load.Step.Kernel, expr) }

func (s *Settings) takeMarker(to **regexp.Regexp, expr string) (err error) {
	if expr != "" {
		*to, err = regexp.Compile(expr)
		s.Load.MarkerOfProject = false
	}
	return err
}

// TakeStepColumns reads the columns of logs that hold step times, each as NAME or NAME:UNIT; none leaves what is there.
func (s *Settings) TakeStepColumns(names []string) error {
	if len(names) > 0 {
		s.Load.StepColumns, s.columns = nil, nil
	}
	for _, name := range names {
		column, err := analyze.ParseStepColumn(name)
		if err != nil {
			return err
		}
		s.Load.StepColumns, s.columns = append(s.Load.StepColumns, column), append(s.columns, name)
	}
	return nil
}

// maxRank bounds what "--ranks 0-9999999999" may ask for.
const maxRank = 1 << 24

// TakeRanks reads a list of ranks and stretches of ranks, as in 0-7,9; "" leaves what
// is there.
func (s *Settings) TakeRanks(list string) error {
	if list == "" {
		return nil
	}
	s.Ranks, s.Load.RanksOfProject = list, false
	type stretch struct{ lo, hi int }
	var want []stretch
	for part := range strings.SplitSeq(list, ",") {
		from, to, isStretch := strings.Cut(part, "-")
		if !isStretch {
			to = from
		}
		lo, err1 := strconv.Atoi(strings.TrimSpace(from))
		hi, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || lo < 0 || hi < lo || hi > maxRank {
			return fmt.Errorf("%q is neither a rank nor a stretch such as 0-7", part)
		}
		want = append(want, stretch{lo, hi})
	}
	s.Load.Ranks = func(rank int) bool {
		return slices.ContainsFunc(want, func(w stretch) bool { return rank >= w.lo && rank <= w.hi })
	}
	return nil
}

// TakeFailOn reads a list of outcomes, which fail beside those of the default; "" leaves
// what is there. A list that replaced it would let a regression pass where somebody
// meant to be stricter.
func (s *Settings) TakeFailOn(list string) error {
	if list == "" {
		return nil
	}
	s.Policy.FailOn = policy.DefaultPolicy().FailOn
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if err := policy.CheckOutcome(name); err != nil {
			return err
		}
		if !slices.Contains(s.Policy.FailOn, name) {
			s.Policy.FailOn = append(s.Policy.FailOn, name)
		}
	}
	return nil
}

// TakeAllow reads a list of what may be missing; "" leaves what is there.
func (s *Settings) TakeAllow(list string) error {
	if list == "" {
		return nil
	}
	s.Policy.Allow = nil
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(policy.Allowable(), name) {
			return fmt.Errorf("%q cannot be allowed: choose of %s", name, strings.Join(policy.Allowable(), ", "))
		}
		s.Policy.Allow = append(s.Policy.Allow, name)
	}
	return nil
}

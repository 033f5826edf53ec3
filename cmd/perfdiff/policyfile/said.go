package policyfile

import "fmt"

// Settle notes whose word the policy is, once file and flags are read: that of the file
// where it says anything else than the default, and that of flags, where one decides.
// changed tells whether a flag was given.
func (s *Settings) Settle(changed func(flag string) bool, decided bool) {
	s.Policy.From = nil
	if s.Departs() {
		s.Policy.Beside = s.reading(changed)
		s.Policy.From = []string{s.file}
	}
	if decided {
		s.Policy.From = append(s.Policy.From, "flags")
	}
}

// Departs reports whether a file was read that says anything else than the default.
func (s *Settings) Departs() bool { return s.file != "" }

// reading are what a file says of how profiles are read, a clause each, where no flag says
// otherwise.
func (s *Settings) reading(flag func(string) bool) []string {
	var out []string
	add := func(said bool, format string, text ...any) {
		if said {
			out = append(out, fmt.Sprintf(format, text...))
		}
	}
	step, marker := s.Load.Step, flag("step-range") || flag("step-kernel")
	add(step.Range != nil && !marker, "steps by range %q", clipped(step.Range))
	add(step.Kernel != nil && !marker, "steps by kernel %q", clipped(step.Kernel))
	add(step.SkipFirst >= 0 && !flag("skip-first"), "first %d steps left out", step.SkipFirst)
	add(len(s.columns) > 0 && !flag("step-column"), "step times of logs in %q", first(s.columns))
	add(s.Ranks != "" && !flag("ranks"), "ranks %s", clipped(s.Ranks))
	if n := len(s.Load.Families); n > 0 {
		f := s.Load.Families[0]
		add(true, "own kernel families: %s as %s%s", clipped(f.Name), clipped(f.Family), andMore(n))
	}
	add(len(s.Load.Communication) > 0, "own communication kernels: %s", first(s.Load.Communication))
	return out
}

// first is the first of what a file lists, and how many follow.
func first[T any](listed []T) string {
	if len(listed) == 0 {
		return ""
	}
	return clipped(listed[0]) + andMore(len(listed))
}

func andMore(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-1)
}

// clipped is the beginning of what a file says: its length must not hide what else it says.
func clipped(said any) string {
	const longest = 60
	text := fmt.Sprint(said)
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return text
}

package policyfile

import "fmt"

// Settle notes whose word the policy is, once file and flags are read: that of the file
// where it says anything else than the default, and that of flags, where one decides.
// changed tells whether a flag was given.
func (s *Settings) Settle(changed func(flag string) bool, decided bool) {
	s.Policy.From = nil
	if s.file != nil {
		s.Policy.Beside = s.file.reading(changed)
		s.Policy.From = []string{s.name}
	}
	if decided {
		s.Policy.From = append(s.Policy.From, "flags")
	}
}

// Departs reports whether a file was read that says anything else than the default.
func (s *Settings) Departs() bool { return s.file != nil }

// reading are what a file says of how profiles are read, a clause each, where no flag says
// otherwise.
func (p *file) reading(flag func(string) bool) []string {
	var out []string
	add := func(said bool, format string, args ...any) {
		if said {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	marker := flag("step-range") || flag("step-kernel")
	add(p.Steps.Range != "" && !marker, "steps by range %q", clipped(p.Steps.Range))
	add(p.Steps.Kernel != "" && !marker, "steps by kernel %q", clipped(p.Steps.Kernel))
	if n := p.Steps.SkipFirst; n != nil && !flag("skip-first") {
		add(true, "first %d steps left out", *n)
	}
	if n := len(p.Steps.Columns); n > 0 && !flag("step-column") {
		add(true, "step times of logs in %q", clipped(p.Steps.Columns[0])+andMore(n))
	}
	add(p.Ranks != "" && !flag("ranks"), "ranks %s", clipped(p.Ranks))
	if n := len(p.Families); n > 0 {
		add(true, "own kernel families: %s as %s", clipped(p.Families[0].Name), clipped(p.Families[0].Family)+andMore(n))
	}
	if n := len(p.Communication); n > 0 {
		add(true, "own communication kernels: %s", clipped(p.Communication[0])+andMore(n))
	}
	return out
}

func andMore(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-1)
}

// clipped is the beginning of what a file says: its length must not hide what else it says.
func clipped(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// departs reports whether a file says anything else than the default.
func (s *Settings) departs(p *file) bool {
	return len(s.Policy.Departures()) > 0 || len(p.reading(func(string) bool { return false })) > 0
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
)

// deciding are the flags that say what decides, as a policy file does.
var deciding = []string{"threshold", "gate", "alpha", "fail-on", "allow", "force", "warn-only", "escalate", "exit-zero"}

// settle notes whose word the policy is, once file and flags are read: that of the file
// where it says anything else than the default, and that of flags.
func (c *command) settle(f *pflag.FlagSet) {
	c.policy.From = nil
	if c.file != nil {
		c.policy.Beside = c.file.reading(f.Changed)
		c.policy.From = []string{c.fileName}
	}
	if slices.ContainsFunc(deciding, f.Changed) {
		c.policy.From = append(c.policy.From, "flags")
	}
	if c.exitZero {
		c.policy.Beside = append(c.policy.Beside, "exit status 0 whatever the verdict")
	}
}

// reading are what a file says of how profiles are read, a clause each, where no flag says
// otherwise.
func (p *policyFile) reading(flag func(string) bool) []string {
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
func (c *command) departs(p *policyFile) bool {
	return c.policy.Line() != "" || len(p.reading(func(string) bool { return false })) > 0
}

// sayPolicy prints the policy of a file where no summary shows it.
func (c *command) sayPolicy(stderr io.Writer) {
	if line, ok := strings.CutPrefix(c.policy.Line(), "policy: "); ok && c.file != nil {
		say(stderr, "policy", line)
	}
}

// readingLine is what the policy says of reading alone, for what judges nothing.
func (c *command) readingLine() string {
	p := diff.DefaultPolicy()
	p.From, p.Beside = c.policy.From, c.policy.Beside
	return p.Line()
}

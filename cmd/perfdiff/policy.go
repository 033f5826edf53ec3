package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
)

// deciding are the flags that say what decides, as a policy file does.
var deciding = []string{"threshold", "gate", "alpha", "fail-on", "allow", "force", "warn-only", "escalate", "exit-zero"}

// settle notes whose word the policy is, once file and flags are read.
func (c *command) settle(f *pflag.FlagSet) {
	c.Settle(f.Changed, slices.ContainsFunc(deciding, f.Changed))
	if c.exitZero {
		c.Policy.Beside = append(c.Policy.Beside, "exit status 0 whatever the verdict")
	}
}

// sayPolicy prints the policy of a file where no summary shows it.
func (c *command) sayPolicy(stderr io.Writer) {
	if line, ok := strings.CutPrefix(c.Policy.Line(), "policy: "); ok && c.Departs() {
		say(stderr, "policy", line)
	}
}

// readingLine is what the policy says of reading alone, for what judges nothing.
func (c *command) readingLine() string {
	p := diff.DefaultPolicy()
	p.From, p.Beside = c.Policy.From, c.Policy.Beside
	return p.Line()
}

// dates are the warnings of waivers that have expired, or soon will.
func (c *command) dates() (out []diff.Warning) {
	for _, text := range c.Dated {
		w := diff.Warning{Count: 1}
		w.Text = text
		out = append(out, w)
	}
	return out
}

// sayDated says the same where there is no report.
func (c *command) sayDated(stderr io.Writer) {
	for _, text := range c.Dated {
		say(stderr, "warning", text)
	}
}

// showPolicy prints the policy in effect as a commented file.
func showPolicy(_ context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	path := f.String("policy", "", "")
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printed(stdout, stderr, helpOf("policy"))
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("expected no arguments, got %d", f.NArg())
	case err == nil:
		if err = checkEmpty(f); err == nil {
			err = c.Read(*path)
		}
	}
	if err != nil {
		return fail(stderr, err, "perfdiff policy --help shows usage")
	}
	c.sayDated(stderr)
	return printed(stdout, stderr, c.Text())
}

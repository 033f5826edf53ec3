package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/render/words"
)

// decidingFlags are the flags that decide about the verdict, as a policy file does.
var decidingFlags = []string{"threshold", "gate", "alpha", "fail-on", "allow", "force", "warn-only", "escalate", "exit-zero"}

// notePolicySource notes whether the file or flags made the policy, once both are read.
func (c *command) notePolicySource(f *pflag.FlagSet) {
	c.Settle(f.Changed, slices.ContainsFunc(decidingFlags, f.Changed))
	if c.exitZero {
		c.Policy.Beside = append(c.Policy.Beside, "exit status 0 whatever the verdict")
	}
}

// printPolicyLine prints how a file's policy differs from the default, where no summary shows
// it.
func (c *command) printPolicyLine(stderr io.Writer) {
	if line, ok := strings.CutPrefix(words.PolicyLine(&c.Policy), "policy: "); ok && c.Departs() {
		printMessage(stderr, "policy", line)
	}
}

// readingPolicyLine is what the policy says of reading alone, for commands that do not judge.
func (c *command) readingPolicyLine() string {
	p := policy.DefaultPolicy()
	p.From, p.Beside = c.Policy.From, c.Policy.Beside
	return words.PolicyLine(&p)
}

// waiverWarnings are the warnings about waivers that have expired or soon will.
func (c *command) waiverWarnings() (out []diff.Warning) {
	for _, text := range c.Dated {
		w := diff.Warning{Count: 1}
		w.Text = text
		out = append(out, w)
	}
	return out
}

// printWaiverWarnings prints them where there is no report.
func (c *command) printWaiverWarnings(stderr io.Writer) {
	for _, text := range c.Dated {
		printMessage(stderr, "warning", text)
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
		return printText(stdout, stderr, helpOf("policy"))
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("expected no arguments, got %d", f.NArg())
	case err == nil:
		if err = checkEmpty(f); err == nil {
			err = c.Read(*path)
		}
	}
	if err != nil {
		return printError(stderr, err, "perfdiff policy --help shows usage")
	}
	c.printWaiverWarnings(stderr)
	return printText(stdout, stderr, c.Text())
}

package main

import (
	"context"
	"io"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/render/words"
)

// takeRules reads the policy file and notes whether it or flags made the policy.
func (c *command) takeRules() error {
	if err := c.Read(c.line.text("policy")); err != nil {
		return err
	}
	c.Settle(c.line.given, len(c.line.with(ofVerdict)) > 0)
	return nil
}

// printPolicyLine prints how a file's policy differs from the default, where no summary shows
// it.
func (c *command) printPolicyLine(stderr io.Writer) {
	if line, ok := strings.CutPrefix(words.PolicyLine(&c.Policy), "policy: "); ok && c.Departs() {
		printMessage(stderr, "policy", line)
	}
}

// readingPolicyLine says what the policy changes about reading, for commands that do not judge.
func (c *command) readingPolicyLine() string {
	p := policy.DefaultPolicy()
	p.From, p.Beside = c.Policy.From, c.Policy.Beside
	return words.PolicyLine(&p)
}

// waiverWarnings returns the warnings about waivers that have expired or soon will.
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
	c, status := begin("policy", args, stdout, stderr, func(c *command) error { return c.Read(c.line.text("policy")) })
	if c == nil {
		return status
	}
	c.printWaiverWarnings(stderr)
	return printText(stdout, stderr, c.Text())
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/render/words"
)

// takeRules reads the policy file and notes whether it or flags made the policy. A gate takes none of the working
// directory, which may be the checkout of a pull request.
func (c *command) takeRules() error {
	path, err := c.line.text("policy"), error(nil)
	switch gates := c.line.command == "gate"; {
	case gates && c.line.text("policy-ref") != "":
		err = readPolicyAt(c, c.line.text("policy-ref"), cmp.Or(path, policyfile.Name), path != "")
	case !gates || path != "":
		err = c.Read(path)
	}
	if err != nil {
		return err
	}
	c.Settle(c.line.given, len(c.line.with(ofVerdict)) > 0)
	return nil
}

// readPolicyAt takes the policy that stands at a path in a commit. One that was not named may be missing there.
func readPolicyAt(c *command, ref, path string, named bool) error {
	at := ref + ":./" + filepath.ToSlash(path)
	switch {
	case strings.HasPrefix(ref, "-") || askGit(".", "rev-parse", "--verify", "--quiet", ref+"^{commit}") == nil:
		return fmt.Errorf("--policy-ref %s: git knows no such commit here (fetch it first: git fetch origin main)", ref)
	case len(askGit(".", "rev-parse", "--verify", "--quiet", at)) > 0:
		return c.ReadText(path, askGit(".", "show", at))
	case named:
		return fmt.Errorf("--policy %s: %s has no such file", path, ref)
	}
	return nil
}

// unreadPolicy says that the policy of the working directory does not count; "" if there is none, or one was named.
func unreadPolicy(l *line) string {
	if _, err := os.Stat(policyfile.Name); err != nil || l.text("policy") != "" || l.text("policy-ref") != "" {
		return ""
	}
	return "is not read, since whoever is gated may have changed it " +
		"(--policy-ref origin/main takes main's; --policy " + policyfile.Name + " this one)"
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

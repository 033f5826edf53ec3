package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// foreign are forms that read as translated, or that name a number and leave the reader to work
// out what it is of, with what stands in their place.
var foreign = []struct{ form, better string }{
	{`\ba side\b`, "per side, of one side"},
	{`\b([num\x{b5}]?s|[KMGT]?B|runs?|ranks?|steps|[Cc]alls|times|once|twice|[Tt]ime|longer|less) a (step|second|call|rank|node)\b`, "per step"},
	{`\bin the mean\b`, "on average"},
	{`\bin place of\b`, "instead of"},
	{`\b(calls|each), in the baseline \d`, "in 12 calls instead of 1"},
	{`\bstayed at \d`, "takes as long as before (9.02 ms)"},
	{`as with another clock`, "as a different GPU clock would cause"},
	{`what the dashes need`, "metrics that were not recorded: see [1]"},
	{`\bpts\b`, "points"},
	{`Cannot tell yet: a (rise|fall)`, "Probably slower, with the estimate and both bounds"},
	{`PASSED\s+No change seen`, "PASSED  No slowdown seen, with what would have been shown"},
	{`got 1 arguments`, "how many are needed"},
}

// TestLanguage: what the terminal and a comment on a pull request say has none of these forms,
// in any story.
func TestLanguage(t *testing.T) {
	for _, pattern := range []string{"*/summary.txt", "*/report.md"} {
		names, err := filepath.Glob(filepath.Join(goldenDir, pattern))
		if err != nil || len(names) < 40 {
			t.Fatalf("%s: got %d texts, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range foreignIn(string(text)) {
				t.Errorf("%s says %s", name, said)
			}
		}
	}
}

// foreignIn are the forms that a text has, each with what is better. Where lines are broken does
// not matter.
func foreignIn(text string) []string {
	var out []string
	text = strings.Join(strings.Fields(text), " ")
	for _, f := range foreign {
		if s := regexp.MustCompile(f.form).FindString(text); s != "" {
			out = append(out, s+": better "+f.better)
		}
	}
	return out
}

// TestForeignIn: each form is found in a text that has it, over a line break too, and plain
// sentences have none.
func TestForeignIn(t *testing.T) {
	for _, text := range []string{
		"1 run of 4 ranks × 18 steps a\n  side", "rose from 19.3 to 9.61 ms a\n   step: ranks", "5.00 ms per step in the\nmean",
		"2 in place of 3", "in 12 calls, in the baseline 1", "the transfer itself stayed at 9.02 ms", "less, as with another clock",
		"what the dashes need: [1]", "\u221291.6 pts: Steps", "Cannot tell yet: a rise above 7.6 % is excluded.",
		"PASSED  No change seen: a rise", "expected two, got 1 arguments",
	} {
		if got := foreignIn(text); len(got) != 1 {
			t.Errorf("%q: got %q, want one form", text, got)
		}
	}
	for _, text := range []string{"9.61 ms per step", "each side of a step", "what a step is", "calls of a rank", "2.0 points"} {
		if got := foreignIn(text); got != nil {
			t.Errorf("%q: got %q, want none", text, got)
		}
	}
}

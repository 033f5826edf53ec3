package main

import (
	"os"
	"strings"
	"testing"
)

// TestWords: what is not decided has one word, in every output, by which way it points; the
// exit status is that of no verdict, and only what points to the worse warns in a build.
func TestWords(t *testing.T) {
	slower := func(us int64) func(int, int) madeStep {
		return func(r, i int) madeStep { s := usual(r, i+3); s.compute += us; return s }
	}
	base := made{4, 40, usual}.write(t, t.TempDir()+"/baseline")
	for _, tt := range []struct {
		name             string
		by               int64
		tag, page, says  string
		annotation, word string
	}{
		{"no change", 0, "PASSED  No slowdown seen: 23.1 and 23.1 ms per step.", "Passed", "runs differ by 3 % (assumed: no host is recorded)", "notice", "passed"},
		{"slower", 2_400, "LOOKS SLOWER  Steps took 2.4 ms longer (+10 %), but runs of this job may differ that much by themselves.", "Slower, not yet beyond chance",
			"Run again: two more runs per side should decide, if runs differ by 3 %.", "warning", "slower, not yet beyond chance"},
		{"faster", -2_200, "LOOKS FASTER  Steps took 2.2 ms less (−9.5 %), but runs of this job may differ that much by themselves.", "Faster, not yet beyond chance",
			"not certain: anything from ", "notice", "faster, not yet beyond chance"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			cand := made{4, 40, slower(tt.by)}.write(t, dir+"/candidate")
			text, comment, doc := summaryOf(t, base, cand)
			if doc.Verdict.Word != tt.word || doc.Verdict.Verdict != "inconclusive" {
				t.Errorf("JSON: got %q of %s, want %q", doc.Verdict.Word, doc.Verdict.Verdict, tt.word)
			}
			if !strings.HasPrefix(flat(text), flat(tt.tag)) || !strings.Contains(flat(text), tt.says) {
				t.Errorf("summary: got %.300s, want %q and %q", text, tt.tag, tt.says)
			}
			tag, rest, _ := strings.Cut(tt.tag, "  ")
			if !strings.HasPrefix(comment, "### "+tag+": "+rest) || !strings.Contains(comment, tt.says) {
				t.Errorf("comment: got %.300s", comment)
			}
			page := dir + "/r.html"
			t.Setenv("GITHUB_ACTIONS", "true")
			out, _ := mustRun(t, statusOK, base, cand, "-o", page)
			title := strings.ReplaceAll(tt.word, ",", "%2C")
			if want := "::" + tt.annotation + " title=perfdiff%3A " + title; !strings.Contains(out, want) {
				t.Errorf("annotations: got %s, want %q", out, want)
			}
			html, err := os.ReadFile(page)
			if err != nil || !strings.Contains(string(html), tt.page) {
				t.Errorf("page: does not say %q (%v)", tt.page, err)
			}
		})
	}
}

// TestReasonBesideRow: why a row is inconclusive is said in every output, by a note of its
// own or by one for all rows that are just within the noise.
func TestReasonBesideRow(t *testing.T) {
	more := func(r, i int) madeStep { s := usual(r, i+3); s.compute += 2_300; return s }
	base, cand := made{4, 40, usual}.write(t, t.TempDir()+"/baseline"), made{4, 40, more}.write(t, t.TempDir()+"/candidate")
	text, comment, doc := summaryOf(t, base, cand, "--table")
	noted := false
	for _, m := range doc.Metrics {
		noted = noted || m.Metric == "step_time" && len(m.Notes) > 0 && strings.HasPrefix(m.Notes[0], "Slower, not yet beyond chance: the interval holds zero; ")
	}
	if !noted {
		t.Errorf("JSON: the step time has no note: %+v", metricsOf(doc)["step_time"])
	}
	for what, in := range map[string]string{"summary": flat(text), "comment": comment} {
		for _, want := range []string{"Slower, not yet beyond chance: the interval holds zero; 3 runs per side should decide.", "~: "} {
			if !strings.Contains(in, want) {
				t.Errorf("%s: does not say %q:\n%s", what, want, in)
			}
		}
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// answer is what perfdiff said of a pair.
type answer struct {
	status   int
	headline string    // or the first line of the error
	verdict  string    // "" with an error
	findings []finding // in order
	said     string    // every sentence of the report, with spaces as such
	broken   []broken  // laws that the report breaks
	stderr   string
}

// finding is one of a report.
type finding struct{ Kind, Metric, Class, Text string }

// compareForAnswer compares two run sets with the whole program.
func compareForAnswer(t testing.TB, args ...string) answer {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := answer{status: run(context.Background(), append(args, "-q", "-o", "-", "--format", "json"), &stdout, &stderr)}
	a.stderr = stderr.String()
	if a.status == statusError {
		a.headline, _, _ = strings.Cut(a.stderr, "\n")
		return a
	}
	var doc struct {
		Verdict  struct{ Verdict, Headline string }
		Findings []finding
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("perfdiff %s: exit %d: %v", strings.Join(args, " "), a.status, err)
	}
	a.verdict, a.headline, a.findings = doc.Verdict.Verdict, doc.Verdict.Headline, doc.Findings
	a.said, a.broken = sentencesOf(t, stdout.Bytes()), brokenLaws(t, stdout.Bytes(), a.status)
	return a
}

// changes are the findings that say that something got better or worse.
func (a answer) changes() (out []finding) {
	for _, f := range a.findings {
		if f.Class == "better" || f.Class == "worse" {
			out = append(out, f)
		}
	}
	return out
}

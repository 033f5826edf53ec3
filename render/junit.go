package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// JUnit XML as build servers read it: one case for each main metric, a failure
// for a gating one that regressed where that fails the gate, an error where nothing
// could be judged.

type testSuites struct {
	XMLName  xml.Name    `xml:"testsuites"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Suites   []testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	// Properties hold the policy where it is not the default: before any result.
	Properties *properties `xml:"properties"`
	Cases      []testCase  `xml:"testcase"`
	Out        string      `xml:"system-out"`
}

type properties struct {
	List []setting `xml:"property"`
}

type setting struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Failure *result `xml:"failure"`
	Error   *result `xml:"error"`
	Skipped *result `xml:"skipped"`
	Out     string  `xml:"system-out,omitempty"`
}

type result struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, r *diff.Report, _ Options) error {
	return writeSuites(w, []testSuite{suiteOf(r, "perfdiff")})
}

// suiteOf returns the suite of a report.
func suiteOf(r *diff.Report, name string) testSuite {
	a := words.AnswerOf(r)
	headline, text := cleanText(a.Headline), cleanText(a.Text())
	suite := testSuite{Name: name, Out: headline + "\n" + text}
	for _, l := range words.Store(r.StoreFindings) {
		suite.Out += "\n" + cleanText(l[0]+": "+l[1])
	}
	if p := words.PolicyLine(&r.Policy); p != "" {
		suite.Properties = &properties{[]setting{{"policy", cleanLine(spaces.Replace(strings.TrimPrefix(p, "policy: ")))}}}
	}
	judgedAs := testCase{Class: "perfdiff", Name: "verdict", Out: text}
	failed := r.Gate.State == diff.GateFailed
	switch causes := strings.Join(words.GateCauses(&r.Gate), " "); {
	case r.Gate.State == diff.GateNotJudged:
		judgedAs.Error = &result{headline, text}
		suite.Errors++
	case failed:
		judgedAs.Failure = &result{cleanText(causes), text}
		suite.Failures++
	case causes != "":
		judgedAs.Skipped = &result{Message: cleanText(words.GateLine(r))}
		suite.Skipped++
	}
	suite.Cases = append(suite.Cases, judgedAs)
	for i := range r.Metrics {
		c := &r.Metrics[i]
		row := words.RowOf(c)
		text := fmt.Sprintf("%s (%s)", spaces.Replace(row.Change), spaces.Replace(row.Interval))
		one := testCase{Class: "perfdiff.metric", Name: cleanText(c.Key.Metric), Out: cleanText(spaces.Replace(words.Why(c)))}
		switch {
		case failed && c.Gating && c.Verdict == verdict.Regressed && r.Policy.FailsOn(policy.Regressed):
			one.Failure = &result{cleanText(c.Key.Metric + " regressed: " + text), cleanText(spaces.Replace(words.Why(c)))}
			suite.Failures++
		case c.Outcome() == verdict.OutcomeNotJudged:
			one.Skipped = &result{Message: cleanText(spaces.Replace(words.Why(c)))}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, one)
	}
	suite.Tests = len(suite.Cases)
	return suite
}

func writeSuites(w io.Writer, suites []testSuite) error {
	all := testSuites{Suites: suites}
	for _, s := range suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

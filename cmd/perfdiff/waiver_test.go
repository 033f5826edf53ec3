package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
)

// TestWaiverDates: a waiver is warned of in the two weeks before its last day, and behind it
// is not applied and warned of, wherever a policy is read. The day alone changes no exit status, but
// with --strict.
func TestWaiverDates(t *testing.T) {
	worse, same := sides(writeStory(t, "lost-overlap", synth.Nsight)), sides(writeStory(t, "aa", synth.Nsight))
	t.Chdir(t.TempDir())
	defer func() { policyfile.Now = time.Now }()
	writeFile(t, policyfile.Name, "gating: [step_time]\nwaivers:\n  - metric: step_time\n    up_to: 60%\n    reason: upgrade\n    owner: me\n    expires: 2026-06-15\n")
	const place = "perfdiff: warning: perfdiff.yaml:7:14: the waiver of step_time "
	for _, tt := range []struct {
		day           string
		worse, strict int
		warning       string
	}{
		{"2026-05-31T23:00:00Z", 0, 0, ""},
		{"2026-06-02T00:00:00Z", 0, 0, place + "ends after 2026-06-15 (upgrade, me): fix the regression, or ask for more time"},
		{"2026-06-15T23:59:59Z", 0, 0, place + "ends after 2026-06-15"},
		{"2026-06-16T00:00:00Z", 1, 2, place + "expired on 2026-06-15 (upgrade, me): fix the regression, or ask for more time; it is not applied"},
	} {
		day, err := time.Parse(time.RFC3339, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		policyfile.Now = func() time.Time { return day }
		for _, x := range []struct {
			args []string
			exit int
		}{{append(worse, "-q"), tt.worse}, {append(same, "-q"), 0}, {[]string{"policy"}, 0}, {[]string{"check", same[0]}, 0}} {
			out, stderr := mustRun(t, x.exit, x.args...)
			if said := strings.Contains(stderr, "the waiver of step_time"); said != (tt.warning != "") || !strings.Contains(stderr, tt.warning) {
				t.Errorf("%s, %v: got %s want %q", tt.day, x.args, stderr, tt.warning)
			}
			if x.args[0] == "policy" && strings.Contains(out, "up_to: 60%") != (tt.worse == 0) {
				t.Errorf("%s: the policy in effect is %s", tt.day, out)
			}
		}
		if _, stderr := mustRun(t, tt.strict, append(same, "-q", "--strict")...); tt.strict == statusError && !strings.HasPrefix(stderr, "perfdiff: error: perfdiff.yaml:7:14: the waiver of step_time expired on 2026-06-15") {
			t.Errorf("strict: got %s", stderr)
		}
		// What judges nothing says nothing of waivers.
		if _, stderr := mustRun(t, statusOK, "summarize", same[0], "-q", "-o", "x.perfdiff", "--policy", policyfile.Name); stderr != "" {
			t.Errorf("summarize: got %s", stderr)
		}
	}
}

// lineOfPicture is where a text of a picture goes on in its next line.
var lineOfPicture = regexp.MustCompile(`</text><text [^>]*>`)

// TestWaiverIsSaid: what a waiver lets through, and by how much a regression is above it,
// stands in every output that says what became of a metric.
func TestWaiverIsSaid(t *testing.T) {
	worse := sides(writeStory(t, "lost-overlap", synth.Nsight))
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		size string
		exit int
		want string
	}{{"60%", 0, "Let through: upgrade (me, up to 60 %, until 2999-01-01)"}, {"7%", 1, "points above the 7 % that its waiver lets through"}} {
		writeFile(t, policyfile.Name, "gating: [step_time]\nwaivers: [{metric: step_time, up_to: "+tt.size+", reason: upgrade, owner: me, expires: 2999-01-01}]\n")
		out := written(t, tt.exit, worse...)
		for _, name := range policyOutputs {
			if name == "write-up.md" || name == "schema.json" {
				continue
			}
			if text := strings.Join(strings.Fields(plainSpaces(strings.ReplaceAll(lineOfPicture.ReplaceAllString(out[name], " "), "%25", "%"))), " "); !strings.Contains(text, tt.want) {
				t.Errorf("%s, up to %s: %q is not in %.400s", name, tt.size, tt.want, text)
			}
		}
		if _, stderr := mustRun(t, tt.exit, append(worse, "-q")...); tt.exit == 1 && !strings.Contains(plainSpaces(stderr), tt.want) {
			t.Errorf("quiet: got %s", stderr)
		}
	}
}

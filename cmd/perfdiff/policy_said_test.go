package main

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff/policy"
)

// written runs perfdiff as a build server does and returns everything that it writes, by
// name: the files, what it prints, and the job's summary.
func written(t *testing.T, want int, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "job.md"))
	defer t.Setenv("GITHUB_ACTIONS", "")
	defer t.Setenv("GITHUB_STEP_SUMMARY", "")
	for _, name := range []string{"report.html", "report.json", "report.md", "report.txt", "report.xml"} {
		args = append(args, "-o", filepath.Join(dir, name))
	}
	out := map[string]string{}
	args = append(args, "-o", filepath.Join(dir, "picture.svg"), "--brief", filepath.Join(dir, "brief.json"), "--csv", filepath.Join(dir, "tables"))
	out["stdout"], out["stderr"] = mustRun(t, want, append(args, "--write-up", filepath.Join(dir, "write-up"))...)
	files, _ := filepath.Glob(filepath.Join(dir, "*.*"))
	more, _ := filepath.Glob(filepath.Join(dir, "write-up", "*"))
	for _, path := range append(append(files, more...), filepath.Join(dir, "tables", "schema.json")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = string(text)
	}
	return out
}

// firstLines is what of an output stands before its first finding, table or test case.
func firstLines(t *testing.T, name, text string) string {
	t.Helper()
	switch name {
	case "report.json":
		var doc Document
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Policy.Line
	case "brief.json", "schema.json":
		var doc struct {
			Policy string `json:"policy"`
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Policy
	case "picture.svg":
		lines := regexp.MustCompile(`<text[^>]*>([^<]*)`).FindAllStringSubmatch(text, -1)
		text = ""
		for _, m := range lines {
			text += " " + html.UnescapeString(m[1])
		}
		return text
	case "report.xml":
		if err := xml.Unmarshal([]byte(text), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, _, _ = strings.Cut(text, "<testcase")
		return html.UnescapeString(strings.ReplaceAll(text, `name="policy" value="`, "policy: "))
	case "report.html":
		_, text, _ = strings.Cut(text, `<main id="main">`)
		text, _, _ = strings.Cut(text, "</p></div>\n") // the first screen
		return html.UnescapeString(text)
	case "report.md", "job.md", "write-up.md":
		text, _, _ = strings.Cut(text, "**What changed**")
		text, _, _ = strings.Cut(text, "\n## ")
		return strings.NewReplacer(`\_`, "_").Replace(text)
	}
	text, _, _ = strings.Cut(text, "What changed")
	return strings.Join(strings.Fields(text), " ")
}

// policyOutputs are the outputs that show the policy.
var policyOutputs = []string{"stdout", "report.txt", "report.md", "job.md", "report.html", "report.json", "report.xml", "write-up.md", "picture.svg", "brief.json", "schema.json"}

// TestPolicyIsSaid: whatever is not the default stands in the first lines of every output,
// and what is the default is not mentioned.
func TestPolicyIsSaid(t *testing.T) {
	dir := writeStory(t, "lost-overlap", synth.Nsight)
	worse := sides(dir)
	t.Chdir(t.TempDir())
	policyfile.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	defer func() { policyfile.Now = time.Now }()
	printed, _ := mustRun(t, statusOK, "policy")
	for _, tt := range []struct {
		name, file, flags string
		exit              int
		want              string // "" nothing
	}{
		{"none", "", "", 1, ""}, {"as printed", printed, "", 1, ""}, {"the default", "threshold: 2%\ngating: [step_time, exposed_comm_time, input_wait_time, overlap, idle_time, drift, tail, imbalance]\n", "", 1, ""},
		{"tolerance", "threshold: 40%\ngating: [step_time]\n", "", 0, "policy: perfdiff.yaml (gating step_time, step_time tolerance 40 %)"},
		{"no step time", "gating: [imbalance]\nwithout_step_time: true\n", "", 0, "policy: perfdiff.yaml (step_time does not gate, gating imbalance)"},
		{"waived", "waivers: [{metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2999-01-01}]\n", "--warn-only", 0, "policy: perfdiff.yaml and flags (step_time waived up to 7 % until 2999-01-01: me, upgrade, what fails only warns)"},
		{"level and rules", "metrics: {step_time: {level: warn, threshold: 30%}, overlap: {threshold: 9%}, tail: {threshold: 3}}\nthreshold: 3%\n", "--warn-only", 0,
			"(tolerance 3 %, step_time tolerance 30 %, step_time only warns, overlap tolerance 9 %, tail tolerance 3 in 100 steps, what fails only warns)"},
		{"outcomes", "fail_on: [missing-rank]\n", "--warn-only", 0, "policy: perfdiff.yaml and flags ("},
		{"flags alone", "", "--alpha 0.01 --gate step_time --warn-only --threshold 2%", 0, "policy: flags (gating step_time, what fails only warns, alpha 0.01)"},
		{"reading", "steps: {range: '^step (\\d+)$', skip_first: 2}\nranks: 0-3\nnoise_floor: 3%\nignore_kernels: [a.*b, c]\n", "", 1,
			`policy: perfdiff.yaml (noise floor 3 %, kernels left out: a.*b and 1 more, steps by range "^step (\\d+)$", first 2 steps left out, ranks 0-3)`},
	} {
		if err := os.Remove(policyfile.Name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if tt.file != "" {
			writeFile(t, policyfile.Name, tt.file)
		}
		out := written(t, tt.exit, append(worse, split(tt.flags)...)...)
		for _, name := range policyOutputs {
			got := plainSpaces(firstLines(t, name, out[name]))
			if name == "report.md" || name == "job.md" || name == "write-up.md" {
				got = strings.NewReplacer(`\*`, "*", `\\`, `\`, `<span>$</span>`, "$", "\\[", "[").Replace(got)
			}
			if strings.Contains(got, "policy:") != (tt.want != "") || !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s: got %q want %q", tt.name, name, got, tt.want)
			}
		}
		said := strings.Contains(out["stdout"], "::notice title=perfdiff::policy: ")
		if said != (tt.want != "") {
			t.Errorf("%s: annotated: %v: %s", tt.name, said, out["stdout"])
		}
	}
	// Where no summary is printed, a file speaks on standard error; flags were typed.
	_, stderr := mustRun(t, statusRegressed, append(worse, "-q")...)
	if !strings.Contains(plainSpaces(stderr), "perfdiff: policy: perfdiff.yaml (noise floor 3 %") {
		t.Errorf("quiet: got %s", stderr)
	}
	for _, args := range [][]string{{"check", worse[0]}, {"summarize", worse[0], "-o", "x.perfdiff"}} {
		if out, _ := runAny(t, args...); !strings.Contains("\n"+out, "\npolicy: perfdiff.yaml (") {
			t.Errorf("%s: got %s", args[0], out)
		}
	}
}

// runAny is what a command prints, whatever its exit status.
func runAny(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	if status := run(t.Context(), args, &out, &errs); status == statusError {
		t.Fatalf("%s: %s", args, errs.String())
	}
	return out.String(), errs.String()
}

// TestFlagBounds: flags are held to the same limits as a file.
func TestFlagBounds(t *testing.T) {
	for _, alpha := range []string{"1e-300", "0.0009", "0.21", "0", "NaN", "-1"} {
		if _, stderr := mustRun(t, statusError, "a", "b", "--alpha", alpha); !strings.Contains(stderr, "--alpha: alpha is") || !strings.Contains(stderr, "between 0.001 and 0.2") {
			t.Errorf("--alpha %s: got %s", alpha, stderr)
		}
	}
	p := policy.DefaultPolicy()
	for _, alpha := range []float64{.001, .2} {
		if p.Alpha = alpha; p.Check(analyze.Metrics()) != nil {
			t.Errorf("alpha %g: %v", alpha, p.Check(analyze.Metrics()))
		}
	}
}

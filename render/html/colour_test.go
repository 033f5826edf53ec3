package html

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

var (
	colouredCell = regexp.MustCompile(`<t[dh][^>]* class="(?:[^"]* )?(better|worse)(?: [^"]*)?"[^>]*>`)
	cellOf       = regexp.MustCompile(` data-of="([^"]*)"`)
)

// colours are what the tables and the waterfall of a page colour: by what has the colour.
func colours(t *testing.T, page string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range colouredCell.FindAllStringSubmatch(markup(page), -1) {
		of := cellOf.FindStringSubmatch(m[0])
		if of == nil {
			t.Errorf("a colour of nothing: %s", m[0])
			continue
		}
		name := html.UnescapeString(of[1])
		if was := out[name]; was != "" && was != m[1] {
			t.Errorf("%s: got the colours %s and %s", name, was, m[1])
		}
		out[name] = m[1]
	}
	return out
}

// judge gives all comparisons of a report one verdict.
func judge(r *diff.Report, v verdict.Verdict) *diff.Report {
	r.Verdict = v
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			list[i].Verdict = v
		}
	}
	return r
}

// TestColourIsTheVerdict: the same large changes have the colour of their verdict, and none
// where the verdict says neither, however large they are.
func TestColourIsTheVerdict(t *testing.T) {
	for _, tt := range []struct {
		verdict verdict.Verdict
		want    string
	}{{verdict.Improved, "better"}, {verdict.Regressed, "worse"}, {verdict.Unchanged, ""}, {verdict.Inconclusive, ""}} {
		page := written(t, judge(jobReport(4, 12), tt.verdict))
		got := colours(t, page)
		if tt.want == "" && len(got) > 0 {
			t.Errorf("%v: coloured are %v", tt.verdict, got)
		}
		for name, class := range got {
			if class != tt.want {
				t.Errorf("%v: %s is %s, want %q", tt.verdict, name, class, tt.want)
			}
		}
		for _, name := range []string{"step_time", "idle_time", "comm_time/AllReduce", "gap_p99"} {
			if got[name] != tt.want {
				t.Errorf("%v: %s is %q, want %q", tt.verdict, name, got[name], tt.want)
			}
		}
		var d pageData
		if err := json.Unmarshal([]byte(dataBlock(t, page)), &d); err != nil {
			t.Fatal(err)
		}
		if d.First.Verdict != tt.verdict.String() {
			t.Errorf("the first picture has the colour of %q, want that of %v", d.First.Verdict, tt.verdict)
		}
		if block := dataBlock(t, page); strings.Contains(block, "$better") || strings.Contains(block, "$worse") {
			t.Errorf("%v: a chart has a colour that only a verdict has", tt.verdict)
		}
	}
}

// TestColourOfKernels: a kernel has a colour where its change is beyond noise, and the one
// of its direction.
func TestColourOfKernels(t *testing.T) {
	r := judge(jobReport(4, 12), verdict.Inconclusive)
	r.Kernels[0].BeyondNoise, r.Kernels[0].Change = true, 0.2
	r.Kernels[1].BeyondNoise, r.Kernels[1].Change = true, -0.2
	r.Kernels[2].BeyondNoise, r.Kernels[2].Change, r.Kernels[2].Delta = false, 0.2, 0.1
	got := colours(t, written(t, r))
	if len(got) != 2 || got["kernel "+r.Kernels[0].Name] != "worse" || got["kernel "+r.Kernels[1].Name] != "better" {
		t.Errorf("coloured are %v", got)
	}
	r.Judged = false
	if got := colours(t, written(t, r)); len(got) > 0 {
		t.Errorf("nothing is judged, and coloured are %v", got)
	}
}

// TestColourOfAnotherNumber: a mean that went the other way than the medians that were
// judged has no colour.
func TestColourOfAnotherNumber(t *testing.T) {
	c := &verdict.Comparison{Verdict: verdict.Improved, Estimate: -0.1}
	for _, tt := range []struct {
		c      *verdict.Comparison
		change float64
		want   string
	}{
		{c, -3, "better"}, {c, 3, ""}, {c, 0, "better"}, {nil, 3, ""},
		{&verdict.Comparison{Verdict: verdict.Improved, Estimate: 0.1}, 3, "better"}, // more is better
		{&verdict.Comparison{Verdict: verdict.Regressed, Estimate: -0.1}, -3, "worse"},
		{&verdict.Comparison{Verdict: verdict.Unchanged, Estimate: 0.1}, 3, ""}, {&verdict.Comparison{Estimate: nan}, 3, ""},
	} {
		if got := tt.c.Class(tt.change); got.String() != tt.want {
			t.Errorf("%+v by %g: got %q, want %q", tt.c, tt.change, got, tt.want)
		}
	}
}

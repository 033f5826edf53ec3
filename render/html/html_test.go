package html

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff"
)

func written(t *testing.T, r *diff.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var scriptBlock = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>|<meta http-equiv[^>]*>`)

// markup is the page without its scripts, their hashes and its style.
func markup(page string) string { return scriptBlock.ReplaceAllString(page, "") }

func TestPages(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		t.Run(name, func(t *testing.T) {
			page := written(t, pages[name]())
			if again := written(t, pages[name]()); again != page {
				t.Error("two pages of one report differ")
			}
			wellFormed(t, markup(page))
			for _, bad := range []string{"http://", "https://", "src=", "url(", "<link", "@import", "ZgotmplZ", "NaN", "<no value>", "%!"} {
				if at := strings.Index(markup(page), bad); at >= 0 && !(bad == "src=" && (name == "hostile" || name == "stepless")) {
					t.Errorf("markup holds %q: %q", bad, markup(page)[max(0, at-80):at+40])
				}
			}
			var block map[string]any
			if err := json.Unmarshal([]byte(dataBlock(t, page)), &block); err != nil {
				t.Error("data block:", err)
			}
		})
	}
}

// wellFormed reads the page as XML that closes what HTML closes.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != e.Name.Local {
				t.Fatalf("line %d: got </%s>, open are %v", lineOf(page, d.InputOffset()), e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
}

func lineOf(page string, offset int64) int { return 1 + strings.Count(page[:offset], "\n") }

func dataBlock(t *testing.T, page string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<script type="application/json" id="data">`)
	block, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		t.Fatal("no data block")
	}
	return block
}

func TestNamesAreData(t *testing.T) {
	page := written(t, hostileReport())
	if strings.Contains(page, "<img") {
		t.Error("a name became markup")
	}
	if got, want := strings.Count(page, "<script"), 4; got != want { // the theme, the data, the library, the page
		t.Errorf("got %d scripts, want %d", got, want)
	}
	if !strings.Contains(dataBlock(t, page), `__f__$base@tick`) {
		t.Error("a name in the data block was changed")
	}
	if !strings.Contains(page, "&lt;img src=x onerror=alert(1)&gt;") {
		t.Error("the name is not shown as it is")
	}
}

func TestPolicyNamesEveryScript(t *testing.T) {
	page := written(t, jobReport(2, 3))
	var hashes []string
	for _, m := range regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1) {
		hashes = append(hashes, m[1])
	}
	if want := strings.NewReplacer("'", "&#39;", "+", "&#43;").Replace(policy(hashes...)); !strings.Contains(page, want) {
		t.Errorf("the policy does not hold the hashes of the scripts as written: want %s", want)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct{ ranks, steps, most int }{{16, 100, 3_000_000}, {128, 1000, 4_500_000}, {1024, 1000, 9_000_000}} {
		if testing.Short() && c.ranks > 128 {
			continue
		}
		n := len(written(t, jobReport(c.ranks, c.steps)))
		t.Logf("%d ranks x %d steps: %.2f MB", c.ranks, c.steps, float64(n)/1e6)
		if n > c.most {
			t.Errorf("%d ranks x %d steps: got %d bytes, want at most %d", c.ranks, c.steps, n, c.most)
		}
	}
}

func TestPartsAddUp(t *testing.T) {
	s := &sheet{r: jobReport(16, 19)}
	s.ms = stepScale(s.r)
	s.data.Charts = map[string]chartData{}
	s.rows()
	s.change()
	f := s.data.Fall
	base, cand := 0.0, 0.0
	for _, p := range f.Parts {
		base, cand = base+p.Base, cand+p.Cand
	}
	if base != f.Base || cand != f.Cand {
		t.Errorf("got sums %g and %g, want %g and %g", base, cand, f.Base, f.Cand)
	}
}

func TestStates(t *testing.T) {
	for name, want := range map[string]string{"job": "Improved", "regressed": "Regressed", "unchanged": "Unchanged", "inconclusive": "Inconclusive", "incomparable": "Not comparable", "unjudged": "Not judged", "stepless": "Not judged"} {
		page := markup(written(t, pages[name]()))
		if !strings.Contains(page, "</svg>"+want+"</p>") {
			t.Errorf("%s: want the tag %q", name, want)
		}
		colours := strings.Contains(page, `class="better`) || strings.Contains(page, `class="worse`) || strings.Contains(page, "n better")
		if judged := name != "incomparable" && name != "unjudged" && name != "stepless"; colours && !judged {
			t.Errorf("%s: better or worse on a page that judges nothing", name)
		}
	}
}

package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"html"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/cause"
)

func asItIs(text []byte) []byte { return text }

func written(t testing.TB, r *diff.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, asItIs, nil); err != nil {
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

// inflated is what a compressed block of the page holds.
func inflated(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<script type="text/plain" id="`+id+`">`)
	block, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		t.Fatalf("no block %q", id)
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(block)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dataBlock is the JSON of the page, without the matrices behind it.
func dataBlock(t *testing.T, page string) string {
	t.Helper()
	line, _, found := strings.Cut(inflated(t, page, "data"), "\n")
	if !found {
		t.Fatal("the data block has no line of JSON")
	}
	return line
}

// TestDataIsCleaned: the data pass through what the caller does to text; a line break would
// end them.
func TestDataIsCleaned(t *testing.T) {
	var b bytes.Buffer
	marked := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\u202e"), []byte("?")) }
	r := hostileReport()
	r.Steps[0].Omission = cause.Omission{Base: "a\u202eb\n", Cand: "a\u202eb\n"}
	if err := Write(&b, r, marked, nil); err != nil {
		t.Fatal(err)
	}
	if data := dataBlock(t, b.String()); strings.Contains(data, "\u202e") || !strings.Contains(data, `a?b\n`) || !strings.HasSuffix(data, "}") {
		t.Error("the data are not cleaned, or cut")
	}
}

func TestNamesAreData(t *testing.T) {
	page := written(t, hostileReport())
	if strings.Contains(page, "<img") {
		t.Error("a name became markup")
	}
	if got, want := strings.Count(page, "<script"), 6; got != want { // the theme, the data, the licence, the library, the page's own, what runs them
		t.Errorf("got %d scripts, want %d", got, want)
	}
	if !strings.Contains(dataBlock(t, page), `__f__$base@tick`) {
		t.Error("a name in the data block was changed")
	}
	if !strings.Contains(page, "&lt;img src=x onerror=alert(1)&gt;") {
		t.Error("the name is not shown as it is")
	}
}

// TestPolicyNamesEveryScript: the theme and the loader as they are written, and between them the
// library and the page's own script as they are inflated, and nothing else may run; no request may be made, and no
// form sent. What is wanted is written out here and not asked of the code.
func TestPolicyNamesEveryScript(t *testing.T) {
	page := written(t, jobReport(2, 3))
	inline := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	if len(inline) != 2 {
		t.Fatalf("got %d scripts that run as they are written, want 2", len(inline))
	}
	meta := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindAllStringSubmatchIndex(page, -1)
	if len(meta) != 1 || meta[0][0] > strings.Index(page, "<script") || meta[0][0] > strings.Index(page, "<style") {
		t.Fatalf("got %d policies, want one, before anything that it is about", len(meta))
	}
	hash := func(script string) string {
		sum := sha256.Sum256([]byte(script))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := map[string][]string{
		"default-src": {"'none'"},
		"script-src":  {hash(inline[0][1]), hash(inflated(t, page, "library")), hash(inflated(t, page, "drawing")), hash(inline[1][1])},
		"style-src":   {"'unsafe-inline'"},
		"img-src":     {"data:"},
		"base-uri":    {"'none'"},
		"form-action": {"'none'"},
	}
	got := map[string][]string{}
	for _, directive := range strings.Split(html.UnescapeString(page[meta[0][2]:meta[0][3]]), ";") {
		words := strings.Fields(directive)
		if len(words) == 0 || got[words[0]] != nil {
			t.Errorf("directive %q: empty, or there twice, of which a browser takes the first", directive)
			continue
		}
		got[words[0]] = words[1:]
	}
	for name := range maps.Keys(got) {
		if want[name] == nil {
			t.Errorf("the policy has %s %v, which nothing needs", name, got[name])
		}
	}
	for name, allowed := range want {
		if !slices.Equal(got[name], allowed) {
			t.Errorf("%s: got %v, want %v", name, got[name], allowed)
		}
	}
}

// libraryMade is what bundle/build.sh made: the licence, and the code behind it.
func libraryMade(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("bundle/echarts.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text)) + "\n"
}

// TestGoldenLibrary writes what the page embeds of the library that bundle/build.sh made.
func TestGoldenLibrary(t *testing.T) {
	if os.Getenv("PERFDIFF_GOLDEN") != "update" {
		t.Skip("TestLibrary holds it")
	}
	licence, code, found := strings.Cut(libraryMade(t), "*/\n")
	if !found {
		t.Fatal("the library has lost its licence")
	}
	for name, content := range map[string][]byte{"echarts.licence": []byte(licence + "*/\n"), "echarts.js.gz": gzipBytes([]byte(code), gzip.BestCompression),
		"echarts.sha256": []byte(digest(code) + "\n")} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLibrary: its licence is text in the page, and with it the code is the file that the
// bundle's script made.
func TestLibrary(t *testing.T) {
	page := written(t, jobReport(2, 3))
	_, rest, _ := strings.Cut(page, `id="licence">`)
	licence, _, _ := strings.Cut(rest, "</script>")
	made := libraryMade(t)
	if got := licence + "\n" + inflated(t, page, "library"); got != made {
		t.Errorf("licence and code are %d bytes, not the %d of the library: run make golden", len(got), len(made))
	}
	for _, want := range []string{"Apache ECharts", "Apache License", "Redistribution and use in source and binary forms"} {
		if !strings.Contains(licence, want) {
			t.Errorf("the licences do not say %q", want)
		}
	}
}

func TestStates(t *testing.T) {
	for name, want := range map[string]string{"job": "FASTER", "regressed": "SLOWER", "unchanged": "UNCHANGED", "inconclusive": "NOT SURE", "incomparable": "NOT COMPARABLE", "unjudged": "NOT JUDGED", "stepless": "NOT JUDGED"} {
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

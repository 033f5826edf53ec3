package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
	"perfdiff/render"
	"perfdiff/testdata"
)

const goldenDir = root + "/golden"

// shortForm is what of a format golden holds for a story: a file of that name, made by form.
type shortForm struct {
	name string
	form func([]byte) ([]byte, error)
}

// shortForms are the formats of which people read a short form; of all others golden holds the
// whole output, of a new one too.
var shortForms = map[string][]shortForm{
	".html": {{"page.txt", outlineText}, {"charts.txt", drawnText}},
	".json": {{"measures.txt", measuresText}},
	".txt":  {}, // it is what stands in summary.txt, see sameSummary
}

// wholeStories are the stories of which golden holds JSON and page whole: the demo, and the one that
// shows most of what the demo does not have.
var wholeStories = []string{demoStory, "no-steps"}

// TestGolden runs the whole program on every story in every output format.
// The list of stories is the table of contents of what perfdiff understands.
func TestGolden(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			out := filepath.Join(t.TempDir(), "report")
			args := []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")}
			for _, ext := range render.Extensions() {
				args = append(args, "-o", out+ext)
			}
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), args, &stdout, &stderr)
			summary := fmt.Sprintf("%s\n%sexit status %d\n", stdout.String(), stderr.String(), status)
			golden.Compare(t, goldenDir, name+"/summary.txt", []byte(summary))
			texts := map[string][]byte{}
			for _, ext := range render.Extensions() {
				text, err := os.ReadFile(out + ext)
				if err != nil {
					t.Fatal(err)
				}
				texts[ext] = bytes.ReplaceAll(text, []byte(version()), []byte("perfdiff (devel)"))
				compareOutput(t, name, ext, texts[ext])
			}
			laws(t, texts[".json"], status)
			rowsAddUp(t, texts, "")
			d, known := sameRows(t, texts)
			d.sameInFindings(t, known, texts)
			nothingElseMoved(t, texts)
			sameSummary(t, texts[".txt"], stdout.String())
			coloursOfVerdicts(t, texts[".html"], texts[".json"])
			littleToRead(t, name, texts[".html"], texts[".json"])
		})
	}
}

// heldOf is what golden holds of one format of a story.
func heldOf(story, ext string) []shortForm {
	forms, known := shortForms[ext]
	if known && (len(forms) == 0 || !slices.Contains(wholeStories, story)) {
		return forms
	}
	return append(slices.Clone(forms), shortForm{"report" + ext, func(text []byte) ([]byte, error) {
		switch ext {
		case ".html":
			return cutScripts(text), nil
		case ".json":
			return elide(text), nil
		}
		return text, nil
	}})
}

// compareOutput holds one output of a story against what golden has of it.
func compareOutput(t *testing.T, story, ext string, text []byte) {
	t.Helper()
	for _, s := range heldOf(story, ext) {
		got, err := s.form(text)
		if err != nil {
			t.Errorf("%s: %v", ext, err)
		}
		golden.Compare(t, goldenDir, story+"/"+s.name, got)
	}
}

// TestGoldenIsCompared: there is no expected output that nothing is compared with.
func TestGoldenIsCompared(t *testing.T) {
	entries, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range entries {
		if !dir.IsDir() {
			continue
		}
		story, held := dir.Name(), []string{"summary.txt"}
		if story == demoStory {
			held = append(held, "report.png") // the README's picture
		}
		for _, ext := range render.Extensions() {
			for _, s := range heldOf(story, ext) {
				held = append(held, s.name)
			}
		}
		isStory := slices.Contains(testdata.Names(), story)
		if story == severalDir {
			held, isStory = []string{"summary.txt", "report.md", "report.html"}, true
		}
		files, err := os.ReadDir(filepath.Join(goldenDir, story))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !slices.Contains(held, f.Name()) || !isStory {
				t.Errorf("golden/%s/%s: nothing is compared with it: delete it", story, f.Name())
			}
		}
	}
}

// sameSummary: the text form is what the terminal shows, but for where the page is.
func sameSummary(t *testing.T, text []byte, stdout string) {
	t.Helper()
	answer, _, _ := strings.Cut(stdout, "--table prints ")
	for _, end := range []string{"What may mark steps", "report.html shows"} { // a terminal names the best marker; without steps the tables are the answer
		answer, _, _ = strings.Cut(answer, end)
	}
	if !strings.HasPrefix(string(text), answer) {
		t.Errorf("the text form does not begin with what the terminal shows: got\n%s\nwant\n%s", text, answer)
	}
}

func writeStory(t testing.TB, name string, format synth.Format) string {
	t.Helper()
	dir, _ := writeEdited(t, name, format, strings.NewReplacer())
	return dir
}

// writeEdited writes a story whose text was changed, and returns what its profiles hold.
func writeEdited(t testing.TB, name string, format synth.Format, edit *strings.Replacer) (string, synth.Truth) {
	t.Helper()
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse(name, []byte(edit.Replace(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	truth, err := story.Write(context.Background(), dir, format)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

var script = regexp.MustCompile(`(?s)(<script[^>]*>).*?(</script>)|(<style>).*?(</style>)|sha256-(?:[A-Za-z0-9+/=]|&#43;)+`)

// cutScripts takes script, style and data out of a page: their own tests hold
// them, and a change of one would change every page.
func cutScripts(page []byte) []byte {
	return script.ReplaceAll(page, []byte("$1$3…$2$4"))
}

var numbers = regexp.MustCompile(`\[\s*(?:(?:-?[0-9.e+-]+|null),\s*){24,}(?:-?[0-9.e+-]+|null)\s*\]`)

// values are the series of one rank.
var values = regexp.MustCompile(`"values": \{[^{}]*\}`)

// elide replaces long lists of numbers by their length and checksum.
func elide(doc []byte) []byte {
	doc = values.ReplaceAllFunc(doc, func(list []byte) []byte {
		if !bytes.ContainsRune(list, '[') { // the two sides of a finding
			return list
		}
		return fmt.Appendf(nil, `"values": "%d series, checksum %08x"`, bytes.Count(list, []byte("\n"))-1, crc32.ChecksumIEEE(list))
	})
	return numbers.ReplaceAllFunc(doc, func(list []byte) []byte {
		return fmt.Appendf(nil, `"%d numbers, checksum %08x"`, bytes.Count(list, []byte(","))+1, crc32.ChecksumIEEE(list))
	})
}

// TestOrder: the same files in any order and with any number of workers give
// the same bytes.
func TestOrder(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	var first []byte
	for _, jobs := range []string{"1", "2", "8"} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{dir + "/baseline", dir + "/candidate", "-o", "-", "--format", "json", "--jobs", jobs}, &stdout, &stderr)
		if !json.Valid(stdout.Bytes()) {
			t.Fatalf("not JSON: %.200s %s", stdout.String(), stderr.String())
		}
		if first == nil {
			first = stdout.Bytes()
		} else if !bytes.Equal(first, stdout.Bytes()) {
			t.Errorf("--jobs %s gives other bytes than --jobs 1", jobs)
		}
	}
	// The page is what has fixed chart ids to prove.
	var pages [2]string
	for i := range pages {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{dir + "/baseline", dir + "/candidate", "-o", "-", "--format", "html"}, &stdout, &stderr)
		pages[i] = stdout.String()
	}
	if pages[0] != pages[1] || !strings.HasPrefix(pages[0], "<!doctype html>") {
		t.Errorf("two pages of the same input differ")
	}
	names := []string{"a.html", "a.json", "a.md", "a.txt"}
	outputs := func(jobs string) (texts []string) {
		args := []string{dir + "/baseline", dir + "/candidate", "-q", "--jobs", jobs}
		at := t.TempDir()
		for _, name := range names {
			args = append(args, "-o", filepath.Join(at, name))
		}
		var stderr bytes.Buffer
		run(context.Background(), args, io.Discard, &stderr)
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(at, name))
			if err != nil {
				t.Errorf("%v: %s", err, stderr.String())
			}
			texts = append(texts, string(text))
		}
		return texts
	}
	if one, many := outputs("1"), outputs("4"); !slices.Equal(one, many) {
		t.Errorf("outputs that are written at once differ from those that are written one after the other")
	}
}

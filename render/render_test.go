package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"perfdiff/diff"
)

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		path string
		want Format
	}{{"r.txt", Text}, {"a/b.md", Markdown}, {"report.JSON", JSON}, {"a.md/r.json", JSON}} {
		if got, err := FormatOf(c.path); err != nil || got != c.want {
			t.Errorf("FormatOf(%q): got %v, %v, want %v", c.path, got, err, c.want)
		}
	}
	for _, path := range []string{"report", "report.pdf", ".json.gz", "", "report.json."} {
		_, err := FormatOf(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+": unknown format") || !strings.Contains(err.Error(), ".json") {
			t.Errorf("FormatOf(%q): got error %v, want one that names the extensions", path, err)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range formats {
		got, err := ParseFormat(f.name)
		if err != nil || got != f.format {
			t.Errorf("ParseFormat(%q): got %v, %v", f.name, got, err)
		}
	}
	for _, name := range []string{"", "pdf", "Text"} {
		if _, err := ParseFormat(name); err == nil || !strings.Contains(err.Error(), "markdown") {
			t.Errorf("ParseFormat(%q): got error %v, want one that names the formats", name, err)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(&bytes.Buffer{}, improved(), Format(99), Options{}); err == nil {
		t.Error("got no error")
	}
}

// full is a writer without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestEveryFormat: each writes every report, says what it cannot write, and
// writes the same bytes twice.
func TestEveryFormat(t *testing.T) {
	reports := verdicts()
	reports["empty"], reports["hostile"] = &diff.Report{}, hostile()
	for name, r := range reports {
		for _, f := range formats {
			first := write(t, r, f.format, Options{})
			if again := write(t, r, f.format, Options{}); first != again {
				t.Errorf("%s, %s: two outputs differ", name, f.name)
			}
			if !strings.HasSuffix(first, "\n") {
				t.Errorf("%s, %s: does not end with a line", name, f.name)
			}
			if err := Write(full{}, r, f.format, Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s, %s: got error %v, want %v", name, f.name, err, errFull)
			}
		}
	}
}

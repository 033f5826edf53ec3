// Package render writes a report in the formats that people and programs
// read. It formats what the report holds and judges nothing of its own, so
// that no two outputs of one report can disagree. What charts sum up because a
// screen has no room for it (many steps in a column, the ranks of a node) is for
// the eye alone: the values themselves are in every format that has them.
//
// The JSON form is diff.Report and what it holds, whose comments are its field reference; the
// words in it are listed in said.go.
package render

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/html"
)

// Format is a form in which a report is written. The zero value is Text.
type Format int

// The formats.
const (
	Text     Format = iota // a summary for a terminal
	Markdown               // a comment on a pull request
	JSON                   // everything, for programs: see diff.Report
	HTML                   // the page: one file that opens offline
	JUnit                  // test cases, for build servers
	SVG                    // the answer with its first picture
)

// Options are how the text form is laid out; the others need none.
type Options struct {
	Width  int  // columns of the terminal; 0 is 80
	Color  bool // whether to use ANSI colours; never the only carrier of anything
	Tables bool // whether the terminal is given every table behind the answer
	// Page is the file that holds the HTML form of the same report, so that the
	// summary can point there; "" if none was written.
	Page string
	// Set is the run set as the user named it, so that a report on it alone can say what to run next; "": not known.
	Set string
	// Pages are the files that hold the pages of each candidate, of a report on several, beside the
	// one that is written; nil: none were written.
	Pages []string
	// Kernels are addresses of what Nsight Compute recorded of kernels, beside the page that is written, by
	// the kernels' names; nil: there are none.
	Kernels map[string]string
}

// formats is the list of formats. A new format is a file, and a line here.
var formats = []struct {
	format    Format
	name      string // as --format names it
	extension string // of its files, lower case
	write     func(io.Writer, *diff.Report, Options) error
}{
	{Text, "text", ".txt", writeText},
	{Markdown, "markdown", ".md", writeMarkdown},
	{JSON, "json", ".json", writeJSON},
	{HTML, "html", ".html", writeHTML},
	{JUnit, "junit", ".xml", writeJUnit},
	{SVG, "svg", ".svg", writeSVG},
}

// Write writes r to w. The same report and options give the same bytes; r is
// not changed.
func Write(w io.Writer, r *diff.Report, format Format, opt Options) error {
	for _, known := range formats {
		if known.format == format {
			return known.write(w, r, opt)
		}
	}
	return fmt.Errorf("unknown format %d", int(format))
}

// Extensions returns the endings of files of all formats, in the order of the list.
func Extensions() (all []string) {
	for _, f := range formats {
		all = append(all, f.extension)
	}
	return all
}

// Names returns the names of all formats for --format, in the order of the list.
func Names() (all []string) {
	for _, f := range formats {
		all = append(all, f.name)
	}
	return all
}

// FormatOf returns the format of a file by its extension, upper or lower case.
func FormatOf(path string) (Format, error) {
	extension := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if f.extension == extension {
			return f.format, nil
		}
	}
	return Text, fmt.Errorf("%s: unknown format: the name must end in %s", path, choiceText(Extensions()))
}

// ParseFormat returns the format with a name, as in --format json.
func ParseFormat(name string) (Format, error) {
	for _, f := range formats {
		if f.name == name {
			return f.format, nil
		}
	}
	if name == "" {
		return Text, fmt.Errorf("no format given: name %s", choiceText(Names()))
	}
	return Text, fmt.Errorf("unknown format %q: the formats are %s", name, strings.Join(Names(), ", "))
}

func writeHTML(w io.Writer, r *diff.Report, opt Options) error {
	seen := func(text []byte) []byte { return replaceInvisible(text, replacementMark) }
	var page bytes.Buffer
	if err := html.Write(&page, r, seen, opt.Kernels); err != nil {
		return err
	}
	_, err := w.Write(seen(page.Bytes()))
	return err
}

// choiceText writes a choice: "a, b or c".
func choiceText(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

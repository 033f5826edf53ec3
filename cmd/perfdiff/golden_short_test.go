package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"
	"strings"
)

// measures is what a JSON report says about its metrics.
type measures struct {
	Verdict  struct{ Verdict, Word, Reason string }
	Findings []struct{ Class, Kind, Metric, Section string }
	Metrics  []measure
	Parts    []measure
	Capture  []measure
	Kernels  []struct {
		Name          string
		Time, Calls   both
		Delta, Change *float64
		BeyondNoise   bool `json:"beyond_noise"`
	}
	Waterfall struct {
		Parts []struct {
			Name             string
			Mean             both
			Delta, Low, High *float64
		}
	}
}

// both is a quantity on both sides; nil where it is not known.
type both struct{ Baseline, Candidate *float64 }

type measure struct {
	Metric, Part, Verdict, Reason string
	Gate                          bool
	Median                        both
	Delta                         *float64
	Change                        struct{ Estimate, Low, High *float64 }
}

// lined lists the members of the document that have lines of their own: a new metric is a line there, and would change
// the checksums of these.
var lined = []string{"tool", "schema_version", "verdict", "findings", "metrics", "parts",
	"capture", "kernels", "waterfall", "descriptions"}

// seriesOf are the series of one rank, which each metric has.
var seriesOf = regexp.MustCompile(`"values": \{[^{}]*\}`)

// measuresText returns the short form of a report in JSON: a line for each metric and part with both
// medians, the change and the verdict, for each part of the step and each kernel, and for
// everything else how much there is and its checksum.
func measuresText(doc []byte) ([]byte, error) {
	var m measures
	if err := json.Unmarshal(doc, &m); err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(doc, &members); err != nil {
		return nil, err
	}
	var w bytes.Buffer
	fmt.Fprintf(&w, "verdict: %s, %s, %s\n", m.Verdict.Verdict, m.Verdict.Word, m.Verdict.Reason)
	for _, f := range m.Findings {
		words := strings.Fields(f.Class + " " + f.Kind + " " + f.Metric + " #" + f.Section)
		fmt.Fprintf(&w, "finding: %s\n", strings.Join(words, " "))
	}
	fmt.Fprintf(&w, "\n%-56s %10s %10s %10s %10s %10s %10s  %s\n",
		"metric", "baseline", "candidate", "change", "estimate", "low", "high", "verdict")
	for _, list := range [][]measure{m.Metrics, m.Parts, m.Capture} {
		for _, x := range list {
			w.WriteString(x.line())
		}
	}
	fmt.Fprintf(&w, "\n%-56s %10s %10s %10s %10s %10s\n",
		"part of the step", "baseline", "candidate", "change", "low", "high")
	for _, p := range m.Waterfall.Parts {
		fmt.Fprintf(&w, "%-56s%s\n", p.Name, columns(p.Mean.Baseline, p.Mean.Candidate, p.Delta, p.Low, p.High))
	}
	fmt.Fprintf(&w, "\n %10s %10s %10s %10s %10s %10s  kernel\n",
		"baseline", "candidate", "change", "calls", "calls", "beyond")
	for _, k := range m.Kernels {
		beyond := k.Change
		if !k.BeyondNoise {
			beyond = nil
		}
		numbers := columns(k.Time.Baseline, k.Time.Candidate, k.Delta, k.Calls.Baseline, k.Calls.Candidate, beyond)
		fmt.Fprintf(&w, "%s  %s\n", numbers, k.Name)
	}
	w.WriteString("\n")
	for _, name := range membersInOrder(doc, members) {
		if !slices.Contains(lined, name) {
			w.WriteString(digest(name, members[name]))
		}
	}
	return w.Bytes(), nil
}

func (x *measure) line() string {
	name, verdict := x.Metric, x.Verdict
	if x.Part != "" {
		name += "/" + x.Part
	}
	if x.Reason != "decided" {
		verdict += ", " + x.Reason
	}
	if x.Gate {
		verdict += ", gates"
	}
	c := &x.Change
	numbers := columns(x.Median.Baseline, x.Median.Candidate, x.Delta, c.Estimate, c.Low, c.High)
	return fmt.Sprintf("%-56s%s  %s\n", name, numbers, verdict)
}

func columns(list ...*float64) string {
	var b strings.Builder
	for _, v := range list {
		switch {
		case v == nil:
			fmt.Fprintf(&b, " %10s", "-")
		case *v == 0: // which may have a sign
			fmt.Fprintf(&b, " %10s", "0")
		default:
			fmt.Fprintf(&b, " %10.4g", *v)
		}
	}
	return b.String()
}

// membersInOrder returns the members of the document as it has them.
func membersInOrder(doc []byte, members map[string]json.RawMessage) []string {
	at := map[string]int{}
	var names []string
	for name := range members {
		at[name] = bytes.Index(doc, []byte("\n  \""+name+"\":"))
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if at[a] != at[b] {
			return at[a] - at[b]
		}
		return strings.Compare(a, b)
	})
	return names
}

// digest returns how much a member holds, and its checksum.
func digest(name string, text json.RawMessage) string {
	text = seriesOf.ReplaceAll(text, []byte(`"values": {}`))
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && list != nil {
		if len(list) == 0 {
			return fmt.Sprintf("%-24s none\n", name)
		}
		return fmt.Sprintf("%-24s %d, checksum %08x\n", name, len(list), crc32.ChecksumIEEE(text))
	}
	if len(text) <= 40 && !bytes.ContainsRune(text, '\n') {
		return fmt.Sprintf("%-24s %s\n", name, text)
	}
	return fmt.Sprintf("%-24s checksum %08x\n", name, crc32.ChecksumIEEE(text))
}

// notText matches what is not for people in a page.
var notText = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`)

// outlineText returns the short form of a finished page: its first screen, and for each section the title, what it says, its
// headings, charts and tables, and a checksum of all of its text.
func outlineText(page []byte) ([]byte, error) {
	d := xml.NewDecoder(bytes.NewReader(notText.ReplaceAll(page, nil)))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	o := &outline{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return o.Bytes(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the page: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			o.open(e)
		case xml.EndElement:
			o.closed()
		case xml.CharData:
			o.text(string(e))
		}
	}
}

// outline is the short form of a page in the making.
type outline struct {
	bytes.Buffer
	at      []*element // open
	body    bytes.Buffer
	title   string
	all     strings.Builder // text of the section
	label   string          // of the next table
	table   outlinedTable
	inTable bool
}

type element struct {
	name, id, class, label string
	said                   strings.Builder
}

type outlinedTable struct {
	heads []string
	rows  int
	class map[string]int
}

func (o *outline) open(e xml.StartElement) {
	x := &element{name: e.Name.Local}
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "id":
			x.id = a.Value
		case "class":
			x.class = a.Value
		case "aria-label":
			x.label = a.Value
		}
	}
	o.at = append(o.at, x)
	switch {
	case x.name == "section":
		o.section()
		o.title = "#" + x.id
	case x.name == "small":
		o.text(" ")
	case strings.HasPrefix(x.class, "scroll"):
		o.label = x.label
	case x.name == "table":
		o.table, o.inTable = outlinedTable{class: map[string]int{}}, true
	case strings.HasPrefix(x.class, "chart"):
		fmt.Fprintf(&o.body, "  chart %s: %.60s\n", strings.TrimPrefix(x.id, "c-"), x.label)
	}
	if o.inTable {
		for _, c := range strings.Fields(x.class) {
			if c == "better" || c == "worse" || c == "hold" {
				o.table.class[c]++
			}
		}
	}
}

func (o *outline) text(s string) {
	for i := range o.at {
		o.at[i].said.WriteString(s)
	}
	o.all.WriteString(s)
}

func (o *outline) closed() {
	x := o.at[len(o.at)-1]
	said := strings.Join(strings.Fields(x.said.String()), " ")
	switch {
	case x.name == "h1", x.name == "p" && strings.HasPrefix(x.class, "tag"), x.name == "p" && x.class == "basis":
		fmt.Fprintf(&o.body, "%s\n", said)
	case x.name == "span" && strings.HasPrefix(x.class, "n ") && o.at[len(o.at)-2].name == "summary":
		fmt.Fprintf(&o.body, "  finding %s: %s\n", strings.TrimSpace(strings.TrimPrefix(x.class, "n")), said)
	case strings.HasPrefix(o.title, "#") && !strings.Contains(o.title, " ") && (x.name == "h2" || x.name == "h3"): // a section's, or a line's
		o.title += "  " + strings.TrimSuffix(said, "#")
	case x.class == "read", x.name == "div" && x.class == "empty":
		fmt.Fprintf(&o.body, "  %s\n", said)
	case x.name == "figcaption" && x.class == "":
		fmt.Fprintf(&o.body, "    picture: %s\n", said)
	case x.name == "h3":
		fmt.Fprintf(&o.body, "  -- %s\n", said)
	case x.name == "th" && o.inTable && o.table.rows == 0:
		o.table.heads = append(o.table.heads, said)
	case x.name == "tr" && o.inTable:
		o.table.rows++
	case x.name == "table":
		o.tabled()
	case x.name == "section":
		o.section()
		o.title = ""
	}
	o.at = o.at[:len(o.at)-1]
}

// tabled writes a table: its columns, how many rows it has, and how many cells are coloured.
func (o *outline) tabled() {
	o.inTable = false
	coloured := ""
	for _, c := range []string{"better", "worse", "hold"} {
		if n := o.table.class[c]; n > 0 {
			coloured += fmt.Sprintf(", %d %s", n, c)
		}
	}
	heads := strings.Join(o.table.heads, " | ")
	fmt.Fprintf(&o.body, "  table %s: %d rows%s\n    %s\n", o.label, o.table.rows-1, coloured, heads)
}

// section writes what was gathered about the section that ends. The glossary has no checksum: it has a line for every
// metric, and is kept whole with the stories that are.
func (o *outline) section() {
	switch text := strings.Join(strings.Fields(o.all.String()), " "); {
	case strings.HasPrefix(o.title, "#glossary"):
		fmt.Fprintf(o, "\n%s\n", o.title)
	case o.title != "":
		fmt.Fprintf(o, "\n%s  (text %08x)\n", o.title, crc32.ChecksumIEEE([]byte(text)))
	}
	o.Write(o.body.Bytes())
	o.body.Reset()
	o.all.Reset()
}

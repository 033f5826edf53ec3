package render

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"perfdiff/diff"
)

// Limits of a JSON report that is read back. A member, or one rank, of a thousand steps takes a
// few megabytes. Chosen, not measured.
const (
	maxMember = 256 << 20 // bytes
	maxNested = 1000      // lists within lists of what is passed over
)

// neededMembers are the members of a report that tables are made of.
var neededMembers = []string{
	"schema_version", "tool", "findings", "metrics", "parts", "per", "capture", "calls", "kernels", "summaries", "longest_gaps", "steps", "gaps", "descriptions",
}

// ReadTables reads a report in its JSON form, which open opens from its start as often as rows of
// ranks are asked for: they are not held. An error says what is wrong with the file, not which.
func ReadTables(open func() (io.ReadCloser, error)) (*Tables, error) {
	in, err := open()
	if err != nil { // whoever has no such file is told that, and not what it lacks
		return nil, err
	}
	in.Close()
	members, seen := map[string]json.RawMessage{}, map[string]bool{}
	err = readReport(open, members, func(r *Rank) error {
		for _, side := range []*RankSide{r.Baseline, r.Candidate} {
			if side == nil {
				continue
			}
			for key := range side.Values {
				seen[key] = true
			}
		}
		return nil
	})
	if versionError := checkVersion(members); versionError != nil { // before what it may have led to
		return nil, versionError
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	t := &Tables{doc: &Document{}}
	if err := json.Unmarshal(text, t.doc); err != nil {
		return nil, notReport(err)
	}
	t.ranks = func(yield func(*Rank) error) error { return readReport(open, nil, yield) }
	t.order(seen)
	return t, nil
}

// otherReports are JSON files of perfdiff that hold none of these tables: by a member that only they
// have, since those who ask have files of programs before this one.
var otherReports = []struct{ member, is string }{
	{"candidates", "a report on several candidates, and tables are of one (compare one with the baseline and write a report with -o report.json)"},
	{"run_set", "a report on one run set (perfdiff report), and tables are of two that are compared (perfdiff BASELINE CANDIDATE -o report.json)"},
	{"not_compared", "of perfdiff ncu, and tables are of run sets that are compared (perfdiff BASELINE CANDIDATE -o report.json)"},
	{"brief_version", "a brief, which is for reading as it is (tables are of a report: perfdiff BASELINE CANDIDATE -o report.json)"},
	{"perfdiff_plan", "a plan of shards (tables are of a report: perfdiff BASELINE CANDIDATE -o report.json)"},
	{"picks", "of perfdiff pick (tables are of a report: perfdiff BASELINE CANDIDATE -o report.json)"},
}

// isOtherReport reports whether only another file of perfdiff has a member.
func isOtherReport(member string) bool {
	return slices.ContainsFunc(otherReports, func(o struct{ member, is string }) bool { return o.member == member })
}

// checkVersion is the error for what is no report of this version.
func checkVersion(members map[string]json.RawMessage) error {
	const remedy = "write a report with -o report.json"
	var version string
	for _, other := range otherReports {
		if members[other.member] != nil {
			return errors.New("is " + other.is)
		}
	}
	if json.Unmarshal(members["schema_version"], &version) != nil || version == "" {
		return errors.New("is no JSON report of perfdiff: it has no schema_version (" + remedy + ")")
	}
	major := func(s string) string { s, _, _ = strings.Cut(s, "."); return s }
	if major(version) != major(diff.SchemaVersion) {
		return fmt.Errorf("is a report of schema %s, and this perfdiff reads schema %s (compare the run sets again with it, or use the perfdiff that wrote the report)",
			Line(version), major(diff.SchemaVersion))
	}
	return nil
}

// readReport reads a report member by member: those that are needed into members, unless it is
// nil, and rank by rank.
func readReport(open func() (io.ReadCloser, error), members map[string]json.RawMessage, rank func(*Rank) error) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	m := &metered{r: in, left: maxMember}
	d := json.NewDecoder(m)
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return notReport(err)
	}
	for d.More() {
		m.left = maxMember
		key, err := d.Token()
		if err != nil {
			return notReport(err)
		}
		switch name, _ := key.(string); {
		case name == "ranks":
			err = readRanks(d, m, rank)
		case members != nil && slices.Contains(neededMembers, name):
			var value json.RawMessage
			err = d.Decode(&value)
			members[name] = value
		case members != nil && isOtherReport(name):
			members[name] = json.RawMessage("[]")
			err = skipValue(d)
		default:
			err = skipValue(d)
		}
		if err != nil {
			return notReport(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return notReport(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("is no JSON report of perfdiff: something follows its end")
	}
	return nil
}

// rankError is an error of who takes ranks, and no fault of the file.
type rankError struct{ error }

func (e rankError) Unwrap() error { return e.error }

// notReport is err as what it says of the file.
func notReport(err error) error {
	var taken rankError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &taken):
		return taken.error
	case errors.Is(err, errLargeMember):
		return err
	case errors.As(err, &wrong): // without the names of this program's types
		return fmt.Errorf("is no JSON report of perfdiff: %s is a %s, which it is in none (write a report with -o report.json)", cmp.Or(wrong.Field, "a member"), wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("is cut off: the end of the report is missing (write it again)")
	case err == nil:
		return errors.New("is no JSON report of perfdiff: it is no object (write a report with -o report.json)")
	}
	return fmt.Errorf("is no JSON report of perfdiff: %w (write a report with -o report.json)", err)
}

func readRanks(d *json.Decoder, m *metered, take func(*Rank) error) error {
	token, err := d.Token()
	if err != nil || token == nil { // null
		return err
	}
	if token != json.Delim('[') {
		return errors.New("ranks are no list")
	}
	for d.More() {
		m.left = maxMember
		var r Rank
		if err := d.Decode(&r); err != nil {
			return err
		}
		if err := take(&r); err != nil {
			return rankError{err}
		}
	}
	_, err = d.Token()
	return err
}

// skipValue passes over a value without holding it.
func skipValue(d *json.Decoder) error {
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxNested {
				return errors.New("lists within lists without end")
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

var errLargeMember = fmt.Errorf("is no JSON report of perfdiff: one member is larger than %d MiB", maxMember>>20)

// metered reads so many bytes.
type metered struct {
	r    io.Reader
	left int64
}

func (m *metered) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errLargeMember
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	return n, err
}

// TableNames are the names of all tables.
func TableNames() []string {
	return tableNames((&Tables{doc: &Document{}}).All())
}

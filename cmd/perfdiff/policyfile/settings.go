// Package policyfile reads perfdiff.yaml, the policy of a project, and writes one. Whatever
// is wrong with a file is said in its words, with line and column of the value.
package policyfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"perfdiff/analyze"
	"perfdiff/diff/policy"
)

// Settings are what decides and what is read: the default, what a policy file says, and
// then flags, which win over it.
type Settings struct {
	Policy   policy.Policy
	Load     analyze.Options
	Ranks    string   // that are read, as they were written; "": all
	Title    string   // of reports; "": none was given
	Names    []string // of the baseline and of each candidate in reports; nil: none were given
	Unjudged bool     // nothing is judged: no waiver is applied, and none is warned of
	Dated    []string // what is said of waivers that have expired, or soon will
	columns  []string // of logs that hold step times, as they were written
	file     string   // base name of one that says anything else than the default; "": none does
}

// Default are the settings without a file and flags.
func Default() Settings {
	s := Settings{Policy: policy.DefaultPolicy()}
	s.Load.Step.SkipFirst = -1
	return s
}

// Check says what is wrong with the policy so far.
func (s *Settings) Check() error { return s.Policy.Check(analyze.Metrics()) }

// Name is the file that is taken from the working directory where
// --policy names none.
const Name = "perfdiff.yaml"

// Read takes what the policy file at path says; "" is perfdiff.yaml of the working
// directory, if there is one. It comes before flags, which win.
func (s *Settings) Read(path string) error {
	named := path != ""
	if !named {
		path = Name
	}
	text, err := readText(path)
	if err == errNone && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--policy %s: %w", path, err)
	}
	return s.ReadText(path, text)
}

// ReadText takes what the text of a policy file says, which stands at path.
func (s *Settings) ReadText(path string, text []byte) error {
	if len(text) > Largest {
		return fmt.Errorf("--policy %s: %w", path, errLarge)
	}
	d := document{name: filepath.Base(path)}
	if err := d.open(text); err != nil {
		return err
	}
	if err := s.takeAll(&d); err != nil {
		return err
	}
	if len(s.Policy.Departures()) > 0 || len(s.reading(func(string) bool { return false })) > 0 {
		s.file = d.name
	}
	return nil
}

// cause is the reason of a path's error without the path, which is named already.
func cause(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Package policyfile reads perfdiff.yaml, the policy of a project, and writes one. Whatever
// is wrong with a file is said in its words, with line and column of the value.
package policyfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

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
	columns  []string // of logs that hold step times, quoted
	file     *file    // that says anything else than the default; nil: none does
	name     string   // base name of it
}

// Default are the settings without a file and flags.
func Default() Settings {
	s := Settings{Policy: policy.DefaultPolicy()}
	s.Load.Step.SkipFirst = -1
	return s
}

// Check says what is wrong with the policy so far.
func (s *Settings) Check() error { return s.Policy.Check(analyze.Metrics()) }

// file is perfdiff.yaml. What it leaves out is the default; flags win over
// it.
type file struct {
	Gating        []string              `yaml:"gating"`
	WithoutStep   bool                  `yaml:"without_step_time"`
	Threshold     *size                 `yaml:"threshold"` // nil: not given
	Equivalence   *size                 `yaml:"equivalence"`
	Alpha         *size                 `yaml:"alpha"`
	Floor         *size                 `yaml:"noise_floor"`
	FewFloor      *size                 `yaml:"noise_floor_few_steps"`
	HostFloor     *size                 `yaml:"noise_floor_host"`
	Metrics       map[string]metricRule `yaml:"metrics"`
	Steps         stepRule              `yaml:"steps"`
	Ranks         string                `yaml:"ranks"`
	IgnoreKernels []string              `yaml:"ignore_kernels"`
	KernelRule    string                `yaml:"kernel_rule"`
	Work          string                `yaml:"work"`
	Families      []familyRule          `yaml:"kernel_families"`
	Communication []string              `yaml:"communication"`
	RequireEqual  []string              `yaml:"require_equal"`
	FailOn        []string              `yaml:"fail_on"`
	GateCauses    bool                  `yaml:"gate_causes"`
	Allow         []string              `yaml:"allow"`
	Waivers       []waiver              `yaml:"waivers"`
	Title         string                `yaml:"title"`
	Names         []string              `yaml:"names"`
}

type metricRule struct {
	Threshold *size  `yaml:"threshold"` // nil: not given
	Level     string `yaml:"level"`
	Better    string `yaml:"better"`
}

type familyRule struct {
	Family string `yaml:"family"`
	Name   string `yaml:"name"`
}

type stepRule struct {
	Range     string   `yaml:"range"`
	Kernel    string   `yaml:"kernel"`
	SkipFirst *int     `yaml:"skip_first"`
	Columns   []string `yaml:"columns"` // of logs
}

type waiver struct {
	Metric  string `yaml:"metric"`
	Kind    string `yaml:"kind"`  // of findings, in place of metric and up_to
	UpTo    *size  `yaml:"up_to"` // nil: not given
	Reason  string `yaml:"reason"`
	Owner   string `yaml:"owner"`
	Expires string `yaml:"expires"`
}

// size is a fraction, written 2% or 0.02, or a plain number.
type size float64

// UnmarshalYAML reads a size that was checked with the file.
func (z *size) UnmarshalYAML(node ast.Node) error {
	v, err := parseSize(plainNode(node).GetToken().Value)
	*z = size(v)
	return err
}

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
	d, err := open(filepath.Base(path), text)
	if err != nil {
		return err
	}
	var p file
	if err := yaml.UnmarshalWithOptions(text, &p, yaml.Strict()); err != nil {
		return d.syntax(err)
	}
	if err := s.adopt(&p, d); err != nil {
		return err
	}
	if s.departs(&p) {
		s.file, s.name = &p, filepath.Base(path)
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

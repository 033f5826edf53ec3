package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"perfdiff/analyze"
	"perfdiff/diff"
)

// policyFile is perfdiff.yaml. What it leaves out is the default; flags win over
// it.
type policyFile struct {
	Gating        []string              `yaml:"gating"`
	Threshold     *size                 `yaml:"threshold"` // nil: not given
	Equivalence   *size                 `yaml:"equivalence"`
	Alpha         *size                 `yaml:"alpha"`
	Floor         *size                 `yaml:"noise_floor"`
	FewFloor      *size                 `yaml:"noise_floor_few_steps"`
	Metrics       map[string]metricRule `yaml:"metrics"`
	Steps         stepRule              `yaml:"steps"`
	Ranks         string                `yaml:"ranks"`
	IgnoreKernels []string              `yaml:"ignore_kernels"`
	Families      []familyRule          `yaml:"kernel_families"`
	RequireEqual  []string              `yaml:"require_equal"`
	FailOn        []string              `yaml:"fail_on"`
	Waivers       []waiver              `yaml:"waivers"`
}

type metricRule struct {
	Threshold size   `yaml:"threshold"`
	Level     string `yaml:"level"`
	Better    string `yaml:"better"`
}

type familyRule struct {
	Family string `yaml:"family"`
	Name   string `yaml:"name"`
}

type stepRule struct {
	Range     string `yaml:"range"`
	Kernel    string `yaml:"kernel"`
	SkipFirst *int   `yaml:"skip_first"`
}

type waiver struct {
	Metric  string `yaml:"metric"`
	Reason  string `yaml:"reason"`
	Owner   string `yaml:"owner"`
	Expires string `yaml:"expires"`
}

// size is a fraction, written 2% or 0.02, or a plain number.
type size float64

// UnmarshalYAML reads a size; the error names line and column.
func (s *size) UnmarshalYAML(node ast.Node) error {
	text := strings.Trim(strings.TrimSpace(node.String()), `"'`)
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0) {
		at := node.GetToken().Position
		return fmt.Errorf("[%d:%d] %s is no size: write 2%% or 0.02", at.Line, at.Column, text)
	}
	if percent {
		v /= 100
	}
	*s = size(v)
	return nil
}

// policyName is the file that is taken from the working directory where
// --policy names none.
const policyName = "perfdiff.yaml"

// now is the day that waivers expire by.
var now = time.Now

// readPolicy puts the policy file at path into c; "" is perfdiff.yaml of the
// working directory, if there is one. It comes before flags, which win.
func (c *command) readPolicy(path string) error {
	named := path != ""
	if !named {
		path = policyName
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--policy %s: %w", path, cause(err))
	}
	var p policyFile
	if err := yaml.UnmarshalWithOptions(text, &p, yaml.Strict()); err != nil {
		return fmt.Errorf("%s:%s", filepath.Base(path), strings.TrimPrefix(yaml.FormatError(err, false, false), ":"))
	}
	if err := c.adopt(&p); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// adopt takes what a file says.
func (c *command) adopt(p *policyFile) error {
	into := func(to *float64, v *size) {
		if v != nil {
			*to = float64(*v)
		}
	}
	d := &c.policy
	into(&d.Threshold, p.Threshold)
	into(&d.Equivalence, p.Equivalence)
	into(&d.Floor, p.Floor)
	into(&d.FewFloor, p.FewFloor)
	into(&d.Alpha, p.Alpha)
	if p.Gating != nil {
		d.Gating = p.Gating
	}
	d.IgnoreKernels, d.RequireEqual = p.IgnoreKernels, p.RequireEqual
	for metric, r := range p.Metrics {
		rule := diff.Rule{Threshold: float64(r.Threshold), Level: diff.Level(r.Level)}
		if !slices.Contains([]string{"", "fail", "warn"}, r.Level) {
			return fmt.Errorf("metrics.%s.level is %q: write fail or warn", metric, r.Level)
		}
		if rule.Better = r.Better; !slices.Contains([]string{"", "lower", "higher"}, r.Better) {
			return fmt.Errorf("metrics.%s.better is %q: write lower or higher", metric, r.Better)
		}
		if d.Rules == nil {
			d.Rules = map[string]diff.Rule{}
		}
		d.Rules[metric] = rule
	}
	for _, w := range p.Waivers {
		if err := checkWaiver(w, c.anyWaiver); err != nil {
			return err
		}
		d.Waivers = append(d.Waivers, diff.Waiver(w))
	}
	if err := d.Check(); err != nil {
		return err
	}
	for _, f := range p.Families {
		re, err := regexp.Compile(f.Name)
		if err != nil || f.Family == "" || f.Name == "" {
			return fmt.Errorf("kernel_families: %q, %q: write family and name, a regular expression, as in {family: attention, name: my_fmha}", f.Family, f.Name)
		}
		c.load.Families = append(c.load.Families, analyze.FamilyRule{Family: f.Family, Name: re})
	}
	if p.Steps.SkipFirst != nil {
		if *p.Steps.SkipFirst < 0 {
			return fmt.Errorf("steps.skip_first is %d: it must be 0 or more", *p.Steps.SkipFirst)
		}
		c.load.Step.SkipFirst = *p.Steps.SkipFirst
	}
	return errors.Join(parseStep(c, p.Steps.Range, p.Steps.Kernel), parseRanks(c, p.Ranks), parseFailOn(c, strings.Join(p.FailOn, ",")))
}

// checkWaiver refuses a waiver that nobody answers for, and one that has
// expired, which would otherwise be forgotten; expired ones do not stop what judges
// nothing.
func checkWaiver(w waiver, expired bool) error {
	day, err := time.Parse("2006-01-02", w.Expires)
	switch {
	case w.Metric == "" || w.Reason == "" || w.Owner == "":
		return fmt.Errorf("a waiver of %q needs metric, reason, owner and expires", w.Metric)
	case err != nil:
		return fmt.Errorf("the waiver of %s expires on %q: write a day as in 2026-12-31", w.Metric, w.Expires)
	case !expired && !now().UTC().Before(day.AddDate(0, 0, 1)):
		return fmt.Errorf("the waiver of %s expired on %s (%s, %s): fix the regression, or ask for more time", w.Metric, w.Expires, w.Reason, w.Owner)
	}
	return nil
}

// showPolicy prints the policy in effect as a commented file.
func showPolicy(_ context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	path := f.String("policy", "", "")
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printed(stdout, stderr, helpOf("policy"))
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("expected no arguments, got %d", f.NArg())
	case err == nil:
		err = c.readPolicy(*path)
	}
	if err != nil {
		return fail(stderr, err, "perfdiff policy --help shows usage")
	}
	return printed(stdout, stderr, c.policyText())
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"perfdiff/analyze"
	"perfdiff/diff"
)

// policyFile is perfdiff.yaml. What it leaves out is the default; flags win over
// it.
type policyFile struct {
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
	Families      []familyRule          `yaml:"kernel_families"`
	Communication []string              `yaml:"communication"`
	RequireEqual  []string              `yaml:"require_equal"`
	FailOn        []string              `yaml:"fail_on"`
	GateCauses    bool                  `yaml:"gate_causes"`
	Allow         []string              `yaml:"allow"`
	Waivers       []waiver              `yaml:"waivers"`
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
	Range     string `yaml:"range"`
	Kernel    string `yaml:"kernel"`
	SkipFirst *int   `yaml:"skip_first"`
}

type waiver struct {
	Metric  string `yaml:"metric"`
	UpTo    *size  `yaml:"up_to"` // nil: not given
	Reason  string `yaml:"reason"`
	Owner   string `yaml:"owner"`
	Expires string `yaml:"expires"`
}

// size is a fraction, written 2% or 0.02, or a plain number.
type size float64

// UnmarshalYAML reads a size that was checked with the file.
func (s *size) UnmarshalYAML(node ast.Node) error {
	v, err := parseSize(plainNode(node).GetToken().Value)
	*s = size(v)
	return err
}

// policyName is the file that is taken from the working directory where
// --policy names none.
const policyName = "perfdiff.yaml"

// readPolicy puts the policy file at path into c; "" is perfdiff.yaml of the
// working directory, if there is one. It comes before flags, which win.
func (c *command) readPolicy(path string) error {
	named := path != ""
	if !named {
		path = policyName
	}
	text, err := readPolicyFile(path)
	if err == errNoPolicy && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--policy %s: %w", path, err)
	}
	d, err := openPolicy(filepath.Base(path), text)
	if err != nil {
		return err
	}
	var p policyFile
	if err := yaml.UnmarshalWithOptions(text, &p, yaml.Strict()); err != nil {
		return d.syntax(err)
	}
	if err := c.adopt(&p, d); err != nil {
		return err
	}
	if c.departs(&p) {
		c.file, c.fileName = &p, filepath.Base(path)
	}
	return nil
}

// adopt takes what a file says. The policy is checked after each value that it
// takes, so that an error is about that one.
func (c *command) adopt(p *policyFile, d *policyDoc) error {
	for _, take := range []func(*policyFile, *policyDoc) error{c.adoptSizes, c.adoptGating, c.adoptRules, c.adoptWaivers, c.adoptKernels, c.adoptReading} {
		if err := take(p, d); err != nil {
			return err
		}
	}
	return nil
}

// checkPolicy says what is wrong with the policy so far.
func (c *command) checkPolicy() error { return c.policy.Check(analyze.Metrics()) }

func (c *command) adoptSizes(p *policyFile, d *policyDoc) error {
	for _, x := range []struct {
		key string
		to  *float64
		v   *size
	}{
		{"threshold", &c.policy.Threshold, p.Threshold}, {"equivalence", &c.policy.Equivalence, p.Equivalence}, {"alpha", &c.policy.Alpha, p.Alpha},
		{"noise_floor", &c.policy.Floor, p.Floor}, {"noise_floor_few_steps", &c.policy.FewFloor, p.FewFloor},
		{"noise_floor_host", &c.policy.HostFloor, p.HostFloor},
	} {
		if x.v == nil {
			continue
		}
		*x.to = float64(*x.v)
		if err := d.at(c.checkPolicy(), x.key); err != nil {
			return err
		}
	}
	return nil
}

// adoptGating takes the list of gating metrics, and of facts that must be equal.
func (c *command) adoptGating(p *policyFile, d *policyDoc) error {
	if p.Gating != nil {
		c.policy.Gating = nil
	}
	for i := range p.Gating {
		c.policy.Gating = p.Gating[:i+1]
		if err := d.at(c.checkPolicy(), "gating", i); err != nil {
			return err
		}
	}
	for i := range p.RequireEqual {
		c.policy.RequireEqual = p.RequireEqual[:i+1]
		if err := d.at(c.checkPolicy(), "require_equal", i); err != nil {
			return err
		}
	}
	if err := d.at(c.checkPolicy(), "gating"); err != nil { // an empty list
		return err
	}
	switch step := c.policy.GatesStep(); {
	case !step && !p.WithoutStep:
		return d.at(errors.New("gating leaves out step_time, so that a slower job would pass: add it, or say without_step_time: true"), "gating")
	case step && p.WithoutStep:
		return d.at(errors.New("without_step_time is true and step_time gates: take it out of gating, or leave this out"), "without_step_time")
	}
	return nil
}

func (c *command) adoptRules(p *policyFile, d *policyDoc) error {
	for _, metric := range sortedKeys(p.Metrics) {
		r := p.Metrics[metric]
		rule := diff.Rule{Level: diff.Level(r.Level), Better: r.Better}
		switch {
		case !slices.Contains([]string{"", "fail", "warn"}, r.Level):
			return d.at(fmt.Errorf("metrics.%s.level is %q: write fail or warn", metric, r.Level), "metrics", metric, "level")
		case !slices.Contains([]string{"", "lower", "higher"}, r.Better):
			return d.at(fmt.Errorf("metrics.%s.better is %q: write lower or higher", metric, r.Better), "metrics", metric, "better")
		case r.Threshold != nil && *r.Threshold == 0:
			return d.at(fmt.Errorf("metrics.%s.threshold is 0: write more, or leave it out for the default", metric), "metrics", metric, "threshold")
		case r.Threshold != nil:
			rule.Threshold = float64(*r.Threshold)
		}
		if c.policy.Rules == nil {
			c.policy.Rules = map[string]diff.Rule{}
		}
		c.policy.Rules[metric] = rule
		if err := d.at(c.checkPolicy(), "metrics", metric); err != nil {
			return err
		}
	}
	return nil
}

// adoptKernels takes what a file says of kernels.
func (c *command) adoptKernels(p *policyFile, d *policyDoc) error {
	for i := range p.IgnoreKernels {
		c.policy.IgnoreKernels = p.IgnoreKernels[:i+1]
		if err := d.at(c.checkPolicy(), "ignore_kernels", i); err != nil {
			return err
		}
	}
	if !slices.Contains([]string{"", "usual", "strict"}, p.KernelRule) {
		return d.at(fmt.Errorf("kernel_rule is %q: write usual or strict", p.KernelRule), "kernel_rule")
	}
	c.policy.StrictKernels = p.KernelRule == "strict"
	for i, f := range p.Families {
		re, err := regexp.Compile(f.Name)
		if err != nil || f.Family == "" || f.Name == "" {
			return d.at(fmt.Errorf("kernel_families: %q, %q: write family and name, a regular expression, as in {family: attention, name: my_fmha}", f.Family, f.Name),
				"kernel_families", i, "name")
		}
		c.load.Families = append(c.load.Families, analyze.FamilyRule{Family: f.Family, Name: re})
	}
	for i, name := range p.Communication {
		re, err := regexp.Compile(name)
		if err != nil || name == "" {
			return d.at(fmt.Errorf("communication: %q is no regular expression of kernels: write one, as in ['^ring::exchange']", name), "communication", i)
		}
		c.load.Communication = append(c.load.Communication, re)
	}
	return nil
}

// adoptReading takes what a file says of steps, ranks and outcomes.
func (c *command) adoptReading(p *policyFile, d *policyDoc) error {
	if p.Steps.SkipFirst != nil {
		c.load.Step.SkipFirst = *p.Steps.SkipFirst
	}
	// The flags' own checks, without the names of the flags.
	unflagged := func(err error, flag, key string, where ...any) error {
		if err == nil {
			return nil
		}
		return d.at(errors.New(key+": "+strings.TrimPrefix(err.Error(), flag+": ")), where...)
	}
	if err := unflagged(parseStep(c, p.Steps.Range, ""), "--step-range", "steps.range", "steps", "range"); err != nil {
		return err
	}
	if p.Steps.Range != "" && p.Steps.Kernel != "" {
		return d.at(errors.New("steps: range and kernel exclude each other: name one marker"), "steps", "kernel")
	}
	if err := unflagged(parseStep(c, "", p.Steps.Kernel), "--step-kernel", "steps.kernel", "steps", "kernel"); err != nil {
		return err
	}
	if err := unflagged(parseRanks(c, p.Ranks), "--ranks "+p.Ranks, "ranks", "ranks"); err != nil {
		return err
	}
	c.policy.GateCauses = p.GateCauses
	for i, name := range p.FailOn {
		if err := unflagged(parseFailOn(c, cmp.Or(name, `""`)), "--fail-on "+name, "fail_on", "fail_on", i); err != nil {
			return err
		}
	}
	for i, name := range p.Allow {
		if err := unflagged(parseAllow(c, cmp.Or(name, `""`)), "--allow "+name, "allow", "allow", i); err != nil {
			return err
		}
	}
	return errors.Join(parseFailOn(c, strings.Join(p.FailOn, ",")), parseAllow(c, strings.Join(p.Allow, ",")))
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
		if err = checkEmpty(f); err == nil {
			err = c.readPolicy(*path)
		}
	}
	if err != nil {
		return fail(stderr, err, "perfdiff policy --help shows usage")
	}
	c.sayDated(stderr)
	return printed(stdout, stderr, c.policyText())
}

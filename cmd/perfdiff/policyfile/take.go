package policyfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff/policy"
)

// adopt takes what a file says. The policy is checked after each value that it
// takes, so that an error is about that one.
func (s *Settings) adopt(p *file, d *document) error {
	for _, take := range []func(*file, *document) error{s.adoptSizes, s.adoptGating, s.adoptRules, s.adoptWaivers, s.adoptKernels, s.adoptReading, s.adoptNames} {
		if err := take(p, d); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) adoptSizes(p *file, d *document) error {
	for _, x := range []struct {
		key string
		to  *float64
		v   *size
	}{
		{"threshold", &s.Policy.Threshold, p.Threshold}, {"equivalence", &s.Policy.Equivalence, p.Equivalence}, {"alpha", &s.Policy.Alpha, p.Alpha},
		{"noise_floor", &s.Policy.Floor, p.Floor}, {"noise_floor_few_steps", &s.Policy.FewFloor, p.FewFloor},
		{"noise_floor_host", &s.Policy.HostFloor, p.HostFloor},
	} {
		if x.v == nil {
			continue
		}
		*x.to = float64(*x.v)
		if err := d.at(s.Check(), x.key); err != nil {
			return err
		}
	}
	return nil
}

// adoptGating takes the list of gating metrics, and of facts that must be equal.
func (s *Settings) adoptGating(p *file, d *document) error {
	if p.Gating != nil {
		s.Policy.Gating = nil
	}
	for i := range p.Gating {
		s.Policy.Gating = p.Gating[:i+1]
		if err := d.at(s.Check(), "gating", i); err != nil {
			return err
		}
	}
	for i := range p.RequireEqual {
		s.Policy.RequireEqual = p.RequireEqual[:i+1]
		if err := d.at(s.Check(), "require_equal", i); err != nil {
			return err
		}
	}
	if err := d.at(s.Check(), "gating"); err != nil { // an empty list
		return err
	}
	switch step := s.Policy.GatesStep(); {
	case !step && !p.WithoutStep:
		return d.at(errors.New("gating leaves out step_time, so that a slower job would pass: add it, or say without_step_time: true"), "gating")
	case step && p.WithoutStep:
		return d.at(errors.New("without_step_time is true and step_time gates: take it out of gating, or leave this out"), "without_step_time")
	}
	return nil
}

func (s *Settings) adoptRules(p *file, d *document) error {
	for _, metric := range slices.Sorted(maps.Keys(p.Metrics)) {
		r := p.Metrics[metric]
		rule := policy.Rule{Level: policy.Level(r.Level), Better: r.Better}
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
		if s.Policy.Rules == nil {
			s.Policy.Rules = map[string]policy.Rule{}
		}
		s.Policy.Rules[metric] = rule
		if err := d.at(s.Check(), "metrics", metric); err != nil {
			return err
		}
	}
	return nil
}

// What steps that do another amount of work are judged by, as policy files say it.
const perStep, perByte = "per-step", "per-byte"

// adoptKernels takes what a file says of kernels, and of the work of a step.
func (s *Settings) adoptKernels(p *file, d *document) error {
	for i := range p.IgnoreKernels {
		s.Policy.IgnoreKernels = p.IgnoreKernels[:i+1]
		if err := d.at(s.Check(), "ignore_kernels", i); err != nil {
			return err
		}
	}
	if !slices.Contains([]string{"", "usual", "strict"}, p.KernelRule) {
		return d.at(fmt.Errorf("kernel_rule is %q: write usual or strict", p.KernelRule), "kernel_rule")
	}
	s.Policy.StrictKernels = p.KernelRule == "strict"
	if !slices.Contains([]string{"", perStep, perByte}, p.Work) {
		return d.at(fmt.Errorf("work is %q: write %s or %s", p.Work, perStep, perByte), "work")
	}
	s.Policy.PerWork = p.Work == perByte
	for i, f := range p.Families {
		re, err := regexp.Compile(f.Name)
		if err != nil || f.Family == "" || f.Name == "" {
			return d.at(fmt.Errorf("kernel_families: %q, %q: write family and name, a regular expression, as in {family: attention, name: my_fmha}", f.Family, f.Name),
				"kernel_families", i, "name")
		}
		s.Load.Families = append(s.Load.Families, analyze.FamilyRule{Family: f.Family, Name: re})
	}
	for i, name := range p.Communication {
		re, err := regexp.Compile(name)
		if err != nil || name == "" {
			return d.at(fmt.Errorf("communication: %q is no regular expression of kernels: write one, as in ['^ring::exchange']", name), "communication", i)
		}
		s.Load.Communication = append(s.Load.Communication, re)
	}
	return nil
}

// adoptReading takes what a file says of steps, ranks and outcomes.
func (s *Settings) adoptReading(p *file, d *document) error {
	if p.Steps.SkipFirst != nil {
		s.Load.Step.SkipFirst = *p.Steps.SkipFirst
	}
	for _, marker := range []struct {
		key  string
		take func(string) error
		expr string
	}{{"range", s.TakeStepRange, p.Steps.Range}, {"kernel", s.TakeStepKernel, p.Steps.Kernel}} {
		if err := d.said(marker.take(marker.expr), "steps."+marker.key, "steps", marker.key); err != nil {
			return err
		}
	}
	for i := range p.Steps.Columns {
		if err := d.said(s.TakeStepColumns(p.Steps.Columns[:i+1]), "steps.columns", "steps", "columns", i); err != nil {
			return err
		}
	}
	if p.Steps.Range != "" && p.Steps.Kernel != "" {
		return d.at(errors.New("steps: range and kernel exclude each other: name one marker"), "steps", "kernel")
	}
	if err := d.said(s.TakeRanks(p.Ranks), "ranks", "ranks"); err != nil {
		return err
	}
	s.Load.MarkerOfProject, s.Load.RanksOfProject = true, true
	s.Policy.GateCauses = p.GateCauses
	for i, name := range p.FailOn {
		if err := d.said(s.TakeFailOn(cmp.Or(name, `""`)), "fail_on", "fail_on", i); err != nil {
			return err
		}
	}
	for i, name := range p.Allow {
		if err := d.said(s.TakeAllow(cmp.Or(name, `""`)), "allow", "allow", i); err != nil {
			return err
		}
	}
	return errors.Join(s.TakeFailOn(strings.Join(p.FailOn, ",")), s.TakeAllow(strings.Join(p.Allow, ",")))
}

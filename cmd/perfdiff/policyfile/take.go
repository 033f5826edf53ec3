package policyfile

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// takeGating takes the list of gating metrics.
func (s *Settings) takeGating(v value) {
	s.Policy.Gating = nil
	each(v, "a list of metrics, as in [step_time, overlap]", "a metric, as in step_time", s.checked(&s.Policy.Gating))
	v.refuse(s.Check()) // of an empty list
	if !s.Policy.GatesStep() && !v.doc.root.get("without_step_time").yes() {
		v.refuse(errors.New("gating leaves out step_time, so that a slower job would pass: " +
			"add it, or say without_step_time: true"))
	}
}

// takeWithoutStep refuses what the list of gating metrics denies.
func (s *Settings) takeWithoutStep(v value) {
	if v.yes() && s.Policy.GatesStep() {
		v.refuse(errors.New("without_step_time is true and step_time gates: take it out of gating, or leave this out"))
	}
}

func (s *Settings) withoutStepText() string {
	return pick(s.Policy.GatesStep(), "", "true")
}

// takeRules takes the rules of single metrics.
func (s *Settings) takeRules(v value) {
	metrics := v.keys("metrics with their rules, as in {tail: {level: warn}}")
	slices.Sort(metrics)
	for _, metric := range metrics {
		rules := v.get(metric)
		rules.keys("rules, as in {level: warn}", "threshold", "level", "better", "unit")
		level, better := rules.get("level").either("fail", "warn"), rules.get("better").either("lower", "higher")
		rule := policy.Rule{Level: policy.Level(level), Better: better, Unit: rules.get("unit").oneOf(measured.ResultUnits)}
		threshold := rules.get("threshold")
		if metric == measured.Tail {
			rule.Threshold = threshold.count("2, events in 100 steps")
		} else {
			rule.Threshold = threshold.fraction("2% or 0.02")
		}
		if threshold.node != nil && rule.Threshold == 0 {
			threshold.refuse(fmt.Errorf("%s is 0: write more, or leave it out for the default", threshold.path))
		}
		if s.Policy.Rules == nil {
			s.Policy.Rules = map[string]policy.Rule{}
		}
		s.Policy.Rules[metric] = rule
		rules.refuse(s.Check())
	}
}

func (s *Settings) rulesText() string {
	var lines []string
	for _, metric := range slices.Sorted(maps.Keys(s.Policy.Rules)) {
		r := s.Policy.Rules[metric]
		var parts []string
		switch {
		case r.Threshold > 0 && metric == measured.Tail: // events, no share
			parts = append(parts, "threshold: "+plainNumber(r.Threshold))
		case r.Threshold > 0:
			parts = append(parts, "threshold: "+percent(r.Threshold))
		}
		if r.Level != "" {
			parts = append(parts, "level: "+string(r.Level))
		}
		if r.Better != "" {
			parts = append(parts, "better: "+r.Better)
		}
		if r.Unit != "" {
			parts = append(parts, "unit: "+strconv.Quote(r.Unit))
		}
		lines = append(lines, keyText(metric)+": {"+strings.Join(parts, ", ")+"}")
	}
	return block("{}", "\n  ", lines)
}

// keyText is a key as YAML takes it: numbers that runs print have names of any letters.
func keyText(name string) string {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" {
		return name
	}
	return strconv.Quote(name)
}

// takeSteps takes what a step is.
func (s *Settings) takeSteps(v value) {
	v.keys("what a step is, as in {skip_first: 2}", "range", "kernel", "skip_first", "columns")
	if skip := v.get("skip_first"); skip.node != nil {
		s.Load.Step.SkipFirst = skip.whole("2")
	}
	ranged, kernel, columns := v.get("range"), v.get("kernel"), v.get("columns")
	ranged.refuse(said(ranged.path, s.TakeStepRange(ranged.text("a regular expression, as in '^step (\\d+)$'"))))
	kernel.refuse(said(kernel.path, s.TakeStepKernel(kernel.text("a regular expression, as in adam"))))
	each(columns, "a list of columns of logs, as in ['step_ms:ms']", "a column with its unit, as in step_ms:ms",
		func(names []string) error { return said(columns.path, s.TakeStepColumns(names)) })
	if s.Load.Step.Range != nil && s.Load.Step.Kernel != nil {
		kernel.refuse(errors.New("steps: range and kernel exclude each other: name one marker"))
	}
}

func (s *Settings) stepText() string {
	var parts []string
	if re := s.Load.Step.Range; re != nil {
		parts = append(parts, fmt.Sprintf("range: %q", re))
	}
	if re := s.Load.Step.Kernel; re != nil {
		parts = append(parts, fmt.Sprintf("kernel: %q", re))
	}
	if len(s.columns) > 0 {
		parts = append(parts, "columns: "+list(s.columns))
	}
	if n := s.Load.Step.SkipFirst; n >= 0 {
		parts = append(parts, fmt.Sprintf("skip_first: %d", n))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// takeFamilies takes the families of kernels that the project has of its own.
func (s *Settings) takeFamilies(v value) {
	for _, item := range v.list("a list of families, as in [{family: attention, name: my_fmha}]") {
		item.keys("a family with the names of its kernels, as in {family: attention, name: my_fmha}", "family", "name")
		family, name := item.get("family").text("text"), item.get("name").text("text")
		re, err := regexp.Compile(name)
		if err != nil || family == "" || name == "" {
			item.get("name").refuse(fmt.Errorf("kernel_families: %q, %q: write family and name, a regular expression, "+
				"as in {family: attention, name: my_fmha}", family, name))
		}
		s.Load.Families = append(s.Load.Families, analyze.FamilyRule{Family: family, Name: re})
	}
}

func (s *Settings) familyText() string {
	var parts []string
	for _, f := range s.Load.Families {
		parts = append(parts, fmt.Sprintf("{family: %q, name: %q}", f.Family, f.Name))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// takeCommunication takes the project's own kernels that move data between ranks.
func (s *Settings) takeCommunication(v value) {
	for _, item := range v.list("a list of regular expressions, as in ['^ring::exchange']") {
		name := item.text("a regular expression")
		re, err := regexp.Compile(name)
		if err != nil || name == "" {
			item.refuse(fmt.Errorf("communication: %q is no regular expression of kernels: write one, "+
				"as in ['^ring::exchange']", name))
		}
		s.Load.Communication = append(s.Load.Communication, re)
	}
}

// takeNames takes how the sides are called in reports.
func (s *Settings) takeNames(v value) {
	names := v.texts("a name for each run set, as in [buffered, O_DIRECT]", "a name, as in buffered")
	v.refuse(said(v.path, s.TakeNames(names)))
}

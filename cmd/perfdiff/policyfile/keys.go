package policyfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/diff/policy"
)

// key is a key of a policy file: how it is taken, and how the policy in effect prints it.
type key struct {
	name   string
	take   func(*Settings, value) // what a file says; not called where it leaves the key out
	text   func(*Settings) string // begins with "\n" where it is a block; "": the key is not printed
	above  string                 // comment in lines of its own
	beside string                 // comment behind the value
}

// keys are all that a policy file may say, in the order in which they are taken and printed.
var keys = []key{
	{name: "gating", take: (*Settings).takeGating, above: gatingComment,
		text: func(s *Settings) string { return block("[]", "\n  - ", s.Policy.Gating) }},
	{name: "without_step_time", take: (*Settings).takeWithoutStep, text: (*Settings).withoutStepText},
	{name: "threshold", above: "\n", beside: "smallest change of the step time that matters",
		take: fraction("2% or 0.02", func(p *policy.Policy) *float64 { return &p.Threshold }),
		text: func(s *Settings) string { return percent(s.Policy.Threshold) }},
	{name: "equivalence", beside: "a change shown to lie within it is unchanged; not given: 3%, at least 1.5 thresholds",
		take: fraction("3% or 0.03", func(p *policy.Policy) *float64 { return &p.Equivalence }),
		text: func(s *Settings) string { return percent(s.Policy.Equal()) }},
	{name: "alpha", beside: "two-sided error of the interval, 0.001 to 0.2: 0.05 is a 95 % interval",
		take: fraction("0.05", func(p *policy.Policy) *float64 { return &p.Alpha }),
		text: func(s *Settings) string { return plainNumber(s.Policy.Alpha) }},
	{name: "noise_floor", beside: "what runs are assumed to differ by without a history, at most 10%",
		take: fraction("1.5% or 0.015", func(p *policy.Policy) *float64 { return &p.Floor }),
		text: func(s *Settings) string { return percent(s.Policy.Floor) }},
	{name: "noise_floor_few_steps", beside: "the same with 3 to 9 steps",
		take: fraction("5% or 0.05", func(p *policy.Policy) *float64 { return &p.FewFloor }),
		text: func(s *Settings) string { return percent(s.Policy.FewFloor) }},
	{name: "noise_floor_host", beside: "the same for steps without any GPU work, on shared processors",
		take: fraction("7% or 0.07", func(p *policy.Policy) *float64 { return &p.HostFloor }),
		text: func(s *Settings) string { return percent(s.Policy.HostFloor) }},
	{name: "metrics", take: (*Settings).takeRules, text: (*Settings).rulesText,
		above: "\n# The threshold and level (fail or warn) of single metrics. For numbers that runs print, as of\n" +
			"# benchmarks, also what is better (lower or higher) and the unit.\n"},
	{name: "steps", take: (*Settings).takeSteps, text: (*Settings).stepText,
		above: "\n# What a step is, if there are no ranges named \"step N\": range or kernel, as regular expressions.\n"},
	{name: "ranks", text: func(s *Settings) string { return strconv.Quote(s.Ranks) },
		take: func(s *Settings, v value) {
			v.refuse(said(v.path, s.TakeRanks(v.text("a list in quotes, as in \"0-7,9\""))))
		}},
	{name: "ignore_kernels", beside: "regular expressions of kernels to leave out",
		text: func(s *Settings) string { return list(s.Policy.IgnoreKernels) },
		take: func(s *Settings, v value) {
			each(v, "a list of regular expressions, as in ['memset.*']", "a regular expression",
				s.checked(&s.Policy.IgnoreKernels))
		}},
	{name: "kernel_rule",
		beside: "of the kernels called changed at most 1 in 20 is chance; strict: however they depend on each other",
		text:   func(s *Settings) string { return pick(s.Policy.StrictKernels, "strict", "usual") },
		take:   func(s *Settings, v value) { s.Policy.StrictKernels = v.either("usual", "strict") == "strict" }},
	{name: "work", beside: "sides whose steps do another amount of work, as with another batch, are not comparable; " +
		"per-byte: compare the same work",
		text: func(s *Settings) string { return pick(s.Policy.PerWork, "per-byte", "per-step") },
		take: func(s *Settings, v value) { s.Policy.PerWork = v.either("per-step", "per-byte") == "per-byte" }},
	{name: "kernel_families", take: (*Settings).takeFamilies, text: (*Settings).familyText,
		above: "\n# Families of kernels that the built-in table gets wrong; the first match counts.\n"},
	{name: "communication", take: (*Settings).takeCommunication,
		text:  func(s *Settings) string { return list(asText(s.Load.Communication)) },
		above: "# Kernels that move data between ranks, beside those of known libraries.\n"},
	{name: "require_equal", beside: "facts that must be equal for a verdict, as in [gpu, driver]",
		text: func(s *Settings) string { return list(s.Policy.RequireEqual) },
		take: func(s *Settings, v value) {
			each(v, "a list of facts, as in [gpu, driver]", "a fact, as in gpu", s.checked(&s.Policy.RequireEqual))
		}},
	{name: "fail_on",
		beside: "what fails beside regressed: " + strings.Join(policy.Outcomes()[1:], ", ") + ", or a kind of findings",
		text:   func(s *Settings) string { return list(s.Policy.FailOn) },
		take: func(s *Settings, v value) {
			each(v, "a list of outcomes, as in [regressed, missing-rank]", "an outcome, as in regressed",
				joined(v, s.TakeFailOn))
		}},
	{name: "gate_causes",
		beside: "fail on a kernel, collective or cause beyond what its peers differ by, from the step's threshold on",
		text:   func(s *Settings) string { return strconv.FormatBool(s.Policy.GateCauses) },
		take:   func(s *Settings, v value) { s.Policy.GateCauses = v.yes() }},
	{name: "allow", beside: "what may be missing although the gate passes: " + strings.Join(policy.Allowable(), ", "),
		text: func(s *Settings) string { return list(s.Policy.Allow) },
		take: func(s *Settings, v value) {
			each(v, "a list of what may be missing, as in [few-steps]", "what may be missing, as in few-steps",
				joined(v, s.TakeAllow))
		}},
	{name: "title", text: func(s *Settings) string { return strconv.Quote(s.Title) },
		take:  func(s *Settings, v value) { v.refuse(said(v.path, s.TakeTitle(v.text("text, as in 'Direct reads'")))) },
		above: "\n# What reports call the comparison, and its baseline and candidate, as in [buffered, O_DIRECT].\n"},
	{name: "names", take: (*Settings).takeNames, text: func(s *Settings) string { return list(s.Names) }},
	{name: "waivers", take: (*Settings).takeWaivers, text: (*Settings).waiverText, above: waiverComment},
}

const gatingComment = `# Metrics that fail a build, at most 10. They share one error rate by Holm's rule, and the step
# time has four fifths of it; leave that out only with without_step_time: true. drift gates only with a history.
`

// waiverComment explains waivers in the file that perfdiff policy prints.
const waiverComment = `
# A waiver lets a regression through, up to a size (what is surely larger fails) and until its last day.
# Findings that fail by fail_on are waived by kind, without a size. Reports warn two weeks before the last day.
#   waivers:
#     - {metric: step_time, up_to: 7%, reason: "new tokenizer", owner: "ana", expires: "2026-12-31"}
#     - {kind: spike, reason: "checkpoints on the slow disk", owner: "ana", expires: "2026-12-31"}
`

// takeAll takes what a file says. The policy is checked after each value that it takes, so that
// an error is about that one.
func (s *Settings) takeAll(d *document) error {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	d.root.keys("keys and values, as in threshold: 2%", names...)
	first := slices.IndexFunc(keys, func(k key) bool { return k.name == "metrics" }) // which says what else can gate
	for _, k := range append([]key{keys[first]}, slices.Delete(slices.Clone(keys), first, first+1)...) {
		if v := d.root.get(k.name); v.node != nil && d.err == nil {
			k.take(s, v)
		}
	}
	s.Load.MarkerOfProject, s.Load.RanksOfProject = true, true
	return d.err
}

// Text is the policy in effect as a commented file that gives it.
func (s *Settings) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The policy of perfdiff. Save it as %s, or name it with --policy.\n", Name)
	b.WriteString("# Flags win over it. What is left out is the default.\n\n")
	for _, k := range keys {
		text := k.text(s)
		if text == "" {
			continue
		}
		if !strings.HasPrefix(text, "\n") {
			text = " " + text
		}
		line := k.name + ":" + text
		if k.beside != "" {
			line = fmt.Sprintf("%-44s # %s", line, k.beside)
		}
		b.WriteString(k.above + line + "\n")
	}
	return b.String()
}

// fraction takes one of the policy's sizes.
func fraction(example string, field func(*policy.Policy) *float64) func(*Settings, value) {
	return func(s *Settings, v value) {
		*field(&s.Policy) = v.fraction(example)
		v.refuse(s.Check())
	}
}

// each takes a list as it grows by one value after the other, so that an error is about the last.
func each(v value, want, item string, take func([]string) error) {
	texts := v.texts(want, item)
	for i, one := range v.list(want) {
		one.refuse(take(texts[:i+1]))
	}
}

// checked takes one of the policy's lists.
func (s *Settings) checked(to *[]string) func([]string) error {
	return func(texts []string) error {
		*to = texts
		return s.Check()
	}
}

// joined takes a list as flags write it.
func joined(v value, take func(string) error) func([]string) error {
	return func(texts []string) error {
		return said(v.path, take(cmp.Or(strings.Join(texts, ","), `""`))) // an empty word is a wrong one
	}
}

// said puts the key in front of an error about its value. Nil stays nil.
func said(key string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return err
}

func pick(yes bool, text, otherwise string) string {
	if yes {
		return text
	}
	return otherwise
}

// block are lines that each begin with mark, or what stands for none.
func block(none, mark string, lines []string) string {
	if len(lines) == 0 {
		return none
	}
	return mark + strings.Join(lines, mark)
}

// list is a list of texts in quotes.
func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// asText are regular expressions as they were written.
func asText(all []*regexp.Regexp) []string {
	out := make([]string, len(all))
	for i, re := range all {
		out[i] = re.String()
	}
	return out
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'g', 6, 64) + "%" }

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

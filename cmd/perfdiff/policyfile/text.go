package policyfile

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	measured "perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// Text is the policy in effect as a commented file that gives it.
func (s *Settings) Text() string {
	p := s.Policy
	var b strings.Builder
	line := func(text, comment string) { fmt.Fprintf(&b, "%-44s # %s\n", text, comment) }
	list := func(v []string) string {
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = strconv.Quote(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	fmt.Fprintf(&b, "# The policy of perfdiff. Save it as %s, or name it with --policy.\n# Flags win over it. What is left out is the default.\n\n", Name)
	b.WriteString("# Metrics whose regression fails, together under Holm's rule, of whose error the\n# step time has four fifths: at most 10; without step_time only where without_step_time: true\n# says so. drift gates only with a history.\ngating:\n")
	for _, g := range p.Gating {
		fmt.Fprintf(&b, "  - %s\n", g)
	}
	if !p.GatesStep() {
		b.WriteString("without_step_time: true\n")
	}
	b.WriteString("\n")
	line("threshold: "+percent(p.Threshold), "smallest change of the step time that matters")
	line("equivalence: "+percent(p.Equal()), "changes within it count as unchanged; not given: 3%, at least 1.5 thresholds")
	line("alpha: "+strconv.FormatFloat(p.Alpha, 'g', -1, 64), "two-sided error of the interval, 0.001 to 0.2: 0.05 is a 95 % interval")
	line("noise_floor: "+percent(p.Floor), "what runs are taken to differ by without a history, at most 10%")
	line("noise_floor_few_steps: "+percent(p.FewFloor), "the same with 3 to 9 steps")
	line("noise_floor_host: "+percent(p.HostFloor), "the same of steps without any GPU work, on shared processors")
	b.WriteString("\n# For single metrics: threshold and level (fail or warn).\n")
	writeRules(&b, p.Rules)
	b.WriteString("\n# What a step is, where ranges named \"step N\" are not there: range or kernel, regular expressions.\n")
	fmt.Fprintf(&b, "steps: {%s}\n", s.stepText())
	fmt.Fprintf(&b, "ranks: %q\n", s.Ranks)
	line("ignore_kernels: "+list(p.IgnoreKernels), "regular expressions of kernels to leave out")
	rule := "usual"
	if p.StrictKernels {
		rule = "strict"
	}
	line("kernel_rule: "+rule, "of all kernels that stand out at most 1 in 20 by chance; strict: however they depend on each other")
	work := perStep
	if p.PerWork {
		work = perByte
	}
	line("work: "+work, "steps that all do another amount of work, as of another batch, are not comparable; per-byte: are compared for the same work")
	b.WriteString("\n# Kernels that belong to another family than the built-in table says, the first match counts.\n")
	b.WriteString("kernel_families: [" + s.familyText() + "]\n")
	b.WriteString("# Kernels that move data between ranks, beside those of the libraries that are known.\n")
	b.WriteString("communication: " + list(asText(s.Load.Communication)) + "\n")
	line("require_equal: "+list(p.RequireEqual), "facts that must be equal, as in [gpu, driver]; else no verdict")
	line("fail_on: "+list(p.FailOn), "beside regressed: "+strings.Join(policy.Outcomes()[1:], ", ")+", or a kind of findings")
	line("gate_causes: "+strconv.FormatBool(p.GateCauses), "a kernel, collective or cause beyond what its peers differ by fails, from the threshold of the step on")
	line("allow: "+list(p.Allow), "what may be missing and the gate pass: "+strings.Join(policy.Allowable(), ", "))
	b.WriteString("\n# How reports are called: a title, and names of baseline and candidate, as in [buffered, O_DIRECT].\n")
	fmt.Fprintf(&b, "title: %q\nnames: %s\n", s.Title, list(s.Names))
	b.WriteString(waiverComment)
	writeWaivers(&b, p.Waivers)
	return b.String()
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

func writeRules(b *strings.Builder, rules map[string]policy.Rule) {
	if len(rules) == 0 {
		b.WriteString("metrics: {}\n")
	} else {
		b.WriteString("metrics:\n")
	}
	for _, metric := range slices.Sorted(maps.Keys(rules)) {
		r := rules[metric]
		var parts []string
		switch {
		case r.Threshold > 0 && metric == measured.Tail: // events, no share
			parts = append(parts, "threshold: "+strconv.FormatFloat(r.Threshold, 'g', -1, 64))
		case r.Threshold > 0:
			parts = append(parts, "threshold: "+percent(r.Threshold))
		}
		if r.Level != "" {
			parts = append(parts, "level: "+string(r.Level))
		}
		if r.Better != "" {
			parts = append(parts, "better: "+r.Better)
		}
		fmt.Fprintf(b, "  %s: {%s}\n", metric, strings.Join(parts, ", "))
	}
}

func writeWaivers(b *strings.Builder, waivers []policy.Waiver) {
	if len(waivers) == 0 {
		b.WriteString("waivers: []\n")
	} else {
		b.WriteString("waivers:\n")
	}
	for _, w := range waivers {
		if w.Kind != "" {
			fmt.Fprintf(b, "  - {kind: %s, reason: %q, owner: %q, expires: %q}\n", w.Kind, w.Reason, w.Owner, w.Expires)
			continue
		}
		fmt.Fprintf(b, "  - {metric: %s, up_to: %s, reason: %q, owner: %q, expires: %q}\n", w.Metric, upTo(w.Metric, w.UpTo), w.Reason, w.Owner, w.Expires)
	}
}

// waiverComment explains waivers in the file that perfdiff policy prints.
const waiverComment = `
# Regressions that are let through for a while, up to a size: what is surely larger fails.
# Findings of a kind that fails by fail_on are let through by kind, without a size.
# Two weeks before its last day a waiver is warned of; behind it, it is not applied.
#   waivers:
#     - {metric: step_time, up_to: 7%, reason: "new tokenizer", owner: "ana", expires: "2026-12-31"}
#     - {kind: spike, reason: "checkpoints on the slow disk", owner: "ana", expires: "2026-12-31"}
`

func (s *Settings) familyText() string {
	var parts []string
	for _, f := range s.Load.Families {
		parts = append(parts, fmt.Sprintf("{family: %q, name: %q}", f.Family, f.Name))
	}
	return strings.Join(parts, ", ")
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
		parts = append(parts, fmt.Sprintf("columns: [%s]", strings.Join(s.columns, ", ")))
	}
	if n := s.Load.Step.SkipFirst; n >= 0 {
		parts = append(parts, fmt.Sprintf("skip_first: %d", n))
	}
	return strings.Join(parts, ", ")
}

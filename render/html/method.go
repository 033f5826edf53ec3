package html

import (
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// methodSection says how the verdict is made, with the numbers of this comparison.
func (s *sheet) methodSection() section {
	if s.r.OfResults {
		return methodOfResults(s)
	}
	p := s.r.Policy
	sec := section{
		ID: "method", Nav: "Method", Title: "How is the verdict made?",
		Reading: "One number per run, compared between runs; steps and ranks only say how exact that number is.",
		Blocks: []block{{Paragraphs: []string{
			"For each step, take the logarithm of the median step time over ranks. Pair steps by number, so that a trend common to both sides cancels. Average batches of steps: this is the run's number.",
			fmt.Sprintf("The interval is a t interval on runs. Without earlier runs to learn from, run-to-run noise of %s is assumed (%s with 3 to 9 steps, %s of steps without GPU work) and named in the verdict.",
				number.Setting(p.Floor), number.Setting(p.FewFloor), number.Setting(p.HostFloor)),
			fmt.Sprintf("Improved or regressed: the %s interval leaves out zero and the estimate is at least %s. Unchanged: the %s interval lies inside \u00b1%s. Inconclusive: everything else, with what would decide it. Under three steps nothing is judged.",
				number.Setting(1-p.Alpha), number.Setting(p.Threshold), number.Setting(0.9), number.Setting(p.Equal())),
			fmt.Sprintf("An inconclusive verdict has two words of its own. Slower (or faster), not yet beyond chance: the estimate is at least %s, and the interval leaves out a change of %s the other way, or would leave out zero if the metric were tested alone. Passed: the gate passes, the estimate is below %s, and no finding says that something got worse; it says from which size on a change for the worse is found in %s of such comparisons: the border of a verdict, and the %s quantile of the t distribution beyond it.",
				number.Setting(p.Threshold), number.Setting(p.Threshold), number.Setting(p.Threshold), number.Setting(verdict.Power), number.Setting(verdict.Power)),
			"Two levels of noise are kept apart. What tells these very runs apart is the interval within them, from what is left of the spread of batches about a line. How far another run of the job would differ is learned or assumed, and the tipping point says what the verdict hangs on: the largest deviation between runs with which the interval still leaves out zero, found by solving for it (a sensitivity analysis; Rosenbaum 2002, VanderWeele and Ding 2017).",
			"How many runs would decide is planned for the same chance, if the difference is what it looks like.",
			s.gatingText(), s.historyText(),
		}}},
	}
	if terms := s.policyTerms(); terms != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "Policy", Terms: terms})
	}
	names := &table{Label: "names that count as one", Heads: []head{{Text: "What is folded", Left: true}, {Text: "Recorded", Left: true}, {Text: "Counts as", Left: true}}}
	for _, f := range kernelname.Foldings() {
		names.Rows = append(names.Rows, row{Cells: []cell{headCell(number.Capital(f.Name)), leftCell(f.Before), leftCell(f.After)}})
	}
	sec.Blocks = append(sec.Blocks, block{Heading: "Names of kernels and ranges", Values: names,
		Sub: "Spellings of one name count as one. Template arguments stay: types and tile sizes are what tells two kernels of a library apart."})
	return sec
}

func (s *sheet) gatingText() string {
	gates := s.r.Policy.Gates()
	if len(gates) == 1 {
		return "One metric gates: " + gates[0] + "."
	}
	return fmt.Sprintf("The verdict takes %s metrics into account (%s). Together they are held to one error rate by Holm's rule, of which the step time has four fifths; their intervals hold for all of them at once. A part of the step matters by its share of the step, and what runs differ by in it is assumed for each part by itself; drift gates only with past runs to learn from.",
		number.Word(len(gates)), strings.Join(gates, ", "))
}

func (s *sheet) historyText() string {
	if text := words.History(s.r); text != "" {
		return text
	}
	return "No past runs were given (--history)."
}

// policyTerms says what the policy decides besides the gating metrics.
func (s *sheet) policyTerms() [][2]string {
	p := s.r.Policy
	var out [][2]string
	for _, metric := range slices.Sorted(maps.Keys(p.Rules)) {
		r, text := p.Rules[metric], ""
		if r.Threshold > 0 {
			text += "threshold " + number.Format(r.Threshold) + "; "
		}
		if r.Level != "" {
			text += "level " + string(r.Level) + "; "
		}
		if r.Better != "" {
			text += r.Better + " is better; "
		}
		out = append(out, [2]string{metric, strings.TrimSuffix(text, "; ")})
	}
	if !slices.Equal(p.FailOn, []string{"regressed"}) || p.WarnOnly || p.Escalate {
		text := strings.Join(p.FailOn, ", ")
		if p.WarnOnly {
			text += "; only a warning"
		}
		if p.Escalate {
			text += "; more runs are asked for where one or two runs per side look slower"
		}
		out = append(out, [2]string{"Fails on", text})
	}
	if p.GateCauses {
		out = append(out, [2]string{"Single causes", "fail where they are beyond what their peers differ by"})
	}
	if len(p.Allow) > 0 {
		out = append(out, [2]string{"May be missing", strings.Join(p.Allow, ", ")})
	}
	if len(p.RequireEqual) > 0 {
		out = append(out, [2]string{"Must be equal", strings.Join(p.RequireEqual, ", ")})
	}
	if len(p.IgnoreKernels) > 0 {
		out = append(out, [2]string{"Kernels left out", strings.Join(p.IgnoreKernels, ", ")})
	}
	for _, w := range p.Waivers {
		out = append(out, [2]string{"Waiver of " + w.Of(), words.Waiver(&w)})
	}
	return out
}

// testTerms are those of the terms that a page of results needs.
var testTerms = []string{"Interval", "Threshold", "Noise floor", "Not yet beyond chance", "Tipping point"}

var glossaryTerms = [][2]string{
	{"Step", "One iteration of training on all ranks, from the first device work of one to the first of the next."},
	{"Rank", "One process and its GPU."},
	{"Compute", "Time in which a kernel that is not communication runs."},
	{"Exposed", "Not hidden: communication without compute beside it, or copies with neither beside them."},
	{"Idle", "Time in which the GPU does nothing; one stretch of it is a gap."},
	{"Overlap", "Communication that compute hides, as a share of all communication."},
	{"Collective", "One operation that all ranks of a group do together, such as all-reduce."},
	{"Interval", "Where the true change between the two sides lies, as far as these runs can tell."},
	{"Threshold", "The smallest change that matters."},
	{"Noise floor", "How much two runs of the same program are assumed to differ."},
	{"Not yet beyond chance", "The change is large enough to matter, and one of that size the other way is excluded; more runs would decide."},
	{"Tipping point", "How much two runs of the same program may differ at most for the change to be beyond chance."},
	{"Not recorded", "The capture cannot answer; it is not zero."},
}

// termed shows text with the meaning of each term at the first place where it stands.
func termed(text string) template.HTML {
	seen := map[string]bool{}
	return template.HTML(termPattern.ReplaceAllStringFunc(template.HTMLEscapeString(text), func(word string) string {
		for _, t := range glossaryTerms {
			if strings.EqualFold(t[0], strings.TrimSuffix(word, "s")) && !seen[t[0]] {
				seen[t[0]] = true
				return `<abbr title="` + template.HTMLEscapeString(t[1]) + `">` + word + `</abbr>`
			}
		}
		return word
	}))
}

// termPattern matches the terms that readers may not know.
var termPattern = regexp.MustCompile(`(?i)\b(exposed|idle|overlap|collectives?|interval|threshold|noise floor|tipping point)\b`)

func (s *sheet) glossarySection() section {
	list := slices.Clone(glossaryTerms)
	if s.r.OfResults {
		list = slices.DeleteFunc(list, func(term [2]string) bool { return !slices.Contains(testTerms, term[0]) })
	}
	for i := range s.r.Metrics { // those of other metrics are at their rows
		if m := &s.r.Metrics[i].Metric; m.Doc != "" {
			list = append(list, [2]string{metricName(m.Name, ""), m.Doc})
		}
	}
	return section{ID: "glossary", Nav: "Words", Reading: number.Capital(number.Counted(len(list), "term")) + ", each with one meaning on this page.", Blocks: []block{{Terms: list}}}
}

// warningText returns a warning as a sentence, with how many files it is of.
func warningText(w *diff.Warning) string {
	text := asSentence(words.Warning(w))
	if w.Count > 1 {
		text += fmt.Sprintf(" (%s files)", number.Count(w.Count))
	}
	return text
}

func (s *sheet) warningSection() section {
	sec := section{ID: "warnings", Nav: "Warnings", Title: "What should you know before you trust this?"}
	b := block{}
	for i := range s.r.Warnings {
		w := &s.r.Warnings[i]
		b.Lines = append(b.Lines, line{Side: number.Capital(w.Side), File: w.File, Text: warningText(w)})
		if len(b.Lines) == maxRows {
			b.Note = number.Count(len(s.r.Warnings)-maxRows) + " more are not on this page: " + jsonHasAll
			break
		}
	}
	caveats := s.r.Caveats()
	for i := range caveats {
		b.Lines = append(b.Lines, line{Side: number.Capital(caveats[i].Side), Text: words.Caveat(s.r, &caveats[i])})
	}
	sec.Reading = warningReading(len(s.r.Warnings), len(caveats))
	sec.Blocks = []block{b}
	return sec
}

// warningReading counts warnings and caveats; it says "No warnings." only if there is neither.
func warningReading(warnings, caveats int) string {
	switch n := warnings + caveats; {
	case n == 0:
		return "No warnings."
	case caveats == 0 && n == 1:
		return "One warning."
	case caveats == 0:
		return number.Capital(number.Word(n)) + " warnings."
	case n == 1:
		return "One thing to know."
	default:
		return number.Capital(number.Word(n)) + " things to know."
	}
}

// asSentence makes a text begin with a capital and end with a full stop.
func asSentence(text string) string {
	text = number.Capital(strings.TrimSpace(text))
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

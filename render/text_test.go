package render

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// TestTags: every way a comparison ends has its word, in text and Markdown.
func TestTags(t *testing.T) {
	want := map[string]string{
		"improved": "FASTER", "regressed": "SLOWER", "unchanged": "UNCHANGED", "inconclusive": "NOT SURE",
		"sizes differ": "NOT COMPARABLE", "too few": "NOT JUDGED", "no steps": "NOT JUDGED", "without steps": "NOT JUDGED",
	}
	for name, r := range verdicts() {
		if got := write(t, r, Text, Options{}); !strings.HasPrefix(got, want[name]+"  "+words.Headline(&r.Headline)[:10]) {
			t.Errorf("%s: text begins with %.60q, want %q", name, got, want[name])
		}
		if got := write(t, r, Markdown, Options{}); !strings.HasPrefix(got, "### "+want[name]+": "+words.Headline(&r.Headline)[:10]) {
			t.Errorf("%s: markdown begins with %.60q, want %q", name, got, want[name])
		}
	}
}

func TestText(t *testing.T) {
	const want = `FASTER  Steps take 81 ms less (−51 %).

  The median step went from 160 to 79 ms. Merge if the difference named next is
  meant.
  Look first: Driver: 550.127.05, in the baseline 550.90.07 (the driver can
  change clocks, launches and copies).

  Faster?      yes; by stretches of steps it is 48 to 52 % (95 % interval
               between runs; limit 2 %)
  The change?  open: what takes the time was not recorded
  Based on     1 run of 16 ranks × 17 steps per side; runs differ by 1.5 %
               (assumed)

  Also  Exposed communication fell from 47.2 to 0.6 ms per step.
        Idle time fell from 53 to 18 ms per step.
        A gap of 1.00 ms before AllReduce remains in the candidate.

  Know  Rank 15 of the baseline is missing.
        candidate: report.3.sqlite: 12 kernels have no launch: some of the
        capture was lost (record with a larger buffer)


metric              baseline candidate      change  95 % interval verdict
step_time             160 ms     79 ms      −81 ms     −83 to −77 improved
host_step_time        160 ms     79 ms      −82 ms     −83 to −77 improved
compute_time        60.10 ms  60.00 ms        same    within 0.72
comm_time              58 ms      9 ms      −49 ms     −50 to −48 improved
exposed_comm_time    47.2 ms    0.6 ms    −46.6 ms −46.7 to −46.3 improved
exposed_memory_time     0 ms      0 ms        same              –
idle_time              53 ms     18 ms      −34 ms     −35 to −33 improved
busy_share            67.0 %    76.7 % +9.7 points  +8.1 to +11.3 improved
overlap                 19 %      93 %  +74 points     +71 to +77 improved
input_wait_time        – [1]   4.00 ms           –              – not recorded
io_read_throughput  0.6 GB/s  1.9 GB/s   +1.3 GB/s   +1.1 to +1.5 improved
compute_skew         1.10 ms   1.08 ms    −0.02 ms −0.10 to +0.06 inconclusive
same steps: host_step_time −80 ms (stretches of steps)

What was compared
  baseline   ranks 0-14 of 16 from file name, rank 15 missing, 2 hosts
  candidate  ranks 0-15 of 16 from file name, 2 hosts
  steps      range "step N": 19 found, 17 kept, 17 used; left out step 11 (first
             step: the profiler starts in it), step 29 (last step: nothing in
             the capture ends it)
  values     means over ranks and steps; intervals are of the median rank's
             change

[1] Not recorded in the baseline. Needs a range around fetching a batch.

-o report.html shows steps and ranks.
`
	if got := write(t, improved(), Text, Options{Tables: true}); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestWidths: no line is longer than the terminal is wide, and nothing that
// matters is lost on a narrow one.
func TestWidths(t *testing.T) {
	reports := verdicts()
	reports["hostile"], reports["long"] = hostile(), long()
	for name, r := range reports {
		for _, width := range []int{120, 80, 60, 40, 24} {
			got := write(t, r, Text, Options{Width: width, Tables: true})
			for line := range strings.Lines(got) {
				if line = strings.TrimSuffix(line, "\n"); columnsOf(line) > width || strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d: line %q has %d columns or blanks at its end", name, width, line, columnsOf(line))
					break
				}
			}
			for i := range r.Metrics[:min(12, len(r.Metrics))] {
				o := rowOf(&r.Metrics[i])
				if name == "hostile" || name == "long" || strings.Contains(got, o.metric) && strings.Contains(got, spaces.Replace(o.Cand)) && strings.Contains(got, o.verdict) {
					continue
				}
				t.Errorf("%s at %d: %s, %s or %s is missing", name, width, o.metric, o.Cand, o.verdict)
			}
		}
	}
}

// TestLayouts: intervals are shown in the table where they fit, and in the two
// lines of a narrow terminal.
func TestLayouts(t *testing.T) {
	for width, want := range map[int]string{
		120: "−49 ms (−84 %)      −50 to −48  improved", 80: "−49 ms     −50 to −48 improved",
		67: "   −49 ms  improved", 60: "−49 ms (−50 to −48 ms)\n", 40: "−49 ms (−50 to −48 ms)\n",
	} {
		if got := write(t, improved(), Text, Options{Width: width, Tables: true}); !strings.Contains(got, want) {
			t.Errorf("at %d columns: want %q in\n%s", width, want, got)
		}
	}
}

var sequence = regexp.MustCompile("\x1b\\[[0-9]*m")

// TestColor: colours are added to the same text, and are never the only carrier.
func TestColor(t *testing.T) {
	for name, r := range verdicts() {
		for _, width := range []int{80, 40} {
			plain, coloured := write(t, r, Text, Options{Width: width, Tables: true}), write(t, r, Text, Options{Width: width, Tables: true, Color: true})
			if strings.Contains(plain, "\x1b") {
				t.Errorf("%s: colour without Color", name)
			}
			if got := sequence.ReplaceAllString(coloured, ""); got != plain {
				t.Errorf("%s at %d: text differs with colours:\n%s", name, width, got)
			}
			if !strings.HasPrefix(coloured, "\x1b[") {
				t.Errorf("%s: the tag has no colour", name)
			}
		}
	}
	if got := write(t, verdicts()["regressed"], Text, Options{Color: true}); !strings.HasPrefix(got, "\x1b[31mSLOWER\x1b[0m  Step") {
		t.Errorf("regressed is not red: %.40q", got)
	}
}

// TestColourIsTheVerdict: changes as large as they are have no colour, on a terminal and in the
// figures of a write-up, and none are bold on a pull request, where no verdict says better
// or worse.
func TestColourIsTheVerdict(t *testing.T) {
	coloured := map[verdict.Verdict]bool{verdict.Improved: true, verdict.Regressed: true, verdict.Unchanged: false, verdict.Inconclusive: false}
	for judgedAs, want := range coloured {
		r := improved()
		r.Verdict, r.Findings = judgedAs, nil
		for i := range r.Metrics {
			r.Metrics[i].Verdict = judgedAs
		}
		r.Parts = nil
		r.Waterfall = cause.Waterfall{Base: 0.16, Cand: 0.08, Parts: []cause.Part{{PartChange: cause.PartChange{StepPart: cause.StepPart{Key: r.Metrics[0].Key}, Base: 0.16, Cand: 0.08, Delta: -0.08}}}}
		text := write(t, r, Text, Options{Color: true})
		if got := strings.Contains(text, colourSequences["better"]) || strings.Contains(text, colourSequences["worse"]); got != want {
			t.Errorf("%v: colour on the terminal is %v", judgedAs, got)
		}
		if got := strings.Contains(write(t, r, Markdown, Options{}), "**"+judgedAs.String()+"**"); got != want {
			t.Errorf("%v: bold in Markdown is %v", judgedAs, got)
		}
		figure := string(partFigure(r).File(0))
		if got := strings.Contains(figure, plot.PlainInk.Better) || strings.Contains(figure, plot.PlainInk.Worse); got != want {
			t.Errorf("%v: colour of the part's bar is %v", judgedAs, got)
		}
	}
}

// TestTextIsPrintable: no control sequence of a name reaches a terminal.
func TestTextIsPrintable(t *testing.T) {
	for name, r := range map[string]*diff.Report{"hostile": hostile(), "long": long()} {
		for _, f := range []Format{Text, Markdown} {
			for _, c := range write(t, r, f, Options{}) {
				if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) {
					t.Fatalf("%s, %v: %q is in the output", name, f, c)
				}
			}
		}
	}
}

// TestTextIsShort: a summary stays one however much there is to say.
func TestTextIsShort(t *testing.T) {
	r := long()
	r.Metrics = r.Metrics[:12]
	if got := strings.Count(write(t, r, Text, Options{}), "\n"); got > 200 {
		t.Errorf("got %d lines", got)
	}
	r = improved()
	r.Warnings = append(r.Warnings, r.Warnings...)
	if got := strings.Count(write(t, r, Text, Options{}), "12 kernels"); got != 1 {
		t.Errorf("a warning is shown %d times", got)
	}
}

func TestHintIsShownOnce(t *testing.T) {
	r := noSteps()
	if got := strings.Count(strings.Join(strings.Fields(write(t, r, Text, Options{})), " "), "o ranges were recorded"); got != 1 {
		t.Errorf("with the hint in the basis: shown %d times, want 1", got)
	}
	r.Hints = nil
	if got := strings.Count(strings.Join(strings.Fields(write(t, r, Text, Options{Tables: true})), " "), "o ranges were recorded"); got != 1 {
		t.Errorf("with the hint elsewhere: shown %d times, want 1", got)
	}
}

func TestStretches(t *testing.T) {
	for _, c := range []struct {
		in   []int
		want string
	}{
		{nil, ""}, {[]int{3}, "3"}, {[]int{0, 1, 2, 5}, "0-2, 5"},
		{[]int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, "0, 2, 4, 6, 8, 10, 12, 14, and 2 more"},
	} {
		if got := sides.Ranges(c.in); got != c.want {
			t.Errorf("sides.Ranges(%v): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"abc", "abc"}, {"a\tb\nc", "a b c"}, {"a\x1b[0mb\u200b", "a\ufffd[0mb\ufffd"},
		{strings.Repeat("a", 50) + strings.Repeat("z", 50), strings.Repeat("a", 35) + "…" + strings.Repeat("z", 24)},
		{strings.Repeat("ä", 1<<20), strings.Repeat("ä", 35) + "…" + strings.Repeat("ä", 24)},
	} {
		if got := shortName(c.in); got != c.want {
			t.Errorf("name(%.20q): got %q, want %q", c.in, got, c.want)
		}
	}
}

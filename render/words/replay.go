package words

import (
	"math"
	"strconv"
	"strings"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// What is said of kernels that Nsight Compute replayed one by one. They share no sentence with
// those of a timeline, so that nobody takes one time for the other.

// ReplayBasis says what the numbers are and what they are not.
const ReplayBasis = "Each kernel was replayed by itself, by default with flushed caches and at a clock that Nsight Compute sets. " +
	"Its time is not the one that it has in the job."

// voids are the headlines where nothing can be judged.
var voids = map[compute.VoidKind]string{
	compute.VoidDevice:    "No verdict: the two sides are not comparable.",
	compute.VoidRecording: "No verdict: the two sides were recorded with other settings.",
	compute.VoidSame:      "No verdict: both sides hold the same recording.",
	compute.VoidNumbers:   "No verdict: numbers such as 1,234 can be read in two ways (print the page anew with LC_ALL=C).",
	compute.VoidNothing:   "No verdict: no kernel was launched with the same sizes on both sides.",
}

// ReplayState returns the state of a report for a build.
func ReplayState(r *compute.Report) string { return string(r.State) }

// ReplayOutcome returns the outcome of a kernel in a word or two.
func ReplayOutcome(k *compute.Kernel) string {
	switch {
	case replayJudged(k):
		return k.Time.Verdict.String()
	case k.Time.Reason == compute.NoTime:
		return outcomes[verdict.OutcomeNotRecorded]
	}
	return NotJudged
}

// ReplayWhy says as a sentence why a kernel has no verdict; "" where it has one.
func ReplayWhy(k *compute.Kernel) string {
	switch k.Time.Reason {
	case compute.FewLaunches:
		return "Not judged: a verdict needs " + number.Word(compute.MinLaunches) + " launches on each side, since a replay of several passes is one sample (record more: ncu --launch-count)."
	case compute.OtherClock:
		return "Not judged: the SM clock differs between the sides, and a time follows it (record both at one clock)."
	case compute.NoTime:
		return "Its duration is not recorded on both sides (collect it with --section SpeedOfLight)."
	case compute.ManyCompared:
		return "Beyond chance by itself, and not among as many kernels as were compared."
	}
	return ""
}

// ReplayChange says how a kernel's time changed, and what coincides with it most.
func ReplayChange(k *compute.Kernel) string {
	t := replayTime(k)
	if t == nil {
		return ""
	}
	sc := number.ScaleOf("s", math.Max(t.Base.Median, t.Cand.Median))
	if sc.Format(t.Cand.Median) == sc.Format(t.Base.Median) {
		return "Takes as long as before (" + sc.With(t.Cand.Median) + ")."
	}
	text := "Takes " + sc.With(t.Cand.Median) + " instead of " + sc.With(t.Base.Median) + " (" + ReplayPercent(k) + ")."
	if c := k.FirstCause(); c != nil {
		text += " " + replayFirst(c)
	}
	return text
}

func replayTime(k *compute.Kernel) *compute.Measure {
	for i := range k.Quantities {
		if m := &k.Quantities[i]; m.ID == ncu.Duration && m.Base.N > 0 && m.Cand.N > 0 {
			return m
		}
	}
	return nil
}

// ReplayPercent returns the change of a kernel's time.
func ReplayPercent(k *compute.Kernel) string {
	c := &k.Time
	if math.IsNaN(c.Estimate) {
		return number.None
	}
	lo, hi := c.Lo, c.Hi
	if math.IsNaN(lo) {
		lo, hi = c.Estimate, c.Estimate
	}
	return number.PercentFor(c.Estimate, lo, hi).Signed(c.Estimate) + number.Space + "%"
}

// ReplayInterval writes the interval of the change of a kernel's time; a dash where there is none.
func ReplayInterval(k *compute.Kernel) string {
	c := &k.Time
	if math.IsNaN(c.Lo) {
		return number.None
	}
	p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
	return p.Signed(c.Lo) + " to " + p.Signed(c.Hi) + number.Space + "%"
}

// replayFirst says what a change coincides with most.
func replayFirst(c *compute.Cause) string {
	text := "It coincides most with " + ReplayCause(c)
	if !math.IsNaN(c.Share) {
		text += ", " + replayShare(c)
	}
	return text + "."
}

func replayShare(c *compute.Cause) string {
	if c.Share < 0 {
		return "which goes the other way"
	}
	if c.Share >= 0.95 && c.Share <= 1.05 {
		return "which goes with all of the change"
	}
	if c.Share > 1.05 { // others go the other way
		return "which is more than the whole change"
	}
	return "which goes with " + strconv.Itoa(int(math.Round(100*c.Share))) + number.Space + "% of the change"
}

// ReplayCauses lists what a change coincides with, besides the first cause.
func ReplayCauses(k *compute.Kernel) (out []string) {
	first := k.FirstCause()
	for i := range k.Causes {
		if c := &k.Causes[i]; c != first {
			text := ReplayCause(c)
			if !math.IsNaN(c.Share) {
				text += ", " + replayShare(c)
			}
			out = append(out, number.Capital(text)+".")
		}
	}
	if !math.IsNaN(k.Unexplained) && math.Abs(k.Unexplained) >= 0.25 {
		out = append(out, "What was recorded leaves "+strconv.Itoa(int(math.Round(100*math.Abs(k.Unexplained))))+number.Space+"% of the change open.")
	}
	return out
}

// ReplayCause names a factor with its values on both sides.
func ReplayCause(c *compute.Cause) string {
	sc := ReplayScale(c.Unit, math.Max(c.Base, c.Cand))
	values := sc.With(c.Cand) + " instead of " + sc.Format(c.Base)
	switch c.Kind {
	case compute.CauseStall:
		return "stall " + ReplayStall(c.Stall) + ": warps wait " + number.Format(c.Cand) + " cycles per issued instruction for it instead of " + number.Format(c.Base)
	case compute.CauseShare:
		return "stall " + ReplayStall(c.Stall) + ": " + values + " of the warps"
	case compute.CauseLatency:
		return "the latency of an instruction: " + number.Format(c.Cand) + " cycles instead of " + number.Format(c.Base)
	case compute.CauseInstructions:
		return "executed instructions: " + number.Format(c.Cand) + " instead of " + number.Format(c.Base)
	case compute.CauseWarps:
		return "active warps per scheduler: " + number.Format(c.Cand) + " instead of " + number.Format(c.Base)
	case compute.CauseClock:
		return "the SM clock: " + values
	}
	return ""
}

// ReplayStall returns the name of a stall reason as Nsight Compute shows it: "Long Scoreboard".
func ReplayStall(reason string) string {
	parts := strings.Split(reason, "_")
	for i, p := range parts {
		switch p {
		case "lg", "mio", "imc":
			parts[i] = strings.ToUpper(p)
		default:
			parts[i] = number.Capital(p)
		}
	}
	return strings.Join(parts, " ")
}

// ReplayScale returns how values of a metric of Nsight Compute are written.
func ReplayScale(unit string, largest float64) number.Scale {
	switch unit {
	case "B/block": // 228 kB at most
		return number.Scale{Name: "kB", Factor: 1e-3}
	case "cycle":
		return number.Scale{Name: "cycles", Factor: 1}
	case "register/thread", "inst", "warp", "block", "thread":
		return number.Scale{Name: "", Factor: 1} // the name of the metric says it
	}
	return number.ScaleOf(unit, largest)
}

// ReplaySample writes the median of the launches of one side; "not recorded" without any.
func ReplaySample(s *compute.Sample, sc number.Scale) string {
	switch {
	case s.N == 0:
		return outcomes[verdict.OutcomeNotRecorded]
	case sc.Name == "" && s.Median == math.Trunc(s.Median): // registers, blocks
		return number.Times(s.Median)
	}
	return sc.With(s.Median)
}

// ReplaySpread writes the quartiles of the launches of one side; "" for one launch, or if they are equal.
func ReplaySpread(s *compute.Sample, sc number.Scale) string {
	if s.N < 2 || sc.Format(s.Lower) == sc.Format(s.Upper) {
		return ""
	}
	return sc.Format(s.Lower) + " to " + sc.Format(s.Upper)
}

// ReplayDelta writes the change of a metric: in points for a share, else in per cent; a dash where a side does not
// have it.
func ReplayDelta(m *compute.Measure) string {
	switch {
	case m.Base.N == 0 || m.Cand.N == 0:
		return number.None
	case m.Unit == "ratio":
		return number.Signed((m.Cand.Median-m.Base.Median)*100) + " " + Points
	case m.Base.Median == m.Cand.Median:
		return "0"
	case m.Base.Median == 0:
		return number.None
	}
	change := m.Cand.Median/m.Base.Median - 1
	return number.PercentFor(change, change, change).Signed(change) + number.Space + "%"
}

// ReplayDifference returns a fact in which the sides differ: its name, both values and what that can do.
func ReplayDifference(d *compute.Difference) (name, base, cand, effect string) {
	base, cand = d.Values[0], d.Values[1]
	if d.Fact == compute.MeasuredClock || d.Fact == compute.MeasuredMemoryClock {
		a, _ := strconv.ParseFloat(base, 64)
		b, _ := strconv.ParseFloat(cand, 64)
		base, cand = number.Megahertz.With(a), number.Megahertz.With(b)
	}
	effect = replayEffects[d.Why]
	if effect == "" {
		effect = effects[d.Why]
	}
	return d.Fact, base, cand, effect
}

// replayEffects say as clauses what a difference in how kernels were recorded can do.
var replayEffects = map[policy.Effect]string{
	compute.OtherClockSetting: "kernels were replayed at another clock",
	compute.OtherCacheSetting: "kernels found other data in their caches",
	compute.OtherReplay:       "what ran before a kernel, and what it found in its caches, was not the same",
	compute.OtherVersion:      "versions define metrics and choose clocks in other ways",
	compute.OtherMetrics:      "more or fewer metrics were collected",
	compute.SeveralDevices:    "a side has several, and its launches are compared as if they had run on one",
}

// ReplayUnknown says what nobody can tell of how the sides were recorded; "" if it is known.
func ReplayUnknown(r *compute.Report) string {
	if len(r.Unknown) == 0 {
		return ""
	}
	return "Not known of both sides: " + strings.Join(r.Unknown, ", ") + ". Check that they were the same. " +
		"A table does not hold them; they are read where the command that recorded, and what ncu printed above the table, are kept in the file."
}

// ReplayMissing says which metrics a kernel lacks and which option collects them, one line for each section.
func ReplayMissing(k *compute.Kernel) (out []string) {
	type gap struct {
		section    string
		base, cand bool
	}
	var order []gap
	of := map[gap][]string{}
	for _, m := range k.Missing {
		g := gap{m.Section, m.Base, m.Cand}
		if of[g] == nil {
			order = append(order, g)
		}
		of[g] = append(of[g], m.Quantity)
	}
	for _, g := range order {
		where := "on both sides"
		if !g.base {
			where = "in the candidate"
		} else if !g.cand {
			where = "in the baseline"
		}
		option := "collect with --section " + g.section
		if g.section == "WarpStateStats" || g.section == "SpeedOfLight_RooflineChart" {
			option += " and print with --page raw"
		}
		out = append(out, "Not recorded "+where+": "+strings.Join(of[g], ", ")+" ("+option+").")
	}
	return out
}

// ReplayLone says what kernels only one side has.
func ReplayLone(l *compute.Lone, side int) string {
	text := number.Counted(l.Launches, "launch") + " in the " + sideName(side) + " only"
	if l.Launches > 1 {
		text = number.Count(l.Launches) + " launches in the " + sideName(side) + " only"
	}
	if l.OtherSizes {
		text += "; the other side launched it with another grid or block"
	}
	return text
}

func sideName(side int) string { return [2]string{"baseline", "candidate"}[side] }

// ReplaySizes returns the grid and block of a kernel.
func ReplaySizes(grid, block string) string {
	var parts []string
	if grid != "" {
		parts = append(parts, "grid "+grid)
	}
	if block != "" {
		parts = append(parts, "block "+block)
	}
	return strings.Join(parts, ", ")
}

// ReplayLaunches says how often a kernel was launched on both sides.
func ReplayLaunches(k *compute.Kernel) string {
	a, b := number.Count(k.Launches[0]), number.Count(k.Launches[1])
	if a == b {
		return a + " per side"
	}
	return a + " and " + b
}

// ReplayMismatch says why a metric is not compared.
func ReplayMismatch(m *compute.Mismatch) string {
	units := m.Units
	for i, u := range units {
		if u == "" {
			units[i] = "no unit"
		}
	}
	return "recorded in " + units[0] + " and in " + units[1] + ", which are not converted into each other"
}

// ReplayRoofline says where a kernel stands under the roofs of its device on one side.
func ReplayRoofline(x *ncu.Roofline) string {
	roof, where, beyond := "memory", "under", ""
	if x.Intensity() >= x.Ridge() {
		roof = "compute"
	}
	if x.Share() > 1 {
		where, beyond = "above", ": the peak or the count of operations is wrong"
	}
	return number.ScaleOf("FLOP/s", x.Work).With(x.Work) + " at " + number.With(x.Intensity(), "FLOP/B") + ", " + where + " the roof of " + roof + ", " + number.Share(x.Share()) + " of it" + beyond
}

package words

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// doubt says what is not known, as a clause without its side.
func doubt(d *sides.Doubt) string {
	base, cand := d.Runs[0], d.Runs[1]
	switch d.Kind {
	case sides.DoubtSameRun:
		return fmt.Sprintf("run %s of the candidate is run %s of the baseline", cand, base)
	case sides.DoubtSameFiles:
		return fmt.Sprintf("%d of %s of run %s of the candidate are also those of run %s of the baseline",
			d.Files, number.Counted(d.Of, "file"), cand, base)
	case sides.DoubtSameRecording:
		return fmt.Sprintf("run %s of the candidate is the recording of run %s of the baseline, exported again", cand, base)
	case sides.DoubtOtherRanks:
		return fmt.Sprintf("the baseline holds ranks %s of the job and the candidate ranks %s", sides.Ranges(d.Ranks[0]), sides.Ranges(d.Ranks[1]))
	case sides.DoubtRankSources:
		return fmt.Sprintf("the ranks do not match, and not all are the profiles' own numbers: ranks %s of the baseline by %s, ranks %s of the candidate by %s",
			sides.Ranges(d.Ranks[0]), strings.Join(d.From[0], ", "), sides.Ranges(d.Ranks[1]), strings.Join(d.From[1], ", "))
	case sides.DoubtTimeUnit:
		return timeUnit(d)
	case sides.DoubtRankTimes:
		return rankTimes(d)
	case sides.DoubtDeviceClock:
		return deviceClock(d)
	}
	return d.Read.Text
}

// doubtful says in short what is in doubt; "" nothing.
func doubtful(d *sides.Doubt) string {
	switch {
	case d == nil:
		return ""
	case d.Kind == sides.DoubtSameRun, d.Kind == sides.DoubtSameRecording:
		return "both sides hold the same run"
	case d.Kind == sides.DoubtSameFiles:
		return "both sides hold files of the same run"
	case d.Kind == sides.DoubtOtherRanks:
		return "no rank is on both sides"
	case d.Kind == sides.DoubtTimeUnit:
		return "times of the two sides seem to be in different units"
	case d.Kind == sides.DoubtRankTimes:
		return "step times of ranks differ more than they can"
	case d.Kind == sides.DoubtDeviceClock:
		return "clocks of host and device run at different rates"
	case d.Read.About == run.DoubtRuns:
		return "it is not known what the runs are"
	}
	return "it is not known which ranks the files are of"
}

// ownRuns says what to do about a run that is on both sides.
const ownRuns = "give each side its own runs"

// doubtHints say what settles a doubt, by its kind.
var doubtHints = map[sides.DoubtKind]string{
	sides.DoubtSameRun: ownRuns, sides.DoubtSameFiles: ownRuns, sides.DoubtSameRecording: ownRuns,
	sides.DoubtOtherRanks: "record the same ranks on both sides, or compare these all the same with --force",
	sides.DoubtRankSources: "name the files of both sides alike, as in report.%q{SLURM_PROCID}, " +
		"or say where names hold the rank: --rank-name REGEX with a group rank",
	sides.DoubtTimeUnit:    "see in which unit each side's files hold times, and export them again; --force compares all the same",
	sides.DoubtDeviceClock: "record again, or see what converted the times of the device; --force compares all the same",
	sides.DoubtRankTimes:   "see of which job the files of these ranks are, in which unit they hold times and what marks their steps; --force compares all the same",
}

// doubtHint says what settles a doubt, as a clause.
func doubtHint(d *sides.Doubt) string {
	if d.Kind == sides.DoubtAsRead {
		return d.Read.Hint
	}
	return doubtHints[d.Kind]
}

// doubtOfSide says what is not known, with its side.
func doubtOfSide(d *sides.Doubt) string {
	if d.Side == "" {
		return doubt(d)
	}
	return d.Side + ": " + doubt(d)
}

// doubted says in sentences what is not known and what would settle it.
func doubted(r *diff.Report) string {
	var parts []string
	for i := range r.Ground.Doubts {
		parts = append(parts, number.Capital(doubtOfSide(&r.Ground.Doubts[i]))+". Hint: "+doubtHint(&r.Ground.Doubts[i])+".")
	}
	return strings.Join(parts, " ")
}

// Hints returns what the basis of a report advises.
func Hints(r *diff.Report) []string {
	out := slices.Clone(r.Hints)
	if r.Reason == verdict.ReasonUnclear {
		for i := range r.Ground.Doubts {
			out = append(out, doubtHint(&r.Ground.Doubts[i]))
		}
	}
	if hint := workHint(r); hint != "" {
		out = append(out, hint)
	}
	return out
}

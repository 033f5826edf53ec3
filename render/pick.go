package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// PickedStep is a step that is worth a person's attention, as in JSON.
type PickedStep struct {
	Why     []diff.PickKind `report:"why"`
	Reason  string          `report:"reason"` // the same, for people
	Side    string          `report:"side"`   // "baseline", "candidate"; "" of one run set
	Run     string          `report:"run"`
	Rank    int             `report:"rank"`
	Host    string          `report:"host"`
	File    string          `report:"file"` // relative to the run set; "": not known
	Step    int64           `report:"step"`
	Time    float64         `report:"step_time"` // s
	Start   *int64          `report:"start"`     // ns, by the clock of the file; null: not known
	End     *int64          `report:"end"`
	Command string          `report:"command"` // for a shell; "": there is none
	Note    string          `report:"note"`
}

// PickList returns the rows that are written about picks. paths holds where their files are, "" where they are not
// found; pair is set for two run sets.
func PickList(picks []diff.Pick, paths []string, pair bool) []PickedStep {
	rows := make([]PickedStep, len(picks))
	for i := range picks {
		rows[i] = pickedStep(&picks[i], paths[i], pair)
	}
	return rows
}

// Picks writes steps that are worth a person's eyes, as text or as JSON.
func Picks(w io.Writer, rows []PickedStep, asJSON bool, opt Options) error {
	if asJSON {
		return writeIndented(w, map[string]any{"picks": rows})
	}
	t := newText(opt)
	if len(rows) == 0 {
		t.line("", 0, "There is nothing to pick: no steps were found.")
	}
	for i := range rows {
		picked(t, &rows[i])
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func picked(t *text, p *PickedStep) {
	t.paintedLine("strong", number.Capital(p.Reason), 2, "")
	time := float64(p.Time)
	where := fmt.Sprintf("step %d of rank %d, %s", p.Step, p.Rank, number.ScaleOf("s", time).With(time))
	if p.Rank < 0 {
		where = fmt.Sprintf("step %d of a rank without a number, %s", p.Step, number.ScaleOf("s", time).With(time))
	}
	for _, s := range []string{p.Host, p.Side, p.Run} {
		if s != "" && !strings.HasSuffix(where, ", "+s) { // a run alone is called as its side
			where += ", " + shortName(s)
		}
	}
	t.line("  ", 4, where)
	if p.File != "" {
		t.line("  ", 4, Line(p.File))
	}
	if p.Start != nil {
		t.line("  ", 4, fmt.Sprintf("%s to %s s by its clock", words.ClockSeconds(*p.Start), words.ClockSeconds(*p.End)))
	}
	if p.Command != "" {
		t.WriteString("  " + p.Command + "\n") // as it is, to be pasted: see trace.ShellWord
	}
	if p.Note != "" {
		t.line("  ", 4, p.Note)
	}
}

func pickedStep(p *diff.Pick, at string, pair bool) PickedStep {
	out := PickedStep{
		Reason: pickReason(p), Run: p.Run, Rank: p.Rank, Host: p.Host, File: p.File, Step: p.Step, Time: p.Time,
	}
	for _, r := range p.Reasons {
		out.Why = append(out.Why, r.Kind)
	}
	switch {
	case p.OfBaseline:
		out.Side = baseline
	case pair:
		out.Side = candidate
	}
	if p.Start != trace.NoTime {
		start, end := p.Start, p.End
		out.Start, out.End = &start, &end
	}
	out.Command, out.Note = openCommand(p, at)
	return out
}

// pickReason says why a step is picked.
func pickReason(p *diff.Pick) string {
	var all []string
	for _, r := range p.Reasons {
		all = append(all, pickKindText(r))
	}
	return strings.Join(all, "; ")
}

func pickKindText(r diff.PickReason) string {
	switch size := number.ScaleOf("s", r.Size); r.Kind {
	case diff.PickShortest:
		return "shortest step"
	case diff.PickMedian:
		return "median step"
	case diff.PickLongest:
		return "longest step"
	case diff.PickStraggler:
		return "the late rank: in this step all others together wait " + size.With(r.Size)
	case diff.PickSpike:
		return "a spike, the longest: spikes take " + size.With(r.Size) + " more than the steps around them"
	case diff.PickDifferent:
		return "the rank that differs most from the baseline: its median step changed by " + number.SignedWith(r.Size*100, "%")
	case diff.PickLeastOwn:
		return threeRanks + "least own time, " + size.With(r.Size) + " (a step without waiting for others, where that is recorded)"
	case diff.PickMedianOwn:
		return threeRanks + "median own time, " + size.With(r.Size)
	case diff.PickMostOwn:
		return threeRanks + "most own time, " + size.With(r.Size)
	}
	return "the same rank in the baseline, its median step"
}

const threeRanks = "one of three ranks to see side by side: "

// openCommand returns the command that opens or trims a profile at a step, and what else a user must know; "" each
// where there is nothing.
func openCommand(p *diff.Pick, at string) (command, note string) {
	name := cmp.Or(at, p.File)
	if at == "" && p.File != "" {
		note = "The profile is not beside what was read: put its path into the command."
	}
	word, known := trace.ShellPath(name), p.Start != trace.NoTime
	switch {
	case p.File == "":
		return "", "The rank has several files, and which one holds the step is not recorded."
	case !known:
		return "", "What was read holds no times by a clock, only how long steps take."
	case p.Opener == trace.NsysExport && !takesTimes(p.Profiler):
		return "nsys-ui " + word, strings.TrimSpace("Zoom to this time. " + note)
	case p.Opener == trace.NsysExport:
		return fmt.Sprintf("nsys export --type sqlite --times=%ss/%ss -o rank%d-step%d.sqlite %s",
			words.ClockSeconds(p.Start), words.ClockSeconds(p.End), p.Rank, p.Step, word), note
	case p.Opener == trace.NsysStats && !takesTimes(p.Profiler):
		return "", "Its nsys has no option for a time, which 2023.4 has: open the report that it was exported from at this time."
	case p.Opener == trace.NsysStats:
		return fmt.Sprintf("nsys stats --filter-time %d/%d %s", p.Start, p.End, word), note
	case p.Opener == trace.NsysReport:
		return "", "nsys reads no directory of tables: open the report that it was exported from at this time."
	case p.Opener == trace.Perfetto:
		return "trace_processor --httpd " + word, strings.TrimSpace("Then open https://ui.perfetto.dev, or drop the file there. " + note)
	}
	return "", "No tool is known that opens such a file at a time."
}

// takesTimes reports whether the nsys that recorded takes a stretch of time: by their help 2023.4 has export --times and
// stats --filter-time, and 2022.4 neither.
func takesTimes(profiler string) bool {
	var year, release int
	n, _ := fmt.Sscanf(profiler, "Nsight Systems %d.%d", &year, &release)
	return n == 2 && (year > 2023 || year == 2023 && release >= 4)
}

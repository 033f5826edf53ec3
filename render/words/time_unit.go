package words

import (
	"fmt"

	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// timeUnit says by how much all times of one side are longer, as a clause.
func timeUnit(d *sides.Doubt) string {
	longer, shorter, factor := "candidate", "baseline", d.Factor
	if factor < 1 {
		longer, shorter, factor = shorter, longer, 1/factor
	}
	what := "steps"
	if d.Of > 0 {
		what = fmt.Sprintf("%d of %s that both sides run", d.Count, number.Counted(d.Of, "kernel"))
	}
	return fmt.Sprintf("%s take about %s times as long in the %s as in the %s, as in another unit of time",
		what, number.Format(factor), longer, shorter)
}

// rankTimes says in a clause which ranks have steps that are too short or too long compared with the others.
func rankTimes(d *sides.Doubt) string {
	why := "though these ranks wait for each other"
	if d.InUnit {
		why = "as in another unit of time"
	}
	return fmt.Sprintf("steps of %s%s take %s and those of %s take %s, %s",
		ranksNamed(d.Ranks[0]), ofRun(d), seconds(d.Each[0]), ranksNamed(d.Ranks[1]), seconds(d.Each[1]), why)
}

// deviceClock says that steps take less time on the device than on the host that launches them.
func deviceClock(d *sides.Doubt) string {
	return fmt.Sprintf("steps of %d of %s%s take %s on the device and %s on the host, which launches them",
		d.Count, number.Counted(d.Of, "rank"), ofRun(d), seconds(d.Each[0]), seconds(d.Each[1]))
}

// ofRun names the run of a doubt's side where the side has several: " of run 2".
func ofRun(d *sides.Doubt) string {
	if d.Runs[0] == "" {
		return ""
	}
	return " of run " + d.Runs[0]
}

// seconds returns a time in a unit of its own: "12.5 ms".
func seconds(v float64) string { return number.ScaleOf("s", v).With(v) }

// ranksNamed names ranks: "rank 3", "ranks 0-2".
func ranksNamed(ranks []int) string {
	if len(ranks) == 1 {
		return "rank " + sides.Ranges(ranks)
	}
	return "ranks " + sides.Ranges(ranks)
}

package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// TestBarsOfSteps: however many steps a page shows, their bars are no more than it may have, and
// the typical ones stay as they are.
func TestBarsOfSteps(t *testing.T) {
	for _, many := range []bool{false, true} {
		most := map[bool]int{false: maxTimeBars, true: maxTimeBarsMany}[many]
		for steps := 1; steps < 40; steps++ {
			typical, other := barsOfSteps(steps, many)
			if all := min(2, steps)*typical + max(0, steps-2)*other; all > most || other > typical || steps >= usualSteps && typical != min(most/usualSteps, run.MaxExcerptBars) {
				t.Errorf("%d steps: a typical one has %d bars, the others %d", steps, typical, other)
			}
		}
	}
}

// TestManyExcerpts: with many spikes each has a timeline of few ranks, the one that a finding names
// among them; and the page says what it leaves out.
func TestManyExcerpts(t *testing.T) {
	r := fullReport(24, 60)
	e := &r.Timeline[1][0]
	r.Views = r.Views[:1]
	for i := range 12 {
		more := *e
		more.Step = r.Steps[40+i].Number
		more.Ranks = nil
		for rank := range 24 {
			strip := e.Ranks[0]
			strip.Rank = rank
			more.Ranks = append(more.Ranks, strip)
		}
		r.Timeline[1] = append(r.Timeline[1], more)
		r.Views = append(r.Views, diff.View{Kind: diff.ViewSpike, Side: "candidate", Step: [2]int{0, len(r.Timeline[1]) - 1}, Rank: -1})
	}
	last := len(r.Timeline[1]) - 1
	r.Views = append(r.Views, diff.View{Kind: diff.ViewCulprit, Side: "candidate", Step: [2]int{0, last}, Rank: 20, Beside: []int{21}})
	r.SpikesLeftOut = [2]int{1, 33}
	p := pageOf(r, nil)
	steps := p.data.Timeline.Steps[1]
	var ranks []int
	bars := 0
	for _, x := range steps[last].Ranks {
		ranks = append(ranks, x.Rank)
	}
	for _, x := range steps {
		for _, k := range x.Ranks {
			bars += k.N
		}
	}
	if bars > maxTimeBars || !slices.Contains(ranks, 20) || !slices.Contains(ranks, 21) || len(ranks) >= 24 || !strings.Contains(steps[last].Title, fmt.Sprint(", ", len(ranks), " ranks")) {
		t.Errorf("got %d bars in all; the step %q with the ranks %d", bars, steps[last].Title, ranks)
	}
	page := written(t, r)
	for _, want := range []string{"One more spike of the baseline has no timeline.", "33 more spikes of the candidate have no timeline.", "Rank 20, which a finding names, furthest behind in step "} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestTrackNames: a thread has its name and its number, and the one that runs the steps is the
// main thread however it is called.
func TestTrackNames(t *testing.T) {
	for want, track := range map[string]run.Track{
		"loader_3 (tid 77)": {Host: true, ID: 77, Name: "loader_3"}, "thread 77": {Host: true, ID: 77}, "main thread": {Host: true, Steps: true, ID: 77, Name: "python"},
		"stream 7": {ID: 7}, "other threads": {Host: true, Others: true},
	} {
		if got := trackName(track); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

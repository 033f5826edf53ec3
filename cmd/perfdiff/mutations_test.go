package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// errNotSaid is of an edit of something that files of a format do not hold.
var errNotSaid = errors.New("files of this format do not say it")

// bend is where a recording begins to run at another pace: from at on, in ns, what was recorded den
// apart is num apart, behind a pause of add.
type bend struct{ at, num, den, add int64 }

// bent is where a time lies after bends, which are in order.
func bent(t int64, bends []bend) int64 {
	if t < bends[0].at {
		return t
	}
	out := bends[0].at + bends[0].add
	for i, b := range bends {
		if i+1 == len(bends) || t < bends[i+1].at {
			return out + (t-b.at)*b.num/b.den
		}
		out += (bends[i+1].at-b.at)*b.num/b.den + bends[i+1].add
	}
	return out
}

// right is what may be said of a pair, as the reviews of the program have it: written down before the
// program was asked.
type right struct {
	statuses []int    // of the exit; nil: 0 and 3
	verdicts []string // that are true; nil: unchanged and inconclusive
	findings []string // classes of findings that claim a change and may be there; nil: none
	says     string   // a pattern of what has to be said somewhere; "" nothing
	leans    bool     // it may pass, as what is not beyond chance does, if the first line says that it may be so
	never    string   // a pattern of what would be false; "" nothing
}

// wrong says what is wrong with an answer. A silent pass is one that does not say what has to be said.
func (r right) wrong(a answer) (out []string) {
	statuses, verdicts := r.statuses, r.verdicts
	if statuses == nil {
		statuses = []int{statusOK, statusNotJudged}
	}
	if verdicts == nil {
		verdicts = []string{"unchanged", "inconclusive"}
	}
	if !slices.Contains(verdicts, a.verdict) {
		out = append(out, "false verdict: "+a.verdict)
	}
	leans := r.leans && a.status == statusOK && (strings.HasPrefix(a.headline, "Steps took ") || strings.HasPrefix(a.headline, "Cannot tell"))
	if !slices.Contains(statuses, a.status) && !leans {
		out = append(out, map[bool]string{true: "silent pass", false: "false exit status"}[a.status == statusOK])
	}
	for _, f := range a.changes() {
		if !slices.Contains(r.findings, f.Class) {
			out = append(out, fmt.Sprintf("false finding, %s: %s", f.Class, f.Text))
		}
	}
	if r.says != "" && !regexp.MustCompile(r.says).MatchString(a.said) {
		out = append(out, "it does not say "+r.says)
	}
	if r.never != "" && regexp.MustCompile(r.never).MatchString(a.said) {
		out = append(out, "false reason: "+regexp.MustCompile(r.never).FindString(a.said))
	}
	return out
}

// Answers that several mutations have.
var (
	notJudged = []int{statusNotJudged}
	// A pair of runs does not tell a stall or a level from chance, and measured it all the same: it does
	// not pass.
	slowerOrUnsure = right{statuses: []int{statusRegressed, statusNotJudged}, verdicts: []string{"inconclusive", "regressed"},
		findings: []string{"worse"}, says: `mean step`}
	rowsLost    = right{statuses: notJudged, says: `(?i)lost|missing|not recorded|[0-9]+ of [0-9]+`, never: `waits for a stream|less often`}
	looksFirst  = right{statuses: notJudged, verdicts: []string{"inconclusive", "regressed"}, findings: []string{"worse"}}
	anotherWork = right{statuses: notJudged, says: `(?i)bytes|blocks|batch|unit of work`}
)

// with are the answers of r where something has to be said.
func (r right) with(says string) right { r.says = says; return r }

// truths are the mutations that change what a recording holds, or what it is of, each with its right
// answer (of one run per side).
func truths() []mutation {
	on := func(name string, answer right, edits ...func(recorded) error) mutation {
		return mutation{name: name, cand: edited(oneByOne(edits...)), right: answer}
	}
	list := []mutation{
		on("every 12th kernel lost with its launch", rowsLost, func(f recorded) error { return f.loseEvery(12, true) }),
		on("every 3rd kernel lost with its launch", rowsLost, func(f recorded) error { return f.loseEvery(3, true) }),
		on("every 20th kernel lost", rowsLost, func(f recorded) error { return f.loseEvery(20, false) }),
		on("communication not recorded in the candidate", right{statuses: notJudged, says: `not recorded|Needs communication`}, recorded.loseComm),
		{name: "communication not recorded in the baseline", base: edited(recorded.loseComm), right: right{}},
	}
	for _, ms := range []int64{100, 300, 1_000, 3_000, 10_000} {
		list = append(list, on(fmt.Sprintf("one step stalls for %d ms", ms), slowerOrUnsure, stallOf(ms)))
	}
	gained := right{verdicts: []string{"inconclusive", "improved"}, findings: []string{"better"}, says: `mean step`}
	ended := right{statuses: slowerOrUnsure.statuses, verdicts: slowerOrUnsure.verdicts, findings: []string{"worse"},
		says: `(?i)steps? [01]\b|until step|to step|from step (19|2[01])`, never: `went the other way|hide this`, leans: true}
	noStreams := right{never: `waits for a stream|launched work starts late`}
	return append(list,
		mutation{name: "one step of the baseline stalls for 3 s", base: edited(stallOf(3_000)), right: gained},
		on("first 20 steps 10 % slower", ended, slowFirst(20, 11, 10)),
		on("every 5th step is an evaluation", right{verdicts: []string{"unchanged", "inconclusive", "improved"}, says: `(?i)every (5th|fifth)|5th step|another kind`}, evaluations(5)),
		on("ranges of steps overlap", right{statuses: []int{statusOK}, never: `profiler was off`},
			func(f recorded) error { return f.stretchSteps(3, 2) }),
		on("more is recorded", right{says: `(?i)stacks?|SampledCpu|sampl|backtraces`}, recorded.recordMore),
		on("more is recorded, 8 % slower", looksFirst.with(`(?i)stacks?|SampledCpu|sampl|backtraces`), recorded.recordMore, paced(108, 100)),
		on("half of the SMs", right{statuses: notJudged, says: `(?i)\bSMs?\b|multiprocessor`}, recorded.halveSMs),
		on("half of the SMs, twice as long", right{statuses: notJudged, says: `(?i)\bSMs?\b|multiprocessor`}, recorded.halveSMs, paced(2, 1)),
		on("lower clock, 40 % slower", right{statuses: notJudged, verdicts: looksFirst.verdicts, findings: []string{"worse"}, says: `(?i)clock`},
			recorded.lowerClock, paced(14, 10)).of("nsight"),
		on("another host", right{says: `node0099`}, otherHost).of("nsight"),
		on("another host, 8 % slower", looksFirst.with(`node0099`), otherHost, paced(108, 100)).of("nsight"),
		on("twice the batch", anotherWork, paced(2, 1), func(f recorded) error { return f.scaleWork(2, 1) }),
		on("half the batch", anotherWork, paced(1, 2), func(f recorded) error { return f.scaleWork(1, 2) }),
		on("all times are 10 times as long", right{statuses: notJudged, says: `(?i)unit`}, paced(10, 1)),
		on("all times are 1000 times as long", right{statuses: notJudged, says: `(?i)unit`}, paced(1000, 1)),
		on("clock of the device 3 ms late", noStreams, func(f recorded) error { return f.delayDevice(3_000_000) }),
		on("the loader opened 300 ms before the first step", right{}, func(f recorded) error { return f.openLoaderBefore(300_000_000) }),
	)
}

// of keeps a mutation to recordings of a format, where the other's files do not say what it changes.
func (m mutation) of(format string) mutation { m.format = format; return m }

// oneByOne does edits in order.
func oneByOne(edits ...func(recorded) error) func(recorded) error {
	return func(f recorded) error {
		for _, edit := range edits {
			if err := edit(f); err != nil {
				return err
			}
		}
		return nil
	}
}

func otherHost(f recorded) error { return f.setHost("node0099") }

// paced lets everything take num for den.
func paced(num, den int64) func(recorded) error {
	return func(f recorded) error { return f.warp([]bend{{0, num, den, 0}}) }
}

// fromStep is a bend half a millisecond into a step.
func fromStep(f recorded, step int, b bend) (bend, error) {
	steps, err := f.steps()
	if err == nil && len(steps) <= step {
		err = fmt.Errorf("%d steps", len(steps))
	}
	if err != nil {
		return b, err
	}
	b.at = steps[step] + 500_000
	return b, nil
}

// stallOf lets nothing happen for some ms in step 15.
func stallOf(ms int64) func(recorded) error {
	return func(f recorded) error {
		b, err := fromStep(f, 15, bend{0, 1, 1, ms * 1_000_000})
		if err != nil {
			return err
		}
		return f.warp([]bend{b})
	}
}

// slowFirst lets the first steps take num for den.
func slowFirst(n int, num, den int64) func(recorded) error {
	return func(f recorded) error {
		last, err := fromStep(f, n, bend{0, 1, 1, 0})
		if err != nil {
			return err
		}
		return f.warp([]bend{{0, num, den, 0}, last})
	}
}

// evaluations takes the second half of its kernels, and their time, out of every n-th step.
func evaluations(n int) func(recorded) error {
	return func(f recorded) error {
		steps, err := f.steps()
		if err != nil {
			return err
		}
		var bends []bend
		for i := n - 1; i+1 < len(steps); i += n {
			kernels, err := f.kernels(steps[i], steps[i+1])
			if err != nil || len(kernels) < 2 {
				return fmt.Errorf("step %d: %d kernels, %w", i, len(kernels), err)
			}
			from := kernels[len(kernels)/2]
			if err := f.lose(from, steps[i+1]); err != nil {
				return err
			}
			bends = append(bends, bend{from, 0, 1, 0}, bend{steps[i+1], 1, 1, 0})
		}
		return f.warp(bends)
	}
}

// TestBent: a bend moves what comes later, and both formats' edits do the same to times.
func TestBent(t *testing.T) {
	bends := []bend{{100, 2, 1, 50}, {200, 0, 1, 0}, {300, 1, 1, 0}}
	for at, want := range map[int64]int64{0: 0, 99: 99, 100: 150, 150: 250, 200: 350, 250: 350, 300: 350, 310: 360} {
		if got := bent(at, bends); got != want {
			t.Errorf("%d: got %d, want %d", at, got, want)
		}
	}
}

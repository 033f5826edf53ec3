package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"perfdiff/diff/stat"
)

// noisy are n runs of commits of their own about a level.
func noisy(seed uint64, n int, level, sd float64) (out []Point) {
	g := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		out = append(out, Point{Value: level + sd*g.NormFloat64(), Commit: fmt.Sprintf("%d-%g-%d", seed, level, i)})
	}
	return out
}

func near(t *testing.T, what string, got, want, room float64) {
	t.Helper()
	if !(math.Abs(got-want) <= room) {
		t.Errorf("%s: got %.5f, want %.5f", what, got, want)
	}
}

// TestForward: what was told never moves or vanishes, and a series built anew is the same.
func TestForward(t *testing.T) {
	for seed := range uint64(6) {
		w := world{sd: .01, odd: .05, oddBy: .1, hosts: 6, hostSD: .02, known: true, steps: []Drift{{90, .05}, {150, -.03}, {200, .04}}, never: seed%2 == 1}
		m := w.begin(rand.New(rand.NewPCG(5, seed)), Rule{})
		var told []Change
		for i := range 300 {
			for range m.next() {
			}
			now := m.s.Changes()
			if len(now) < len(told) || !slices.Equal(now[:len(told)], told) {
				t.Fatalf("merge %d: told %v, and now %v", i, told, now)
			}
			told = slices.Clone(now)
		}
		if len(told) < 3 {
			t.Errorf("only %d changes", len(told))
		}
		again := Follow(m.s.Points(), Rule{})
		again.component()
		m.s.component()
		if !reflect.DeepEqual(again, m.s) {
			t.Error("a series built anew is another")
		}
		x := m.pr(.02)
		if a, b := again.Answer(x, Gate{}), m.s.Answer(x, Gate{}); !reflect.DeepEqual(a, b) {
			t.Errorf("the answers differ: %v, %v", a, b)
		}
	}
}

// TestFewRuns: from one run on there is an answer, a wide one.
func TestFewRuns(t *testing.T) {
	want := []struct{ one, three float64 }{{.148, .12}, {.13, .105}, {.08, .07}, {.075, .06}}
	for n := 0; n <= 4; n++ {
		s := Follow(noisy(3, n, .5, .001), Rule{})
		level, runs := s.Newest()
		if n == 0 {
			if d := s.Answer([]Point{{Value: 1}}, Gate{}); d.Answer != NoLevel || d.Held.P != 1 || runs != 0 || len(s.Levels()) != 0 {
				t.Errorf("without runs: %+v", d)
			}
			continue
		}
		near(t, "level", level, .5, .003)
		least := func(k int) float64 {
			for d := 0.0; d < 1; d += .0025 {
				x := make([]Point, k)
				for i := range x {
					x[i].Value = level + d
				}
				if s.Answer(x, Gate{}).Answer == Fail {
					return d
				}
			}
			return 1
		}
		t.Logf("%d runs: one fails from %.3f, three from %.3f; sd %.4f", n, least(1), least(3), s.Noise().SD)
		if got := least(1); got < .02 || got > want[n-1].one+.01 {
			t.Errorf("%d runs: one run fails from %.3f", n, got)
		}
		if d := s.Answer([]Point{{Value: level}}, Gate{Escalate: true}); d.Answer != Pass {
			t.Errorf("%d runs: an unchanged one: %v", n, d.Answer)
		}
	}
}

// TestStep: a step is a change with its place, size and range; a slope is gradual.
func TestStep(t *testing.T) {
	x := append(noisy(1, 60, 0, .01), noisy(2, 10, .05, .01)...)
	s := Follow(x, Rule{})
	c := s.Changes()
	if len(c) != 1 || c[0].At != 60 || c[0].First > 60 || c[0].Last < 60 || c[0].Before != c[0].First-1 || c[0].Gradual || c[0].Seen > 63 {
		t.Fatalf("changes %+v", c)
	}
	near(t, "size", c[0].Size, .05, .015)
	l := s.Levels()
	if len(l) != 2 || l[0].From != 0 || l[0].To != 60 || l[1].From != 60 || l[1].To != 70 || l[1].Runs != 10 {
		t.Errorf("levels %+v", l)
	}
	near(t, "new level", l[1].Value, .05, .01)
	x = noisy(4, 400, 0, .01)
	for i := 100; i < 400; i++ {
		x[i].Value += .0004 * float64(i-100)
	}
	s = Follow(x, Rule{})
	if c := s.Changes(); len(c) == 0 || !slices.ContainsFunc(c, func(c Change) bool { return c.Gradual }) {
		t.Errorf("a slope: %+v", c)
	}
	for _, rule := range []Rule{{}, {Z: OtherZ}} { // two runs are no level, however far off
		x := append(noisy(1, 60, 0, .01), Point{Value: .5}, Point{Value: .5})
		if c := Follow(x, rule).Changes(); len(c) != 0 {
			t.Errorf("two runs: %+v", c)
		}
		if c := Follow(append(x, Point{Value: .5}), rule).Changes(); len(c) != 1 || c[0].At != 60 {
			t.Errorf("three runs: %+v", c)
		}
	}
}

// TestNoise: the noise is learned, with the assumed one for two degrees of freedom; neighbours that go together are
// seen.
func TestNoise(t *testing.T) {
	s := Follow(noisy(9, 200, 3, .02), Rule{})
	near(t, "sd", s.Noise().SD, .02, .004)
	if n := s.Noise(); n.DF != 61 || n.Together != 0 {
		t.Errorf("noise %+v", n)
	}
	one := Follow(noisy(9, 1, 3, .02), Rule{Floor: .03})
	if n := one.Noise(); n.SD != .03 || n.DF != 2 {
		t.Errorf("of one run: %+v", n)
	}
	m := world{sd: .01, ar: .9}.begin(rand.New(rand.NewPCG(1, 2)), Rule{})
	for range 300 {
		m.next()
	}
	near(t, "correlation", m.s.Noise().Together, .85, .12)
	phi, want := m.s.Noise().Together, 1.0
	for j := 1; j < 20; j++ {
		want += 2 * (1 - float64(j)/20) * math.Pow(phi, float64(j))
	}
	near(t, "L(20)", 20*m.s.share(20), want, 1e-9)
}

// TestOddPoints: what is odd, or has no value, is kept and does not count.
func TestOddPoints(t *testing.T) {
	x := noisy(1, 50, 0, .01)
	with := slices.Clone(x)
	for _, i := range []int{10, 30} {
		with = slices.Insert(with, i, Point{Value: .5, Odd: true}, Point{Value: math.NaN()})
	}
	a, b := Follow(x, Rule{}), Follow(with, Rule{})
	av, ar := a.Newest()
	bv, br := b.Newest()
	if av != bv || ar != br || a.Noise() != b.Noise() || len(b.Points()) != 54 || b.Levels()[0].To != 54 || b.Levels()[0].Runs != 50 {
		t.Errorf("%v of %d and %v of %d; %+v", av, ar, bv, br, b.Levels())
	}
}

// TestRepeat: main repeats its odd run, at most twice; a run that a repeat does not confirm is odd, and one that it
// confirms is not.
func TestRepeat(t *testing.T) {
	flat := noisy(1, 40, 0, .01)
	push := func(values ...float64) *Series {
		s := Follow(flat, Rule{})
		for i, v := range values {
			if i > 0 && !s.Repeat().Again {
				t.Fatalf("%v: run %d was not asked for", values, i+1)
			}
			s.Push(Point{Value: v, Commit: "new"})
		}
		return s
	}
	for _, c := range []struct {
		values []float64
		again  bool
		odd    int
	}{
		{[]float64{.01}, false, 0},
		{[]float64{.04}, true, 0},
		{[]float64{-.04}, true, 0},
		{[]float64{.06, .002}, false, 1},
		{[]float64{.035, .002}, false, 0}, // off, and not by four
		{[]float64{.06, .05}, true, 0},
		{[]float64{.06, .05, .001}, false, 2},
		{[]float64{.06, .05, .055}, false, 0},
	} {
		s := push(c.values...)
		if r := s.Repeat(); r.Again != c.again || r.Odd != c.odd || r.Runs != len(c.values) || len(s.Odd()) != c.odd {
			t.Errorf("%v: %+v, odd %v", c.values, r, s.Odd())
		}
	}
	if s := push(.06, .05, .055); len(s.Changes()) != 1 || s.Changes()[0].At != 40 {
		t.Errorf("three runs that agree: %+v", s.Changes())
	}
	s := Follow(flat, Rule{})
	s.Push(Point{Value: .1})
	if r := s.Repeat(); r.Again || r.Off < 5 {
		t.Errorf("a commit of unknown name: %+v", r)
	}
	s = Follow(flat[:4], Rule{})
	s.Push(Point{Value: .1, Commit: "new"})
	if r := s.Repeat(); r.Again || r.Off != 0 {
		t.Errorf("a level of four runs: %+v", r)
	}
}

// TestAnswer: what the runs of a pull request are told.
func TestAnswer(t *testing.T) {
	flat := noisy(1, 60, 0, .01)
	flat[59].Value = 0
	s := Follow(flat, Rule{})
	level, _ := s.Newest()
	runs := func(v ...float64) (out []Point) {
		for _, x := range v {
			out = append(out, Point{Value: level + x})
		}
		return out
	}
	for _, c := range []struct {
		x        []float64
		escalate bool
		answer   Answer
		why      Why
		more     int
	}{
		{[]float64{0}, false, Pass, NotSure, 2},
		{[]float64{.05}, false, Fail, Slower, 2},
		{[]float64{0}, true, Pass, FirstClear, 2},
		{[]float64{.05}, true, Again, FirstUnsure, 2},
		{[]float64{.05, .04}, true, Again, FirstUnsure, 1},
		{[]float64{.05, .04, .045}, true, Fail, Slower, 2},
		{[]float64{.05, .0, .005}, true, Pass, TooSmall, 2},
		{[]float64{.1, .0, .005}, true, Pass, OneSlow, 2},
		{[]float64{.019, .018, .0195}, true, Pass, TooSmall, 2},
		{[]float64{.05, .04, .045, .05, .05, .05}, true, Fail, Slower, 1},
		{[]float64{.05, .04, .045, .05, .05, .05, .05, 0, 0, 0}, true, Fail, Slower, 0},
	} {
		d := s.Answer(runs(c.x...), Gate{Escalate: c.escalate})
		if d.Answer != c.answer || d.Why != c.why || d.More != c.more || d.Used != min(7, len(c.x)) {
			t.Errorf("%v: %v %v, more %d, used %d; P %.4f", c.x, d.Answer, d.Why, d.More, d.Used, d.Held.P)
		}
	}
	if d := s.Answer(nil, Gate{}); d.Answer != NoLevel {
		t.Errorf("without runs: %+v", d)
	}
	if d := Follow(flat, Rule{Least: .1}).Answer(runs(.08, .08, .08), Gate{}); d.Why != TooSmall {
		t.Errorf("a least size of 10 %%: %v", d.Why)
	}
	if d := s.Answer(runs(.022), Gate{Alpha: .05}); d.Answer != Fail {
		t.Errorf("an alpha of .05: %v", d.Why)
	}
}

// TestStarts: main may stand on its newest run if that is slow, and not if it is fast.
func TestStarts(t *testing.T) {
	flat := noisy(1, 60, 0, .01)
	for _, off := range []float64{.05, -.05} {
		s := Follow(append(slices.Clone(flat), Point{Value: off, Commit: "new"}), Rule{})
		h := s.Hold([]Point{{Value: .05}})
		sum := 0.0
		for _, t := range h.Starts {
			sum += t.Weight
		}
		near(t, "weights", sum, 1, 1e-12)
		if slow := off > 0; h.Starts[0].Runs != 30 || slow != (h.Starts[0].Weight < .5) {
			t.Errorf("newest %+g: %+v", off, h)
		}
		d := s.Answer([]Point{{Value: .05}}, Gate{Escalate: true})
		if want := map[bool]Answer{true: MainAgain, false: Again}[off > 0]; d.Answer != want {
			t.Errorf("newest %+g: %v (%v)", off, d.Answer, d.Why)
		}
		s.Push(Point{Value: off, Commit: "new"})
		if d := s.Answer([]Point{{Value: .05}}, Gate{}); off > 0 && d.Answer != Pass {
			t.Errorf("newest %+g twice: %v", off, d.Answer)
		}
	}
}

// TestHosts: what hosts differ by is learned and taken out, with what is not known of them as noise of its own.
func TestHosts(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 7))
	var x []Point
	for i := range 120 {
		h := i % 4
		x = append(x, Point{Value: .03*float64(h) + .005*g.NormFloat64(), Host: strconv.Itoa(h), Commit: strconv.Itoa(i)})
	}
	s := Follow(x, Rule{})
	if s.Noise().SD > .01 || len(s.Changes()) != 0 {
		t.Errorf("noise %+v, changes %+v", s.Noise(), s.Changes())
	}
	for h := range 4 {
		near(t, "level of a host", s.Cleaned(Point{Value: .03 * float64(h), Host: strconv.Itoa(h)}), .045, .005)
	}
	known, fresh := s.Hold([]Point{{Value: .1, Host: "3"}}), s.Hold([]Point{{Value: .1, Host: "new"}})
	unknown := s.Hold([]Point{{Value: .1}})
	if !(unknown.Starts[0].SE < known.Starts[0].SE && known.Starts[0].SE < fresh.Starts[0].SE/2) || fresh.Starts[0].DF > 10 {
		t.Errorf("errors: unknown %.4f, known %.4f, new %.4f with df %.1f", unknown.Starts[0].SE, known.Starts[0].SE, fresh.Starts[0].SE, fresh.Starts[0].DF)
	}
	three := []Point{{Value: .1, Host: "new"}, {Value: .1, Host: "new"}, {Value: .1, Host: "new"}}
	if h := s.Hold(three); h.Starts[0].SE < .9*fresh.Starts[0].SE {
		t.Errorf("three runs on one new host: %.4f for %.4f", h.Starts[0].SE, fresh.Starts[0].SE)
	}
	for i := range x {
		x[i].Host = x[i].Commit
	}
	if s := Follow(x, Rule{}); s.component().kinds != 0 {
		t.Error("a host of its own for each run is one")
	}
}

// TestCreep: drift in no single step is found against the oldest level, without what was told of, and once it is
// accepted no more.
func TestCreep(t *testing.T) {
	x := noisy(1, 130, 0, .01)
	for i := 60; i < 130; i++ {
		x[i].Value += .0007 * float64(i-60)
	}
	s := Follow(x, Rule{})
	c := s.Crept(nil)
	if c == nil || c.Ago != 100 || c.From != 29 || c.Size < .025 || c.Accept.At != 80 {
		t.Fatalf("%+v, changes %+v", c, s.Changes())
	}
	if again := s.Crept([]Drift{c.Accept}); again != nil {
		t.Errorf("accepted: %+v", again)
	}
	step := append(noisy(2, 80, 0, .01), noisy(3, 60, .05, .01)...)
	if c := Follow(step, Rule{}).Crept(nil); c != nil {
		t.Errorf("a step that was told of: %+v", c)
	}
	for i := 80; i < 140; i++ { // an improvement hides none
		step[i].Value += -.1 + .001*float64(i-80)
	}
	s = Follow(step, Rule{})
	if c := s.Crept(nil); c == nil || c.Told > -.02 {
		t.Errorf("behind an improvement: %+v, changes %+v", c, s.Changes())
	}
	if c := Follow(x[:59], Rule{}).Crept(nil); c != nil {
		t.Errorf("of 59 runs: %+v", c)
	}
}

// TestEnds: a bisection begins with the runs around the range of a change, and ends with its commit.
func TestEnds(t *testing.T) {
	s := Follow(append(noisy(1, 60, 0, .01), noisy(2, 10, .05, .01)...), Rule{})
	c := s.Changes()[0]
	a, b := s.Ends(c)
	if len(a) != BeforeRuns || len(b) != AfterRuns {
		t.Fatalf("%d and %d runs", len(a), len(b))
	}
	near(t, "before", stat.Mean(a), 0, .01)
	near(t, "after", stat.Mean(b), .05, .015)
	bi := Bisect(16, a, b, s.Noise(), Rule{})
	step := bi.Next()
	for step.End == NotYet {
		y := 0.0
		if step.Commit >= 11 {
			y = .05
		}
		bi.Observe(step.Commit, y)
		step = bi.Next()
	}
	if step.End != Found || step.Commit != 11 || !slices.Contains(step.Set, 11) || step.Used > 10 {
		t.Errorf("%+v", step)
	}
}

// BenchmarkFollow follows a year.
func BenchmarkFollow(b *testing.B) {
	x := noisy(1, 1250, 0, .01)
	for b.Loop() {
		Follow(x, Rule{})
	}
}

// TestYoung: a store of few runs is told of a change that is far above what runs differ by on both sides of it, and of
// none that one run makes.
func TestYoung(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		at     int // of the change; -1 none
	}{
		{"six and six, 12 % apart", []float64{0, .01, -.01, .005, 0, -.005, .12, .13, .11, .115, .12, .125}, 6},
		{"eight and ten, 4 % apart", []float64{0, .002, -.003, .001, 0, -.002, .003, .001, .041, .043, .04, .038, .041, .042, .039, .04, .041, .042}, 8},
		{"one odd run", []float64{0, .002, -.003, .001, .2, -.002, .003, .001}, -1},
		{"two runs", []float64{0, .002, -.003, .001, .041, .043}, -1},
	} {
		s := Follow(nil, Default)
		for _, v := range c.values {
			s.Push(Point{Value: v})
		}
		got := s.Changes()
		switch {
		case c.at < 0 && len(got) > 0:
			t.Errorf("%s: got %+v want no change", c.name, got)
		case c.at >= 0 && (len(got) != 1 || got[0].At != c.at):
			t.Errorf("%s: got %+v want one at %d", c.name, got, c.at)
		}
	}
}

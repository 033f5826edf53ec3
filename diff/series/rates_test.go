package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// year is what a year of 1,250 merges gives, or several.
type year struct {
	years, prs, one, three, asked, found1, found3 int
	red, noted, creep, reruns                     int
	right, soon                                   int // of the steps
}

// every is how many merges there are for each pull request.
var every = cases(4, 1)

func (w world) years(n int, seed uint64) (y year) {
	for i := range n {
		w.year(&y, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	y.years = n
	return y
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w world) year(y *year, g *rand.Rand) {
	m := w.begin(g, Rule{})
	var accepted []Drift
	for i := range 1250 {
		for _, c := range m.next() {
			w.judge(y, m, c, i)
		}
		if c := m.s.Crept(accepted); c != nil {
			y.creep++
			accepted = append(accepted, c.Accept)
		}
		if i < 40 || i%every != 0 {
			continue
		}
		y.prs++
		x := m.pr(0)
		one, three, asked := m.red(x, DefaultAlpha)
		y.one, y.three, y.asked = y.one+b2i(one), y.three+b2i(three), y.asked+b2i(asked)
		one, three, _ = m.red(m.pr(.05), DefaultAlpha)
		y.found1, y.found3 = y.found1+b2i(one), y.found3+b2i(three)
	}
	y.reruns += m.reruns
}

// judge counts a change that was seen at a merge: one of the world's steps, or false.
func (w world) judge(y *year, m *sim, c Change, i int) {
	for _, s := range w.steps {
		if m.merge[c.At] >= s.At-3 && i <= s.At+40 && i >= s.At {
			y.right += b2i(m.merge[c.Before]+1 <= s.At && m.merge[c.Last] >= s.At)
			y.soon += b2i(i <= s.At+4)
			return
		}
	}
	if c.Size >= .02 && !c.Gradual {
		y.red++
	} else {
		y.noted++
	}
}

var steps = []Drift{{300, .05}, {700, -.04}, {1000, .03}}

// worlds are the rows of the table, with what they must hold; 0: nothing, or none is allowed where it is of red mains
// and alarms of creep.
var worlds = []struct {
	name          string
	w             world
	one, three    float64 // per cent of unchanged pull requests that are red, at most
	found1, found float64 // per cent of +5 % that are found, at least
	red, creep    float64 // a year, at most
}{
	{"flat, sd .5", world{sd: .005}, 1, .3, 99, 99, 1, 1},
	{"flat, sd 1", world{sd: .01}, 1, .3, 95, 99, 1, 1},
	{"flat, sd 2", world{sd: .02}, 1, .3, 40, 68, 1, 1},
	{"flat, sd 4", world{sd: .04}, 1, .3, 0, 0, 1, 1},
	{"AR .9, sd 1", world{sd: .01, ar: .9}, 1, .3, 95, 95, 1, 1},
	{"AR .95, sd 2", world{sd: .02, ar: .95}, 1, .3, 0, 0, 1, 2},
	{"t3, sd 1", world{sd: .01, t3: true}, 2, .3, 95, 98, 1, 1},
	{"sd 1, 1.5 in every second month", world{sd: .01, vary: true}, 1, .3, 80, 95, 1, 1},
	{"1 in 20 -5 %", world{sd: .01, odd: .05, oddBy: -.05}, 2, .3, 88, 90, 1, 1},
	{"1 in 20 -8 %", world{sd: .01, odd: .05, oddBy: -.08}, 2, .3, 88, 84, 1, 1},
	{"1 in 20 +10 %", world{sd: .01, odd: .05, oddBy: .1}, 6, 1, 95, 98, 1, 1},
	{"1 in 33 +12 %", world{sd: .01, odd: .03, oddBy: .12}, 4.2, 1, 95, 98, 1, 1},
	{"noisy neighbour, 10 % of days", world{sd: .01, busy: .1}, 1, .3, 92, 97, 18, 1},
	{"two node types 5 % apart, not known", world{sd: .01, part: .3, apart: .05}, 1, 1.6, 0, 0, 1, 1},
	{"8 hosts sd 3, not known", world{sd: .01, hosts: 8, hostSD: .03}, 1, .5, 0, 0, 1, 1},
	{"8 hosts sd 3", world{sd: .01, hosts: 8, hostSD: .03, known: true}, 1, .3, 93, 98, 1, 1},
	{"8 hosts sd 0", world{sd: .01, hosts: 8, known: true}, 1, .3, 93, 98, 1, 1},
	{"16 hosts sd 3", world{sd: .01, hosts: 16, hostSD: .03, known: true}, 1, .3, 90, 98, 1, 1},
	{"10 hosts in two types 5 % apart", world{sd: .01, hosts: 10, pool: .05, known: true}, 1, .3, 93, 98, 1, 1},
	{"a host of its own each run", world{sd: .01, single: true, known: true}, 1, .3, 95, 98, 1, 1},
	{"8 hosts sd 3, +5, -4, +3", world{sd: .01, hosts: 8, hostSD: .03, known: true, steps: steps}, 1, .3, 93, 98, 1, 1},
	{"daily wave of 2 %", world{sd: .01, wave: .02}, 1, .3, 0, 0, 1, 1},
	{"creep .3 %/week", world{sd: .01, creep: .003, creepFrom: 200}, 1, .3, 93, 98, 1, 99},
	{"creep 1 %/week", world{sd: .01, creep: .01, creepFrom: 200}, 1.5, .3, 93, 98, 3, 99},
	{"+5, -4, +3, sd 1", world{sd: .01, steps: steps}, 1, .3, 95, 98, 1, 1},
	{"+5, -4, +3, sd 2", world{sd: .02, steps: steps}, 1, .4, 40, 65, 1, 1},
}

// TestYear simulates years of main with a pull request a merge, and holds what they give; PERFDIFF_YEARS=40 prints
// the full table.
func TestYear(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PERFDIFF_YEARS"))
	n = max(1, n)
	t.Log("main: % of pull requests red with one run, with up to three, asking; +5 % found; a year: red mains, levels noted, alarms of creep, repeats")
	for i, w := range worlds {
		y := w.w.years(n, uint64(1000+i))
		q := func(k int) float64 { return 100 * float64(k) / float64(y.prs) }
		a := func(k int) float64 { return float64(k) / float64(n) }
		line := fmt.Sprintf("%-36s %5.2f %5.2f %4.1f; %3.0f %3.0f; %5.2f %5.2f %5.2f %3.0f", w.name, q(y.one), q(y.three), q(y.asked), q(y.found1), q(y.found3), a(y.red), a(y.noted), a(y.creep), a(y.reruns))
		if k := len(w.w.steps) * n; k > 0 {
			line += fmt.Sprintf("; range right %d of %d, in five merges %d", y.right, k, y.soon)
			if w.w.sd == .01 {
				atLeast(t, line, y.right, k, 95)
				atLeast(t, line, y.soon, k, 95)
			}
		}
		t.Log(line)
		atMost(t, line, y.one, y.prs, w.one)
		atMost(t, line, y.three, y.prs, w.three)
		atLeast(t, line, y.found1, y.prs, w.found1)
		atLeast(t, line, y.found3, y.prs, w.found)
		for _, c := range []struct{ k, most float64 }{{float64(y.red), w.red}, {float64(y.creep), w.creep}} {
			if most := c.most * float64(n); c.k > most+3*math.Sqrt(most) {
				t.Errorf("%s: %g a year", line, c.most)
			}
		}
	}
}

// alike is by how many times fewer pull requests count that are held to the same level: of few years a rate moves
// with the levels that it was drawn with.
const alike = 3

// atMost fails if k of n are more than so many per cent, by three standard errors.
func atMost(t *testing.T, what string, k, n int, most float64) {
	t.Helper()
	if p := most / 100; float64(k) > p*float64(n)+3*math.Sqrt(alike*p*float64(n))+.5 {
		t.Errorf("%s: %d of %d, at most %g %%", what, k, n, most)
	}
}

// atLeast fails if k of n are fewer than so many per cent, by three standard errors.
func atLeast(t *testing.T, what string, k, n int, least float64) {
	t.Helper()
	atMost(t, what, n-k, n, 100-least)
}

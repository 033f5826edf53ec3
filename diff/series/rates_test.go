package series

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// year is what a year of 1,250 merges gives, or several.
type year struct {
	years, prs, one, three, asked, found1, found3 int
	mainAgain                                     int
	red, noted, creep, reruns                     int
	right, soon                                   int // of the steps
}

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
		if i < 40 {
			continue
		}
		y.prs++
		x := m.pr(0)
		one, three, asked := m.red(x, DefaultAlpha)
		y.one, y.three, y.asked = y.one+b2i(one), y.three+b2i(three), y.asked+b2i(asked)
		y.mainAgain += b2i(m.s.Answer(x[:1], Gate{}).Answer == MainAgain)
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

var worlds = []struct {
	name string
	w    world
}{
	{"flat, sd .5", world{sd: .005}},
	{"flat, sd 1", world{sd: .01}},
	{"flat, sd 2", world{sd: .02}},
	{"flat, sd 4", world{sd: .04}},
	{"AR .9, sd 1", world{sd: .01, ar: .9}},
	{"AR .95, sd 2", world{sd: .02, ar: .95}},
	{"t3, sd 1", world{sd: .01, t3: true}},
	{"sd 1, 1.5 in every second month", world{sd: .01, vary: true}},
	{"1 in 20 -5 %", world{sd: .01, odd: .05, oddBy: -.05}},
	{"1 in 20 -8 %", world{sd: .01, odd: .05, oddBy: -.08}},
	{"1 in 20 +10 %", world{sd: .01, odd: .05, oddBy: .1}},
	{"1 in 33 +12 %", world{sd: .01, odd: .03, oddBy: .12}},
	{"noisy neighbour, 10 % of days", world{sd: .01, busy: .1}},
	{"two node types 5 % apart, not known", world{sd: .01, part: .3, apart: .05}},
	{"8 hosts sd 3, not known", world{sd: .01, hosts: 8, hostSD: .03}},
	{"8 hosts sd 3", world{sd: .01, hosts: 8, hostSD: .03, known: true}},
	{"8 hosts sd 0", world{sd: .01, hosts: 8, known: true}},
	{"16 hosts sd 3", world{sd: .01, hosts: 16, hostSD: .03, known: true}},
	{"10 hosts in two types 5 % apart", world{sd: .01, hosts: 10, pool: .05, known: true}},
	{"a host of its own each run", world{sd: .01, single: true, known: true}},
	{"8 hosts sd 3, +5, -4, +3", world{sd: .01, hosts: 8, hostSD: .03, known: true, steps: steps}},
	{"daily wave of 2 %", world{sd: .01, wave: .02}},
	{"creep .3 %/week", world{sd: .01, creep: .003, creepFrom: 200}},
	{"creep 1 %/week", world{sd: .01, creep: .01, creepFrom: 200}},
	{"+5, -4, +3, sd 1", world{sd: .01, steps: steps}},
	{"+5, -4, +3, sd 2", world{sd: .02, steps: steps}},
}

// TestYear simulates years of main with a pull request a merge (PERFDIFF_YEARS=40 for the full table) and prints them.
func TestYear(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PERFDIFF_YEARS"))
	if n == 0 {
		n = 1
	}
	for i, w := range worlds {
		if o := os.Getenv("ONLY"); o != "" && !strings.Contains(o+",", w.name+",") {
			continue
		}
		y := w.w.years(n, uint64(1000+i))
		fmt.Println(w.name, y)
	}
}

package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"perfdiff/diff/stat"
)

// cases is how many cases a rate is of: few, or with PERFDIFF_YEARS many.
func cases(few, many int) int {
	if os.Getenv("PERFDIFF_YEARS") != "" {
		return many
	}
	return few
}

// TestReruns gates one commit again and again.
func TestReruns(t *testing.T) {
	n := cases(1000, 20000)
	for _, sd := range []float64{.01, .02} {
		line := fmt.Sprintf("sd %g:", 100*sd)
		for _, d := range []float64{0, .02, .03, .05} {
			var first, flip, green3, ever, unsure, of float64
			for i := 0; i < n; {
				m := world{sd: sd}.begin(rand.New(rand.NewPCG(41, uint64(i))), Rule{})
				for range 80 {
					m.next()
				}
				for range 20 { // commits on one state of main
					i++
					of++
					red := m.gatings(d, 6)
					again := m.gatings(d, 1)
					first += float64(b2i(red[0] == Fail))
					flip += float64(b2i((red[0] == Fail) != (again[0] == Fail)))
					green3 += float64(b2i(slices.Contains(red[:3], Pass)))
					ever += float64(b2i(slices.Contains(red, Fail)))
					unsure += float64(b2i(red[0] == MainAgain))
				}
				m.next()
			}
			switch what := fmt.Sprintf("sd %g, %+g", sd, d); d {
			case 0:
				atMost(t, what+": ever red", int(ever), int(of), map[float64]float64{.01: 1, .02: 2.5}[sd])
			case .03:
				if sd == .01 {
					atMost(t, what+": green in three tries", int(green3), int(of), 10)
				}
			}
			line += fmt.Sprintf(" %+g: red %.2f, ever in 6 %.2f, two differ %.0f, green in 3 %.1f, main again %.1f;", 100*d, 100*first/of, 100*ever/of, 100*flip/of, 100*green3/of, 100*unsure/of)
		}
		t.Log(line, n)
	}
}

// gatings gates a commit that differs by d so many times, with two more runs each.
func (m *sim) gatings(d float64, times int) (out []Answer) {
	var x []Point
	for k := range times {
		if k > 0 && len(x) < MostRuns {
			x = append(x, m.draw(m.g.Float64(), d), m.draw(m.g.Float64(), d))
		} else if k == 0 {
			x = append(x, m.draw(m.g.Float64(), d))
		}
		a := m.s.Answer(x, Gate{Escalate: true})
		if a.Answer == Again {
			for range a.More {
				x = append(x, m.draw(m.g.Float64(), d))
			}
			a = m.s.Answer(x, Gate{Escalate: true})
		}
		out = append(out, a.Answer)
	}
	return out
}

// TestNewest: the newest of 30 runs is off by chance, and nobody repeats it.
func TestNewest(t *testing.T) {
	n := cases(300, 20000)
	for _, off := range []float64{-.08, -.05, -.03, 0, .05} {
		var one, three, found1, found3, main int
		for i := range n {
			w := world{sd: .01, never: true}
			m := w.begin(rand.New(rand.NewPCG(91, uint64(i))), Rule{})
			for range 29 {
				m.next()
			}
			m.i++
			p := m.draw(0, 0)
			p.Value += off
			m.s.Push(p)
			x := m.pr(0)
			a, b, _ := m.red(x, DefaultAlpha)
			one, three = one+b2i(a), three+b2i(b)
			x = m.pr(.05)
			a, b, _ = m.red(x, DefaultAlpha)
			found1, found3 = found1+b2i(a), found3+b2i(b)
			main += b2i(m.s.Answer(x, Gate{Escalate: true}).Answer == MainAgain)
		}
		q := func(k int) float64 { return 100 * float64(k) / float64(n) }
		atMost(t, fmt.Sprintf("newest %+g: one run", off), one, n, 1.6)
		atMost(t, fmt.Sprintf("newest %+g: three", off), three, n, .3)
		if off > 0 {
			atLeast(t, "newest slow: main again", main, n, 90)
		} else {
			atLeast(t, fmt.Sprintf("newest %+g: +5 found", off), found3, n, 99)
		}
		t.Logf("newest %+g: unchanged red %.2f %.2f; +5 found %.1f %.1f, asks main %.1f (n %d)", 100*off, q(one), q(three), q(found1), q(found3), q(main), n)
	}
}

// TestHostRates: a store of 40 runs over hosts, three runs of a pull request on one of them, or on a new one.
func TestHostRates(t *testing.T) {
	n := cases(500, 20000)
	for _, sd := range []float64{0, .03} {
		for _, hosts := range []int{1, 2, 4, 8, 16} {
			for _, fresh := range []bool{false, true} {
				var k [2][2]int
				for i := range n {
					w := world{sd: .01, hosts: hosts + 1, hostSD: sd, known: true, never: true}
					m := w.begin(rand.New(rand.NewPCG(52, uint64(i))), Rule{})
					m.s = Follow(nil, Rule{})
					last := m.effects[hosts]
					m.effects = m.effects[:hosts]
					for range 40 {
						m.next()
					}
					h := m.g.IntN(hosts)
					for q, d := range []float64{0, .05} {
						var x []Point
						for range 3 {
							p := Point{Value: m.effects[h] + d + .01*m.g.NormFloat64(), Host: strconv.Itoa(h)}
							if fresh {
								p = Point{Value: p.Value - m.effects[h] + last, Host: "new"}
							}
							x = append(x, p)
						}
						k[q][0] += b2i(m.s.Answer(x[:1], Gate{}).Answer == Fail)
						k[q][1] += b2i(m.s.Answer(x, Gate{}).Answer == Fail)
					}
				}
				q := func(k int) float64 { return 100 * float64(k) / float64(n) }
				if !fresh {
					atMost(t, fmt.Sprintf("%d hosts", hosts), k[0][0], n, 1)
					atMost(t, fmt.Sprintf("%d hosts, three runs", hosts), k[0][1], n, .5)
					atLeast(t, fmt.Sprintf("%d hosts, sd %g: +5 in three runs", hosts, sd), k[1][1], n, map[bool]float64{true: 95, false: 60}[hosts < 16])
				} else if hosts >= 4 {
					atMost(t, fmt.Sprintf("%d hosts and a new one", hosts), k[0][1], n, 3)
				}
				t.Logf("%2d hosts sd %g, new %v: red one %.2f, three %.2f; +5 found %.0f, %.0f (n %d)", hosts, 100*sd, fresh, q(k[0][0]), q(k[0][1]), q(k[1][0]), q(k[1][1]), n)
			}
		}
	}
}

// TestLevelRates: false changes a year, how soon steps are seen, and whether their range is right.
func TestLevelRates(t *testing.T) {
	n, zs := cases(2, 80), []float64{Default.Z}
	if n == 80 {
		zs = []float64{4, Default.Z, OtherZ}
	}
	for _, z := range zs {
		line := fmt.Sprintf("z %g: false changes a year", z)
		for _, w := range []world{{sd: .01}, {sd: .02}, {sd: .01, ar: .9}, {sd: .01, t3: true}} {
			w.never = true
			k := 0
			for i := range n {
				m := w.begin(rand.New(rand.NewPCG(11, uint64(i))), Rule{Z: z})
				for range 1250 {
					k += len(m.next())
				}
			}
			line += fmt.Sprintf(" %.2f", float64(k)/float64(n))
			if most := float64(n); float64(k) > most+3*math.Sqrt(most) {
				t.Errorf("z %g, %+v: %d in %d years", z, w, k, n)
			}
		}
		t.Log(line, n)
		for _, c := range []struct{ sd, size, in5 float64 }{{.01, .02, 35}, {.01, .03, 94}, {.01, .05, 99}, {.02, .03, 0}, {.02, .05, 75}} {
			for _, never := range []bool{true, false} {
				s := world{sd: c.sd, never: never, steps: []Drift{{100, c.size}}}.step(20*n, z)
				q := func(k int) float64 { return 100 * float64(k) / float64(20*n) }
				what := fmt.Sprintf("z %g, sd %g, %+g, never repeated %v: in 3 %.0f, 5 %.0f, 10 %.0f %%; range right %.1f, has %.1f, the run %.0f", z, 100*c.sd, 100*c.size, never,
					q(s.in3), q(s.in5), q(s.in10), 100*float64(s.right)/float64(s.seen), float64(s.has)/float64(s.seen), 100*float64(s.exact)/float64(s.seen))
				t.Log(what)
				atLeast(t, what, s.right, s.seen, 92)
				if z == Default.Z && !never {
					atLeast(t, what, s.in5, 20*n, c.in5)
				}
			}
		}
	}
}

// stepped is how a step at merge 100 was seen.
type stepped struct{ seen, in3, in5, in10, right, exact, has int }

func (w world) step(n int, z float64) (s stepped) {
	for i := range n {
		m := w.begin(rand.New(rand.NewPCG(12, uint64(i))), Rule{Z: z})
		for done := false; m.i < 139 && !done; {
			for _, c := range m.next() {
				if m.i < 100 || m.merge[c.At] < 90 || m.merge[c.At] > 110 {
					continue
				}
				done = true
				s.seen++
				s.in3, s.in5, s.in10 = s.in3+b2i(m.i < 103), s.in5+b2i(m.i < 105), s.in10+b2i(m.i < 110)
				s.right += b2i(m.merge[c.Before] < 100 && m.merge[c.Last] >= 100)
				s.exact += b2i(m.merge[c.At] == 100)
				s.has += m.merge[c.Last] - m.merge[c.Before]
			}
		}
	}
	return s
}

// TestCreepRates: how many weeks it takes until creep is seen, from week 18 of a store on.
func TestCreepRates(t *testing.T) {
	n := cases(15, 240)
	on := []Drift{{520, .05}}
	for _, c := range []struct {
		name          string
		w             world
		rate          float64
		weeks, within float64 // per cent that are seen within so many weeks, at least
	}{
		{"sd 1", world{sd: .01}, .01, 5, 95}, {"sd 2", world{sd: .02}, .01, 5, 85}, {"AR .9", world{sd: .01, ar: .9}, .01, 5, 80},
		{"sd 1", world{sd: .01}, .003, 17, 95}, {"sd 2", world{sd: .02}, .003, 17, 95},
		{"+5 on the way", world{sd: .01, steps: on}, .01, 5, 95}, {"-5 on the way", world{sd: .01, steps: []Drift{{520, -.05}}}, .003, 17, 95},
	} {
		var weeks []float64
		in, blamed := 0, 0
		c.w.creep, c.w.creepFrom = c.rate, 450
		for i := range n {
			m := c.w.begin(rand.New(rand.NewPCG(32, uint64(i))), Rule{})
			var accepted []Drift
			at, blame := 99.0, false
			for m.i < 450+25*30 && at == 99 {
				for _, ch := range m.next() {
					blame = blame || m.i > 450 && ch.Size >= .02 && !ch.Gradual
				}
				if cr := m.s.Crept(accepted); cr != nil && m.i <= 450 {
					accepted = append(accepted, cr.Accept)
				} else if cr != nil {
					at = float64(m.i-450) / 25
				}
			}
			weeks = append(weeks, at)
			in, blamed = in+b2i(at <= c.weeks), blamed+b2i(blame)
		}
		what := fmt.Sprintf("creep %g %%/week, %s: seen after %.1f weeks, within %g in %.0f %%; a commit blamed before in %.0f %% (n %d)", 100*c.rate, c.name, stat.Median(weeks), c.weeks, 100*float64(in)/float64(n), 100*float64(blamed)/float64(n), n)
		t.Log(what)
		atLeast(t, what, in, n, c.within)
	}
}

package collective

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
)

// job is four ranks on two hosts with n collectives, 100 ms apart, that end on all
// ranks within 3 us; the second host's clock is ahead and drifts.
func clocked(n int, ahead int64, drift float64) ([]Rank, []string) {
	ranks := make([]Rank, 4)
	hosts := []string{"a", "a", "b", "b"}
	for i := range n {
		end := int64(1e18) + int64(i)*1e8
		for r := range ranks {
			ranks[r].Numbers = append(ranks[r].Numbers, int64(i))
			utc := end + int64((i*7+r*3)%4)*1000
			if r >= 2 {
				utc += ahead + int64(drift*(float64(i)-float64(n-1)/2)*0.1)
			}
			ranks[r].Spans = append(ranks[r].Spans, Span{Step: i, Start: 100, End: 200 + int64(r), Kind: "AllReduce", UTC: utc})
		}
	}
	return ranks, hosts
}

func align(ranks []Rank, hosts []string, world int) run.Clocks {
	_, c := Match(ranks, hosts, world)
	return c
}

func TestAlign(t *testing.T) {
	for _, tt := range []struct {
		name  string
		n     int
		ahead int64
		drift float64
	}{{"agree", 40, 0, 0}, {"20 ms apart", 40, 20e6, 0}, {"drifting", 60, 3e6, 50_000}, {"few", 4, 2e6, 0}} {
		ranks, hosts := clocked(tt.n, tt.ahead, tt.drift)
		c := align(ranks, hosts, 4)
		if len(c.Hosts) != 2 || c.Used != tt.n || c.Matched != 4*tt.n || c.Kernels != 4*tt.n {
			t.Fatalf("%s: got %+v", tt.name, c)
		}
		apart := c.Hosts[1].Offset - c.Hosts[0].Offset
		if math.Abs(float64(apart-tt.ahead)) > 5000 || c.Residual > 3000 {
			t.Errorf("%s: got %d ns apart, residual %d, want %d", tt.name, apart, c.Residual, tt.ahead)
		}
		if got := c.Hosts[1].Drift - c.Hosts[0].Drift; math.Abs(got-tt.drift) > 500 {
			t.Errorf("%s: got a drift of %g ns/s, want %g", tt.name, got, tt.drift)
		}
	}
}

// TestNotAligned: too few collectives, unknown wall clocks, or ranks that are missing
// align nothing.
func TestNotAligned(t *testing.T) {
	ranks, hosts := clocked(2, 0, 0)
	if c := align(ranks, hosts, 4); c.Used != 0 || c.Matched != 8 {
		t.Errorf("two collectives: got %+v", c)
	}
	ranks, hosts = clocked(10, 0, 0)
	if c := align(ranks, hosts, 8); c.Used != 0 || c.Matched != 0 || c.Kernels != 40 {
		t.Errorf("half of the ranks: got %+v", c)
	}
	for i := range ranks[3].Spans {
		ranks[3].Spans[i].UTC = 0
	}
	if c := align(ranks, hosts, 4); c.Used != 0 || c.Matched != 40 {
		t.Errorf("no wall clock: got %+v", c)
	}
	if c := align(nil, nil, 0); c.Used != 0 {
		t.Errorf("nothing: got %+v", c)
	}
}

// TestApart: kernels at the same place of a step that do not run at the same time on
// one host are not the same collective.
func TestApart(t *testing.T) {
	mk := func(utc ...int64) Rank {
		r := Rank{Numbers: []int64{0}}
		for _, end := range utc {
			r.Spans = append(r.Spans, Span{Start: end - 10e6, End: end, Kind: "AllReduce", UTC: 1e18 + end})
		}
		return r
	}
	ranks := []Rank{mk(20e6, 60e6), mk(20e6, 160e6)}
	splits, _ := Match(ranks, []string{"a", "a"}, 2)
	if splits[0][0].Wait != 0 || splits[0][1].Wait != Unknown || splits[1][1].Wait != Unknown {
		t.Errorf("got %+v", splits)
	}
}

// TestApartBy: clocks of one host agree within a millisecond.
func TestApartBy(t *testing.T) {
	for by, want := range map[int64]int64{500_000: 0, 900_000: 0, 1_100_000: Unknown, 5_000_000: Unknown} {
		rank := func(began int64) Rank { // 1 ms long
			return Rank{Numbers: []int64{0}, Spans: []Span{{Start: 0, End: 1_000_000, Kind: "AllReduce", UTC: 1e18 + began + 1_000_000}}}
		}
		splits, _ := Match([]Rank{rank(0), rank(1_000_000 + by)}, []string{"a", "a"}, 2)
		if got := splits[0][0].Wait; got != want {
			t.Errorf("one begins %d ns after the other has ended: got a wait of %d, want %d", by, got, want)
		}
	}
}

// TestEndByTheMedianHost: a clock's offset and drift, in ns a second from the middle of
// the run on, are taken out of a moment.
func TestEndByTheMedianHost(t *testing.T) {
	m := &matcher{
		ranks: []Rank{{Spans: []Span{{UTC: 5e9}, {UTC: 1e9}}}}, hostOf: []int{0},
		clocks: alignment{clock: []run.HostClock{{Offset: 100, Drift: 50}}, center: 2e9},
	}
	for i, want := range []int64{5e9 - 100 - 150, 1e9 - 100 + 50} {
		if got := m.endTime(member{0, int32(i)}); got != want {
			t.Errorf("span %d: got %d, want %d", i, got, want)
		}
	}
}

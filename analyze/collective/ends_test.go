package collective

import (
	"fmt"
	"testing"
)

// at is a kernel that runs from start to end on a clock of all ranks.
func at(kind string, start, end int64) Span {
	return Span{Kind: kind, Start: start, End: end, UTC: 1e18 + end}
}

// with are ranks on one host or two with enough all-reduces that end within 2 us, so
// that clocks are known to 1 us, and then the given kernel on each.
func with(spans ...Span) []Rank {
	ranks := make([]Rank, len(spans))
	for r := range ranks {
		ranks[r] = Rank{Rank: r, Numbers: []int64{0}}
		for i := range int64(9) {
			end := (i+1)*1_000_000 + (i+int64(r))%3*1000
			ranks[r].Spans = append(ranks[r].Spans, at("AllReduce", end-500_000, end))
		}
		s := spans[r]
		s.Start, s.End, s.UTC = s.Start+20_000_000, s.End+20_000_000, s.UTC+20_000_000
		ranks[r].Spans = append(ranks[r].Spans, s)
	}
	return ranks
}

func waits(splits [][]Split) (out []int64, last int32) {
	for r := range splits {
		s := splits[r][len(splits[r])-1]
		out, last = append(out, s.Wait), s.Last
	}
	return out, last
}

// TestRooted: the root of a broadcast can be done long before the others, who did not
// wait for it then.
func TestRooted(t *testing.T) {
	one, two := []string{"a", "a", "a", "a"}, []string{"a", "a", "b", "b"}
	for _, tt := range []struct {
		name   string
		hosts  []string
		kind   string
		spans  [4][2]int64 // us
		want   string
		last   int32
		unsplt int
	}{
		{"root done early", one, "Broadcast", [4][2]int64{{0, 50}, {0, 500}, {0, 500}, {0, 500}}, "[0 0 0 0]", Nobody, 0},
		{"leaf done early", one, "Reduce", [4][2]int64{{0, 500}, {0, 50}, {0, 50}, {0, 50}}, "[0 0 0 0]", Nobody, 0},
		{"late root", one, "Broadcast", [4][2]int64{{400, 500}, {0, 500}, {0, 500}, {100, 500}}, "[0 400000 400000 300000]", 0, 0},
		{"late root on another host", two, "Broadcast", [4][2]int64{{0, 500}, {0, 500}, {0, 500}, {400, 500}}, "[400000 400000 400000 0]", 3, 0},
		{"late leaf, root long gone", one, "Broadcast", [4][2]int64{{0, 50}, {0, 500}, {0, 500}, {300, 700}}, "[-1 -1 -1 -1]", Nobody, 4},
		{"below what is known", one, "Broadcast", [4][2]int64{{0, 1}, {0, 2}, {1, 2}, {0, 2}}, "[0 0 0 0]", Nobody, 0},
		{"all wait for all", one, "AllReduce", [4][2]int64{{0, 50}, {0, 500}, {0, 500}, {0, 500}}, "[0 450000 450000 450000]", 0, 0},
	} {
		var spans []Span
		for _, x := range tt.spans {
			spans = append(spans, at(tt.kind, x[0]*1000, x[1]*1000))
		}
		splits, c := Match(with(spans...), tt.hosts, 4)
		if got, last := waits(splits); fmt.Sprint(got) != tt.want || last != tt.last || c.Unsplit != tt.unsplt || c.Matched != 40 || c.PointToPoint != 0 {
			t.Errorf("%s: got waits %v for rank %d, clocks %+v; want %s for %d, %d not split", tt.name, got, last, c, tt.want, tt.last, tt.unsplt)
		}
	}
	// Without clocks nothing tells.
	ranks := with(at("Broadcast", 0, 50_000), at("Broadcast", 0, 500_000))
	if got, _ := waits(splitsOf(ranks, 2)); fmt.Sprint(got) != "[-1 -1]" {
		t.Errorf("without clocks: got %v", got)
	}
}

// TestRootedClocks: a broadcast says nothing about clocks.
func TestRootedClocks(t *testing.T) {
	ranks, hosts := clocked(10, 0, 0)
	for r := range ranks {
		for i := range ranks[r].Spans {
			ranks[r].Spans[i].Kind = "Broadcast"
		}
	}
	if c := align(ranks, hosts, 4); c.Used != 0 || c.Matched != 40 || c.Unsplit != 40 || len(c.NotAligned) != 2 {
		t.Errorf("got %+v", c)
	}
}

// TestPointToPoint: kernels between two ranks are none of all ranks.
func TestPointToPoint(t *testing.T) {
	p2p := func(d int64, comm string, size, peer int32) Span {
		s := at("SendRecv", 500_000-d, 500_000)
		s.Comm, s.Ranks, s.Peer = comm, size, peer
		return s
	}
	early := func(d int64, peer int32) Span { // is done early
		s := at("SendRecv", 0, d)
		s.Comm, s.Ranks, s.Peer = "w", 4, peer
		return s
	}
	for _, tt := range []struct {
		name    string
		spans   []Span
		want    string
		last    int32
		matched int
		alone   int
	}{
		{"pairs without a communicator", []Span{p2p(1000, "", 0, 0), p2p(1000, "", 0, 0), p2p(100, "", 0, 0), p2p(100, "", 0, 0)}, "[-1 -1 -1 -1]", Nobody, 36, 4},
		{"pairs in one communicator", []Span{p2p(1000, "w", 4, 0), p2p(1000, "w", 4, 0), p2p(100, "w", 4, 0), p2p(100, "w", 4, 0)}, "[-1 -1 -1 -1]", Nobody, 36, 4},
		{"pairs with their peers", []Span{p2p(400_000, "w", 4, 2), p2p(90_000, "w", 4, 1), p2p(10_000, "w", 4, 4), p2p(90_000, "w", 4, 3)}, "[310000 0 0 80000]", 2, 40, 0},
		{"communicators of two", []Span{p2p(400_000, "x", 2, 2), p2p(90_000, "x", 2, 1), p2p(10_000, "y", 2, 2), p2p(90_000, "y", 2, 1)}, "[310000 0 0 80000]", 2, 40, 0},
		{"peers that do not name each other", []Span{p2p(400_000, "w", 4, 2), p2p(90_000, "w", 4, 3), p2p(10_000, "w", 4, 4), p2p(90_000, "w", 4, 3)}, "[-1 -1 0 80000]", 2, 38, 2},
		{"sender done early", []Span{early(40_000, 2), p2p(300_000, "w", 4, 1), p2p(10_000, "w", 4, 4), p2p(90_000, "w", 4, 3)}, "[-1 -1 0 80000]", 2, 40, 0},
		{"to itself", []Span{p2p(400_000, "w", 4, 1), p2p(90_000, "w", 4, 2), p2p(10_000, "w", 4, 4), p2p(90_000, "w", 4, 3)}, "[-1 -1 0 80000]", 2, 38, 2},
		{"all-to-all", []Span{p2p(400_000, "", 0, AllPeers), p2p(90_000, "", 0, AllPeers), p2p(10_000, "", 0, AllPeers), p2p(90_000, "", 0, AllPeers)}, "[390000 80000 0 80000]", 2, 40, 0},
	} {
		splits, c := Match(with(tt.spans...), []string{"a", "a", "b", "b"}, 4)
		if got, last := waits(splits); fmt.Sprint(got) != tt.want || last != tt.last || c.Matched != tt.matched || c.PointToPoint != tt.alone || c.Used != 9 && tt.name != "all-to-all" {
			t.Errorf("%s: got waits %v for rank %d, clocks %+v; want %s for %d, %d matched, %d alone", tt.name, got, last, c, tt.want, tt.last, tt.matched, tt.alone)
		}
	}
}

// TestByTime: point-to-point kernels of unknown peers belong together where no other ones can.
func TestByTime(t *testing.T) {
	run := func(comm string, start, end int64) Span { // us
		s := at("SendRecv", start*1000, end*1000)
		s.Comm = comm
		if s.Ranks = 4; comm == "" {
			s.Ranks = 0
		}
		return s
	}
	one := []string{"a", "a", "a", "a"}
	ofEight := []Span{run("w", 0, 100), run("w", 40, 100), run("w", 300, 400), run("w", 310, 400)}
	for i := range ofEight {
		ofEight[i].Ranks = 8
	}
	for _, tt := range []struct {
		name  string
		hosts []string
		world int
		spans []Span
		want  string // index of the rank that each was matched with
		waits string
	}{
		{"one pair after the other", one, 4, []Span{run("", 0, 100), run("", 40, 100), run("", 300, 400), run("", 310, 401)}, "[1 0 3 2]", "[40000 0 9000 0]"},
		{"of neighbours on two hosts", []string{"a", "b", "a", "b"}, 4, []Span{run("w", 0, 100), run("w", 300, 400), run("w", 310, 400), run("w", 10, 100)}, "[3 2 1 0]", "[10000 10000 0 0]"},
		{"both pairs at once", one, 4, []Span{run("", 0, 100), run("", 40, 100), run("", 90, 400), run("", 310, 401)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"one without a partner", one, 4, []Span{run("", 0, 100), run("", 40, 100), run("", 300, 400), run("", 500, 600)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"ends apart", one, 4, []Span{run("", 0, 100), run("", 40, 140), run("", 300, 400), run("", 310, 400)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"of another communicator", one, 4, []Span{run("x", 0, 100), run("y", 40, 100), run("x", 300, 400), run("y", 310, 400)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"ranks missing", one, 8, []Span{run("", 0, 100), run("", 40, 100), run("", 300, 400), run("", 310, 400)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"ranks of the communicator missing", one, 8, ofEight, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"size of the job unknown", one, 0, []Span{run("", 0, 100), run("", 40, 100), run("", 300, 400), run("", 310, 400)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
		{"clocks unknown", nil, 4, []Span{run("", 0, 100), run("", 40, 100), run("", 300, 400), run("", 310, 400)}, "[-1 -1 -1 -1]", "[-1 -1 -1 -1]"},
	} {
		splits, _ := Match(with(tt.spans...), tt.hosts, tt.world)
		var peers []int32
		for r := range splits {
			peers = append(peers, splits[r][9].Peer)
		}
		if got, _ := waits(splits); fmt.Sprint(got) != tt.waits || fmt.Sprint(peers) != tt.want {
			t.Errorf("%s: got peers %v and waits %v, want %s and %s", tt.name, peers, got, tt.want, tt.waits)
		}
	}
}

// TestWays: what a rank sends belongs to what its peer receives, in any order of the two.
func TestWays(t *testing.T) {
	call := func(way string, duration int64) Span {
		return Span{Kind: "SendRecv", Comm: "c", Ranks: 2, End: duration, Sends: way == "send", Receives: way == "recv"}
	}
	for _, tt := range []struct {
		name      string
		low, high []Span
		want      string // which of the other's kernels each of the first rank belongs to
	}{
		{"crossed", []Span{call("send", 1), call("send", 1), call("recv", 1)}, []Span{call("recv", 1), call("send", 1), call("recv", 1)}, "[0 2 1]"},
		{"ways unknown", []Span{call("", 1), call("", 1)}, []Span{call("recv", 1), call("send", 1)}, "[0 1]"},
		{"nobody receives", []Span{call("send", 1), call("send", 1)}, []Span{call("send", 1), call("send", 1)}, "[]"},
		{"different counts one way", []Span{call("send", 1), call("recv", 1)}, []Span{call("recv", 1), call("recv", 1), call("send", 1)}, "[2]"},
		{"different counts", []Span{call("", 1)}, []Span{call("", 1), call("", 1)}, "[]"},
	} {
		m := &matcher{ranks: []Rank{{Numbers: []int64{0}, Spans: tt.low}, {Rank: 1, Numbers: []int64{0}, Spans: tt.high}}}
		m.matchPairs(m.spansByStep()[0])
		of := map[int32]int32{}
		for _, g := range m.groups {
			a, b := m.members[g.from], m.members[g.from+1]
			of[a.span] = b.span
		}
		var got []int32
		for i := range tt.low {
			if k, ok := of[int32(i)]; ok {
				got = append(got, k)
			}
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, got, tt.want)
		}
	}
}

// TestBesidePointToPoint: point-to-point kernels between collectives do not keep these
// from being matched by their place, whichever ranks have them.
func TestBesidePointToPoint(t *testing.T) {
	splits := splitsOf([]Rank{rank("SendRecv 5", "A 10", "B 4"), rank("A 3", "SendRecv 2", "SendRecv 2", "B 9")}, 2)
	if splits[0][1].Wait != 7 || splits[1][3].Wait != 5 || splits[0][0].Wait != Unknown {
		t.Errorf("got %+v", splits)
	}
}

// TestUneven: an all-to-all of different sizes ends at different times; the sizes'
// imbalance is known.
func TestUneven(t *testing.T) {
	send := func(bytes int64, d int64) Span {
		s := at("AllToAll", 0, d)
		s.Bytes = bytes
		return s
	}
	hosts := []string{"a", "a"}
	for _, tt := range []struct {
		spans  []Span
		want   string
		uneven float32
	}{
		{[]Span{send(100, 500_000), send(100, 40_000)}, "[460000 0]", 0},
		{[]Span{send(300, 500_000), send(100, 40_000)}, "[0 0]", 1.0 / 3},
		{[]Span{send(300, 500_000), send(0, 40_000)}, "[460000 0]", -1},
	} {
		splits, _ := Match(with(tt.spans...), hosts, 2)
		if got, _ := waits(splits); fmt.Sprint(got) != tt.want || splits[0][9].Uneven != tt.uneven {
			t.Errorf("got waits %v and imbalance %g, want %s and %g", got, splits[0][9].Uneven, tt.want, tt.uneven)
		}
	}
}

// TestLateInUneven: in an all-to-all of different sizes that goes on on all ranks after the last
// one came, all waited for that one, though they do not end at once.
func TestLateInUneven(t *testing.T) {
	hosts := []string{"a", "a", "a"}
	for _, tt := range []struct {
		name   string
		times  [3][2]int64 // us
		want   string
		last   int32
		counts [3]int64
	}{
		{"ends differ", [3][2]int64{{0, 500}, {10, 550}, {400, 620}}, "[400000 390000 0]", 2, [3]int64{100, 100, 300}},
		{"two came last", [3][2]int64{{0, 500}, {399, 550}, {400, 620}}, "[400000 1000 0]", Nobody, [3]int64{100, 100, 300}},
		{"one was done early", [3][2]int64{{0, 300}, {10, 550}, {400, 620}}, "[-1 -1 -1]", Nobody, [3]int64{100, 100, 300}},
	} {
		var spans []Span
		for i, x := range tt.times {
			s := at("AllToAll", x[0]*1000, x[1]*1000)
			s.Bytes, s.Received = 200, tt.counts[i]
			spans = append(spans, s)
		}
		splits, _ := Match(with(spans...), hosts, 3)
		got, last := waits(splits)
		if fmt.Sprint(got) != tt.want || last != tt.last {
			t.Errorf("%s: got waits %v for rank %d, want %s for %d", tt.name, got, last, tt.want, tt.last)
		}
		for i := range splits {
			if x := splits[i][9]; x.Wait > 0 && (x.For != 2 || x.ForSpan != 9) {
				t.Errorf("%s: rank %d waits for kernel %d of rank %d, want 9 of 2", tt.name, i, x.ForSpan, x.For)
			}
		}
		if u := splits[0][9].Uneven; u < 0.44 || u > 0.45 { // 1 - (500/3) / 300
			t.Errorf("%s: got an imbalance of %v", tt.name, u)
		}
	}
}

// TestLast: a rank arrived last if it did so by more than three residuals.
func TestLast(t *testing.T) {
	reduce := func(late int64) Span { return at("AllReduce", late, 500_000) }
	one, two, none := []string{"a", "a", "a", "a"}, []string{"a", "a", "b", "b"}, []string{"a", "b", "c", "d"}
	for _, tt := range []struct {
		name  string
		hosts []string
		late  [4]int64 // ns
		want  int32
	}{
		{"all at once", one, [4]int64{}, Nobody},
		{"by a nanosecond", one, [4]int64{0, 0, 1, 0}, Nobody},
		{"by two residuals", one, [4]int64{0, 0, 2000, 0}, Nobody},
		{"by more than three", one, [4]int64{0, 0, 3100, 0}, 2},
		{"two of them", one, [4]int64{0, 90_000, 90_500, 0}, Nobody},
		{"on another host", two, [4]int64{0, 0, 0, 9000}, 3},
	} {
		splits, c := Match(with(reduce(tt.late[0]), reduce(tt.late[1]), reduce(tt.late[2]), reduce(tt.late[3])), tt.hosts, 4)
		if _, last := waits(splits); last != tt.want || c.HostResidual != 1000 {
			t.Errorf("%s: got rank %d with %+v, want %d", tt.name, last, c, tt.want)
		}
	}
	// Hosts whose clocks are not aligned: too few collectives.
	ranks := with(reduce(0), reduce(0), reduce(0), reduce(300_000))
	for r := range ranks {
		ranks[r].Spans = ranks[r].Spans[8:]
	}
	splits, c := Match(ranks, none, 4)
	if got, last := waits(splits); last != Nobody || fmt.Sprint(got) != "[300000 300000 300000 0]" || fmt.Sprint(c.NotAligned) != "[a b c d]" {
		t.Errorf("not aligned: got waits %v for rank %d, %+v", got, last, c)
	}
	if splits, _ = Match(ranks, one, 4); splits[0][1].Last != Nobody { // clocks of a host agree to a millisecond at least
		t.Errorf("one host, too few collectives: got %+v", splits[0][1])
	}
}

// TestHostsApart: collectives within hosts say nothing of clocks between hosts.
func TestHostsApart(t *testing.T) {
	ranks, hosts := clocked(20, 5e6, 0)
	for r := range ranks {
		for i := range ranks[r].Spans {
			ranks[r].Spans[i].Comm, ranks[r].Spans[i].Ranks = hosts[r], 2
		}
	}
	c := align(ranks, hosts, 4)
	if c.Used != 0 || c.Matched != 80 || len(c.Hosts) != 0 || fmt.Sprint(c.NotAligned) != "[a b]" || c.HostResidual < 1000 || c.HostResidual > 3000 {
		t.Errorf("got %+v", c)
	}
}

// TestResidualOfTwo: of two ends each is the other's distance away, not none.
func TestResidualOfTwo(t *testing.T) {
	ranks, _ := clocked(20, 0, 0)
	for i := range ranks[0].Spans {
		ranks[0].Spans[i].UTC = ranks[1].Spans[i].UTC + int64(i%5-2)*1000
	}
	for _, hosts := range [][]string{{"a", "a"}, {"a", "b"}} {
		if c := align(ranks[:2], hosts, 2); c.Residual < 1000 || c.Residual > 3000 {
			t.Errorf("%v: got %+v", hosts, c)
		}
	}
}

package metric

import (
	"fmt"
	"testing"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestPairs: which ranks send to each other, and for how long, as far as the peer is known.
func TestPairs(t *testing.T) {
	const us = 1000
	send := func(comm string, size, peer int32, from, to int64) collective.Span {
		return collective.Span{Start: from * us, End: to * us, UTC: 1e18 + to*us, Kind: sendRecv, Comm: comm, Ranks: size, Peer: peer, Bytes: 8000}
	}
	reduce := func(i int64) collective.Span {
		return collective.Span{Start: i * us, End: (i + 1) * us, UTC: 1e18 + (i+1)*us, Kind: "AllReduce", Comm: "all", Ranks: 4}
	}
	for _, tt := range []struct {
		name   string
		ranks  int
		world  int
		spans  []collective.Span // one of each rank
		listed map[string]recordedGroup
		want   string
	}{
		{"both name each other", 4, 4, []collective.Span{send("all", 4, 2, 100, 200), send("all", 4, 1, 150, 200), send("all", 4, 4, 120, 300), send("all", 4, 3, 100, 300)}, nil,
			"0-1: 2 calls in 2 steps, 16000 bytes, 150 us, 50 waiting, 100 transfer, 100 exposed; 2-3: 2 calls in 2 steps, 16000 bytes, 380 us, 20 waiting, 360 transfer, 280 exposed"},
		{"the peer is the other of two", 4, 4, []collective.Span{send("x", 2, 0, 100, 200), send("x", 2, 0, 150, 200), send("y", 2, 0, 120, 300), send("y", 2, 0, 100, 300)}, nil,
			"0-1: 2 calls in 2 steps, 16000 bytes, 150 us, 50 waiting, 100 transfer, 100 exposed; 2-3: 2 calls in 2 steps, 16000 bytes, 380 us, 20 waiting, 360 transfer, 280 exposed"},
		{"nobody is named, and all run at once", 4, 4, []collective.Span{send("", 0, 0, 100, 200), send("", 0, 0, 150, 200), send("", 0, 0, 120, 300), send("", 0, 0, 100, 300)}, nil, ""},
		{"nobody is named, but no other is possible", 4, 4, []collective.Span{send("", 0, 0, 100, 200), send("", 0, 0, 300, 400), send("", 0, 0, 350, 400), send("", 0, 0, 150, 200)}, nil,
			"0,3: 2 calls in 2 steps, 16000 bytes, 150 us, 50 waiting, 100 transfer, 100 exposed; 1-2: 2 calls in 2 steps, 16000 bytes, 150 us, 50 waiting, 100 transfer, 0 exposed"},
		{"a peer that was not captured", 2, 4, []collective.Span{send("p of 0,2", 2, 2, 100, 200), send("p of 1,3", 2, 2, 150, 200)},
			map[string]recordedGroup{"p of 0,2": {ranks: []int{0, 2}}, "p of 1,3": {ranks: []int{1, 3}}},
			"0,2: 1 calls in 1 steps, 8000 bytes, 100 us, 0 waiting, 0 transfer, 50 exposed; 1,3: 1 calls in 1 steps, 8000 bytes, 50 us, 0 waiting, 0 transfer, 50 exposed"},
		{"a number in ranks that are not known", 2, 4, []collective.Span{send("p", 3, 2, 100, 200), send("p", 3, 3, 150, 200)}, nil, ""},
	} {
		ranks, comms := make([]run.Rank, tt.ranks), make([]Communication, tt.ranks)
		exposed := interval.Pack(nil, interval.Set{{Start: 150 * us, End: 290 * us}})
		for i := range ranks {
			ranks[i] = run.Rank{Rank: i, Host: "a", WorldSize: tt.world, Steps: []trace.Step{{End: 500 * us}, {Number: 1, Dropped: "x", Start: 500 * us, End: 900 * us}}}
			comms[i] = Communication{Exposed: []interval.Packed{exposed, nil}, Measured: []bool{true, false}, Hidden: []bool{false, false}, Groups: tt.listed}
			for k := range int64(5) {
				comms[i].Spans = append(comms[i].Spans, reduce(10*k))
			}
			comms[i].Spans = append(comms[i].Spans, tt.spans[i])
			again := tt.spans[i] // in a step that is left out
			again.Step = 1
			comms[i].Spans = append(comms[i].Spans, again)
		}
		_, partners := addAllWaits(ranks, comms)
		got := ""
		for _, p := range partners.Pairs {
			if got != "" {
				got += "; "
			}
			u := p.Use
			got += fmt.Sprintf("%s: %d calls in %d steps, %g bytes, %d us, %d waiting, %d transfer, %d exposed", group.Key(p.Ranks[:]), u.Calls, u.Steps, u.Bytes, u.Time/us, u.Wait/us, u.Transfer/us, u.Exposed/us)
		}
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

package metric

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestCommOf: groups of different ranks are different communicators, whatever they are called,
// and a peer that is a rank of the job becomes a number in its group.
func TestCommOf(t *testing.T) {
	names := trace.NewNames()
	tr := &trace.Trace{Names: names, Identity: trace.Identity{WorldSize: 64}}
	message := func(name, members string, ranks, peer int32) *trace.Message {
		return &trace.Message{Comm: names.ID(name), Members: names.ID(members), Ranks: ranks, Peer: peer, PeerOfJob: true}
	}
	x := &commCollector{rank: &Rank{Trace: tr}}
	for _, tt := range []struct {
		m    *trace.Message
		comm string
		peer int32
	}{
		{message("3", "[0, 4]", 2, 5), "3 of 0,4", 2},
		{message("3", "[1, 5]", 2, 6), "3 of 1,5", 2},
		{message("3", "[1, 5]", 2, 4), "3 of 1,5", 0},                                // rank 3 is no member
		{message("3", "[1, 5]", 4, 6), "3 of [1, 5]", 0},                             // two ranks of four
		{message("0", "[0, 1, ...]", 64, 33), "0 of [0, 1, ...]", 33},                // all ranks of the job
		{message("7", "[0, 2, ...]", 32, 33), "7 of [0, 2, ...]", 0},                 // which number it has there is not known
		{&trace.Message{Comm: names.ID("123456789012"), Peer: 2}, "123456789012", 2}, // of NCCL
	} {
		comm := x.commOf(tt.m)
		if comm != tt.comm {
			t.Errorf("got communicator %q, want %q", comm, tt.comm)
		}
		if got := x.peerOf(tt.m, comm); got != tt.peer {
			t.Errorf("%s: got peer %d, want %d", comm, got, tt.peer)
		}
	}
}

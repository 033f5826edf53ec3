package pipeline

import (
	"math"
	"strings"
	"testing"
)

// calls are those of a stage in a line of two or more: "Fr" receives an activation, "Fs" sends one
// on, "Bs" and "Br" are the same of gradients; ".", with any number behind it, is so much time.
func calls(text string) (out []Call) {
	at := int64(0)
	for _, word := range strings.Fields(text) {
		if word[0] == '.' {
			at += 10
			continue
		}
		c := Call{Start: at, End: at + 2, Way: map[byte]Way{'F': Forward, 'B': Backward}[word[0]], Sends: word[1] == 's', Bytes: 1 << 20}
		if len(word) > 2 {
			c.Bytes = 64
		}
		out = append(out, c)
		at = c.End
	}
	return out
}

// The stages of two pipelines of two stages.
var (
	inTurns = [][]Call{calls(". Fs . Fs Br . . Fs Br . . Fs Br . . Br"), calls("Fr . . Fr Bs . . Fr Bs . . Fr Bs . . Bs")}
	allAt   = [][]Call{calls(". Fs . Fs . Fs . Fs Br . Br . Br . Br"), calls("Fr . Fr . Fr . Fr . . Bs . Bs . Bs . Bs")}
)

func TestRepeats(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stages [][]Call
		want   int
	}{
		{"in turns", inTurns, 4},
		{"all forward first", allAt, 4},
		{"forward only", [][]Call{calls(". Fs . Fs . Fs"), calls("Fr . Fr . Fr .")}, 3},
		{"one stage more, which was not captured", [][]Call{inTurns[0], inTurns[1], nil}, 0},
		{"one stage", inTurns[:1], 0},
		{"a message less on one side", [][]Call{inTurns[0], inTurns[1][1:]}, 0},
		{"two messages for each micro-batch", [][]Call{calls(". Fs Fs . Fs Fs . Br Br . Br Br"), calls("Fr Fr . Fr Fr . Bs Bs . Bs Bs")}, 0},
		{"messages of two sizes", [][]Call{calls(". Fs Fsx . Fs Fsx"), calls("Fr Frx . Fr Frx .")}, 0},
		{"a way that is not known", [][]Call{append([]Call{{End: 1, Bytes: 1 << 20}}, inTurns[0]...), inTurns[1]}, 0},
		{"gradients of some alone", [][]Call{calls(". Fs . Fs Br"), calls("Fr . Fr . Bs")}, 0},
		{"nothing", [][]Call{nil, nil}, 0},
	} {
		if got := Repeats(tt.stages); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestScheduleOf(t *testing.T) {
	for _, tt := range []struct {
		name            string
		last            []Call
		batches, chunks int
		want            string
	}{
		{"in turns", inTurns[1], 4, 1, InTurns},
		{"all forward first", allAt[1], 4, 1, AllForward},
		{"forward only", calls("Fr . Fr . Fr"), 3, 1, ForwardOnly},
		{"two micro-batches, of which all schedules look alike", calls("Fr . Fr . Bs . Bs"), 2, 1, ""},
		{"half of them first", calls("Fr . Fr . Fr . Bs . Bs . Bs . Fr . Fr . Fr . Bs . Bs . Bs"), 6, 1, ""},
		{"interleaved", inTurns[1], 4, 2, InterleavedName},
		{"micro-batches unknown", inTurns[1], 0, 0, ""},
	} {
		if got := ScheduleOf(tt.last, tt.batches, tt.chunks); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPhases(t *testing.T) {
	for _, tt := range []struct {
		name         string
		calls        []Call
		full, drains int64
		known        bool
	}{
		{"the first stage", calls(". Fs . Fs Br . Fs Br . Br"), 26, 38, true},
		{"the last stage", calls("Fr . Bs . Fr . Bs"), 12, 26, true},
		{"all forward first", calls("Fr . Fr . Bs . Bs"), 24, 24, true},
		{"forward only", calls("Fr . Fr . Fr"), 2, 26, true},
		{"a way that is not known", []Call{{End: 1}}, 0, 0, false},
		{"nothing forward", calls("Bs . Bs"), 0, 0, false},
		{"nothing", nil, 0, 0, false},
	} {
		full, drains, known := Phases(tt.calls)
		if known != tt.known || known && (full != tt.full || drains != tt.drains) {
			t.Errorf("%s: got %d, %d, %v, want %d, %d, %v", tt.name, full, drains, known, tt.full, tt.drains, tt.known)
		}
	}
}

func TestWayOf(t *testing.T) {
	for _, tt := range []struct {
		from, to, stages int
		want             Way
	}{
		{0, 1, 4, Forward}, {1, 0, 4, Backward}, {3, 0, 4, Forward}, {0, 3, 4, Backward}, {0, 2, 4, Unknown},
		{1, 1, 4, Unknown}, {0, 1, 2, Forward}, {1, 0, 2, Backward},
	} {
		if got := WayOf(tt.from, tt.to, tt.stages); got != tt.want {
			t.Errorf("%d to %d of %d: got %d, want %d", tt.from, tt.to, tt.stages, got, tt.want)
		}
	}
}

// TestIdeal has the numbers of the paper's formula.
func TestIdeal(t *testing.T) {
	for _, tt := range []struct {
		stages, batches, chunks int
		want                    float64
	}{{4, 8, 1, 3. / 11}, {4, 4, 1, 3. / 7}, {4, 8, 2, 3. / 19}, {1, 8, 1, 0}} {
		if got := Ideal(tt.stages, tt.batches, tt.chunks); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%d stages, %d micro-batches, %d chunks: got %g, want %g", tt.stages, tt.batches, tt.chunks, got, tt.want)
		}
	}
}

func TestBatchOf(t *testing.T) {
	for name, want := range map[string]Batch{
		"Forward 3": {3, -1}, "forward microbatch 12": {12, -1}, "fwd_mb7": {7, -1}, "forward_step 0": {0, -1},
		"microbatch 5 forward": {5, -1}, "mb3:fwd": {3, -1}, "PP:2F7": {7, 2}, "Forward pass 4": {4, -1},
	} {
		if got, is := BatchOf(name); !is || got != want {
			t.Errorf("%q: got %v, %v, want %v", name, got, is, want)
		}
	}
	for _, name := range []string{"Backward 3", "forward", "forward layer 3", "forward 3 of 8", "PP:2B7", "PP:1SEND_F3", "microbatch 5", "step 7", "Forward Linear_3", "PP:2F"} {
		if got, is := BatchOf(name); is {
			t.Errorf("%q: got %v, want none", name, got)
		}
	}
}

func TestCountBatches(t *testing.T) {
	of := func(numbers ...int) (out []Batch) {
		for _, n := range numbers {
			out = append(out, Batch{n, -1})
		}
		return out
	}
	for _, tt := range []struct {
		name           string
		all            []Batch
		batches, parts int
		known          bool
	}{
		{"from 0", of(0, 1, 2, 3), 4, 0, true},
		{"from 1, in any order", of(2, 1, 3), 3, 0, true},
		{"of two parts of the model", []Batch{{0, 0}, {1, 0}, {0, 4}, {1, 4}}, 2, 2, true},
		{"numbers with gaps", of(0, 2, 3), 0, 0, false},
		{"numbers of steps", of(17), 0, 0, false},
		{"nothing", nil, 0, 0, false},
	} {
		if n, parts, known := CountBatches(tt.all); known != tt.known || known && (n != tt.batches || parts != tt.parts) {
			t.Errorf("%s: got %d, %d, %v, want %d, %d, %v", tt.name, n, parts, known, tt.batches, tt.parts, tt.known)
		}
	}
}

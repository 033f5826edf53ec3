package metric

import (
	"math"
	"math/bits"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
)

// known is what is known of a rank before its communication is written or read: by it times are
// foretold, most of them to the nanosecond.
type known struct {
	rank  *run.Rank
	spans []collective.Span
	first []int // by step, the index of its first communication kernel; and how many there are

	exposed []interval.Packed // by step, exposed communication; nil until that is known
}

func knownOf(rank *run.Rank, spans []collective.Span) known {
	k := known{rank: rank, spans: spans, first: make([]int, len(rank.Steps)+1)}
	at := 0
	for i := range k.first {
		for at < len(spans) && spans[at].Step < i {
			at++
		}
		k.first[i] = at
	}
	return k
}

// of are the communication kernels of a step.
func (k known) of(step int) []collective.Span { return k.spans[k.first[step]:k.first[step+1]] }

// nanosecondsOf is a series of times by step, in ns; nil if there is none.
func (k known) nanosecondsOf(key run.Key) []int64 {
	for i := range k.rank.Series {
		s := &k.rank.Series[i]
		if s.Key != key || len(s.Values) != len(k.rank.Steps) {
			continue
		}
		out := make([]int64, len(s.Values))
		for j, x := range s.Values {
			if x = math.Round(x * 1e9); math.Abs(x) < 1<<53 { // not NaN
				out[j] = int64(x)
			}
		}
		return out
	}
	return nil
}

// better counts in bits whether what is expected of numbers is nearer than the number that was there
// before.
type better struct {
	bits   int
	before int64
}

// note notes a number, and what was expected of it.
func (b *better) note(n, expected int64) {
	size := func(d int64) int { return bits.Len64(uint64(max(d, -d))) }
	b.bits += size(n-b.before) - size(n-expected)
	b.before = n
}

func (b *better) is() bool { return b.bits > 0 }

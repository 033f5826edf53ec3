// Package group says which ranks of a job communicate with each other, and why: which dimension
// of the job's parallelism a process group, or a communicator, serves.
package group

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Dimension is a way in which a job is spread over ranks.
type Dimension string

// The dimensions. What is not known to serve one of them is Unknown.
const (
	Unknown  Dimension = ""
	Tensor   Dimension = "tensor parallel"
	Context  Dimension = "context parallel"
	Expert   Dimension = "expert parallel"
	Data     Dimension = "data parallel"
	Pipeline Dimension = "pipeline parallel"
)

// Dimensions lists all known ones, from ranks that are nearest to each other to those farthest apart, as Megatron-LM
// places them.
var Dimensions = []Dimension{Tensor, Context, Expert, Data, Pipeline}

// Group is ranks that communicate with each other, and what they do in a step.
type Group struct {
	Ranks   []int  // of the job, in order
	Purpose string // as the program describes it: "TENSOR_MODEL_PARALLEL_GROUP"; "" not recorded
	Uses    []Use
}

// Use is what a group does with one collective in a mean step.
type Use struct {
	Collective  string  // canonical name: "AllReduce"
	Calls       float64 // a rank and step
	Least, Most int64   // bytes of a message; 0 unknown
	First, Last float64 // where in the step the first and the last begin, 0 to 1
	Pairs       bool    // single ranks send to each other
	Around      bool    // of Pairs: also the last rank and the first one, as in a ring
	InTurn      bool    // of Pairs: the first rank computes before it sends, and the others receive before they compute
	Far         bool    // of Pairs: also ranks that are no neighbours in the group, or are not known
}

// manySpaced is from how many ranks on that are all at the same distance a key says so.
const manySpaced = 6

// Key returns the same for groups of the same ranks: "0-3", "0,4,8-9" or, of many, "0-62 by 2".
func Key(ranks []int) string {
	var b strings.Builder
	if d := Stride(ranks); d > 1 && len(ranks) >= manySpaced {
		return strconv.Itoa(ranks[0]) + "-" + strconv.Itoa(ranks[len(ranks)-1]) + " by " + strconv.Itoa(d)
	}
	for i := 0; i < len(ranks); {
		k := i
		for k+1 < len(ranks) && ranks[k+1] == ranks[k]+1 {
			k++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ranks[i]))
		if k > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(ranks[k]))
		}
		i = k + 1
	}
	return b.String()
}

// MostRanks bounds the ranks of a group that are believed. Chosen, not measured: no job is
// larger.
const MostRanks = 1 << 17

// ParseRanks reads a list of ranks as PyTorch writes it, "[0, 1, 2]", and returns them in order. It is false for a
// list that was cut ("[0, 1, ...]") or names a rank twice, and for any other text.
func ParseRanks(list string) ([]int, bool) {
	list, begins := strings.CutPrefix(strings.TrimSpace(list), "[")
	list, ends := strings.CutSuffix(list, "]")
	if !begins || !ends {
		return nil, false
	}
	var ranks []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 || n >= MostRanks || len(ranks) == MostRanks {
			return nil, false
		}
		ranks = append(ranks, n)
	}
	slices.Sort(ranks)
	return ranks, len(slices.Compact(slices.Clone(ranks))) == len(ranks)
}

// FirstRanks returns the ranks that a list names which was cut: 0 and 1 of "[0, 1, ...]".
func FirstRanks(list string) (ranks []int) {
	for text := range strings.SplitSeq(strings.Trim(list, "[] "), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			break
		}
		ranks = append(ranks, n)
	}
	return ranks
}

// Stride returns the distance from each rank of the group to the next; 0 where it is not the same
// everywhere, or the group has one rank.
func Stride(ranks []int) int {
	if len(ranks) < 2 {
		return 0
	}
	d := ranks[1] - ranks[0]
	for i := 2; i < len(ranks); i++ {
		if ranks[i]-ranks[i-1] != d {
			return 0
		}
	}
	return d
}

// Compare orders groups by dimension, then by ranks.
func Compare(a, b []int, of, other Dimension) int {
	place := func(d Dimension) int {
		if i := slices.Index(Dimensions, d); i >= 0 {
			return i
		}
		return len(Dimensions)
	}
	return cmp.Or(cmp.Compare(place(of), place(other)), slices.Compare(a, b))
}

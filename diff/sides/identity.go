package sides

import (
	"slices"

	"perfdiff/analyze/run"
)

// Kernels have a table of their own.
const (
	KernelTime     = run.KernelTime
	KernelLaunches = run.KernelLaunches
)

// sameFiles reports whether both sides were read from the same content.
func sameFiles(base, cand *run.Set) bool {
	if base.Digest != "" && base.Digest == cand.Digest {
		return true
	}
	b, c := Digests(base), Digests(cand)
	return len(b) > 0 && slices.Equal(b, c)
}

// Digests returns the digests of the files that were read, in order.
func Digests(s *run.Set) []string {
	var out []string
	for _, f := range s.Files {
		if f.Digest != "" && f.Err == "" {
			out = append(out, f.Digest)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// DigestsOf returns the digests of the files that a run was read from, nil if a set of several runs does not list them
// all.
func DigestsOf(set *run.Set, r *run.Run) []string {
	if len(set.Runs) == 1 {
		return Digests(set)
	}
	of := map[string]string{}
	for _, f := range set.Files {
		of[f.Name] = f.Digest
	}
	var out []string
	for i := range r.Ranks {
		for _, f := range r.Ranks[i].Files {
			if of[f] == "" {
				return nil
			}
			out = append(out, of[f])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Began returns when a run began, UTC nanoseconds; 0 where no rank says.
func Began(r *run.Run) int64 {
	first := int64(0)
	for i := range r.Ranks {
		if at := r.Ranks[i].Began; at != 0 && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}

// Markers returns by what the steps were found.
func (s *Side) Markers() string {
	return MostFrequent(s.DistinctValues(func(k *Rank) string {
		if len(k.Receipts) == 0 {
			return ""
		}
		return k.Receipts[0].Marker
	}))
}

// DistinctValues returns the distinct values of something over the ranks of a side.
func (s *Side) DistinctValues(of func(*Rank) string) []string {
	var out []string
	s.EachRank(func(k *Rank) { out = append(out, of(k)) })
	return Distinct(out)
}

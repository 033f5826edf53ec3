package html

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// kernelsInOrder returns the kernels as the page lists them: in the report's order, which is by the
// size of the change, and of equal changes the largest share first.
func (s *sheet) kernelsInOrder() []*cause.Kernel {
	out := make([]*cause.Kernel, len(s.r.Kernels))
	for i := range s.r.Kernels {
		out[i] = &s.r.Kernels[i]
	}
	slices.SortStableFunc(out, func(a, b *cause.Kernel) int {
		if a.Others > 0 || b.Others > 0 {
			return cmp.Compare(a.Others, b.Others)
		}
		return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), cmp.Compare(b.Share, a.Share))
	})
	return out
}

// kernelTexts returns the names of kernels as a table shows them: no two are the same text.
func kernelTexts(list []*cause.Kernel) []string {
	names := make([]string, len(list))
	for i, k := range list {
		names[i] = strings.TrimPrefix(k.Name, "void ")
		if k.Others > 0 {
			names[i] = number.Counted(k.Others, "other")
		}
	}
	return distinctTexts(names)
}

// cuts says how names are shortened: to so many letters, of which this share is the head. If two names become the same
// text, both are cut by the next rule; after the last they stay whole.
var cuts = []struct {
	letters int
	head    float64
}{{43, 0.6}, {43, 0.35}, {43, 0.1}, {60, 0.5}, {60, 0.2}, {90, 0.5}, {90, 0.2}, {140, 0.5}}

// distinctTexts shortens names to texts that differ wherever the names do. Equal names are
// numbered.
func distinctTexts(names []string) []string {
	out, alike := make([]string, len(names)), make([]int, len(names)) // those whose texts are not the only ones
	for i := range names {
		alike[i] = i
	}
	count := make(map[string]int, len(names))
	for level := 0; level <= len(cuts) && len(alike) > 0; level++ {
		for _, i := range alike {
			out[i] = cutTo(names[i], level)
			count[out[i]]++
		}
		alike = slices.DeleteFunc(alike, func(i int) bool { return count[out[i]] == 1 })
		for _, i := range alike {
			count[out[i]]--
		}
	}
	seen := make(map[string]int, len(names))
	for i := range out {
		if seen[out[i]]++; seen[out[i]] > 1 {
			out[i] += " #" + strconv.Itoa(seen[out[i]])
		}
	}
	return out
}

func cutTo(name string, level int) string {
	if level >= len(cuts) {
		return name
	}
	return shortenAt(name, cuts[level].letters, cuts[level].head)
}

// kernelID names a kernel in the page's address: the same in every report, whatever its row.
func kernelID(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// shownKernel returns the id of a row's kernel, if the table of kernels has a row for it; else "".
func (s *sheet) shownKernel(table run.Table, name string) string {
	if table != run.KernelTable {
		return ""
	}
	for i := range s.r.Kernels { // by index, since each is copied otherwise
		if k := &s.r.Kernels[i]; k.Name == name && k.Others == 0 {
			return kernelID(name)
		}
	}
	return ""
}

// collectiveOfKernel returns the collective that a kernel is of, if the page shows it; else "".
func (s *sheet) collectiveOfKernel(k *cause.Kernel) string {
	of, communicates := kernelname.CommunicationOf(k.Name)
	if !communicates || !s.showsCollective(of.Collective) {
		return ""
	}
	return of.Collective
}

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
	"perfdiff/render/words"
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

// longestName is how many letters of a name a table shows, where they tell it from the others. Chosen, not measured: a
// third of the page.
const longestName = 43

// kernelTexts returns the names of kernels as a table shows them: no two are the same text.
func kernelTexts(list []*cause.Kernel) []string {
	names := make([]string, len(list))
	for i, k := range list {
		names[i] = strings.TrimPrefix(k.Name, "void ")
		if k.Others > 0 {
			names[i] = number.Counted(k.Others, "other")
		}
	}
	return words.Distinct(names, longestName)
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

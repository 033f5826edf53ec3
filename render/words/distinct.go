package words

import (
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// KernelNames returns what people call the kernels of one table or list: labels, and where several kernels have one
// label their names, shortened together.
func KernelNames(names []string, letters int) []string {
	texts, first := make([]string, len(names)), map[string]string{}
	for i, name := range names {
		texts[i] = cause.KernelLabel(name)
		if other, seen := first[texts[i]]; !seen {
			first[texts[i]] = name
		} else if other != name {
			first[texts[i]] = "" // of more than one
		}
	}
	for i, name := range names {
		if first[texts[i]] == "" {
			texts[i] = name
		}
	}
	return Distinct(texts, letters)
}

// CallNames does the same for calls, each table of them by itself; kernels alone have labels.
func CallNames(calls []cause.Call, letters int) (out []string) {
	for len(out) < len(calls) {
		table, names := calls[len(out)].Table, []string(nil)
		for i := len(out); i < len(calls) && calls[i].Table == table; i++ {
			names = append(names, calls[i].Name)
		}
		if table == run.KernelTable {
			out = append(out, KernelNames(names, letters)...)
		} else {
			out = append(out, Distinct(names, letters)...)
		}
	}
	return out
}

// inFindings is how many letters of a kernel's name a finding has, where they tell it from those of the others. Chosen,
// not measured: a line of a terminal less what is said of it.
const inFindings = 60

// kernelIn names a kernel of a finding as no other finding of the report does.
func kernelIn(r *diff.Report, name string) string {
	names := []string{name}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kernel != nil && !slices.Contains(names, f.Kernel.Name) {
			names = append(names, f.Kernel.Name)
		}
		if f.Call != nil && f.Call.Table == run.KernelTable && !slices.Contains(names, f.Call.Name) {
			names = append(names, f.Call.Name)
		}
	}
	if label := cause.KernelLabel(name); !slices.ContainsFunc(names[1:], func(n string) bool { return cause.KernelLabel(n) == label }) {
		return label
	}
	return KernelNames(names, inFindings)[0]
}

// cuts says how names are shortened: to so many letters, 0 for those that the place has, of which this share is the
// head. If two names become the same text, both are cut by the next rule; after the last they stay whole.
var cuts = []struct {
	letters int
	head    float64
}{{0, 0.6}, {0, 0.35}, {0, 0.1}, {60, 0.5}, {60, 0.2}, {90, 0.5}, {90, 0.2}, {140, 0.5}}

// Distinct shortens the names of one table or list together, to so many letters or to as many as it takes until their
// texts differ wherever the names do. Equal names are numbered.
func Distinct(names []string, letters int) []string {
	out, alike := make([]string, len(names)), make([]int, len(names)) // those whose texts are not the only ones
	for i := range names {
		alike[i] = i
	}
	count := make(map[string]int, len(names))
	for level := 0; level <= len(cuts) && len(alike) > 0; level++ {
		for _, i := range alike {
			out[i] = cutTo(names[i], level, letters)
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

func cutTo(name string, level, letters int) string {
	if level >= len(cuts) {
		return name
	}
	return Cut(name, max(cuts[level].letters, letters), cuts[level].head)
}

// Cut keeps so many letters of a name: a share of them from its head and the rest from its tail.
func Cut(name string, letters int, share float64) string {
	r := []rune(name)
	if len(r) <= letters {
		return name
	}
	head := int(float64(float64(letters-1)*share) + 1e-9)
	return string(r[:head]) + "\u2026" + string(r[len(r)-(letters-1-head):])
}

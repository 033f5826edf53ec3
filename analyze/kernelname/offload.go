package kernelname

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// offloaded are the names that compilers give to the kernels that they make of parts of functions. Each holds the
// line of the part, which any edit above it moves, and some hold a number of the part in its file, or the file's
// number on its disk. as is what stays. Seen in: NVIDIA HPC's OpenMP and OpenACC; LLVM's, AMD's and Intel's OpenMP;
// Cray's.
var offloaded = []struct {
	mark string // at the start or near the end of every such name
	name *regexp.Regexp
	as   string
}{
	{"nvkernel_", regexp.MustCompile(`^(nvkernel_.+_F[0-9]+L)(?P<line>[0-9]+)(?:_[0-9]+)*$`), "${1}#"},
	{"__omp_offloading_", regexp.MustCompile(`^__omp_offloading_[0-9a-f]+_[0-9a-f]+_(.+_l)(?P<line>[0-9]+)(?:_[0-9]+)?(?:_debug__)?$`), "__omp_offloading_${1}#"},
	{"_gpu", regexp.MustCompile(`^(.*[^0-9_]_+)(?P<line>[0-9]+)(_gpu(?:__red)?)$`), "${1}#${3}"},
	{"$ck_L", regexp.MustCompile(`^(.+\$ck_L)(?P<line>[0-9]+)(?:_[0-9]+)*$`), "${1}#"},
}

// nearEnd is how many bytes before the end of a name are looked at first: a capture can have a million names. Chosen,
// not measured: a mark, and a line and another number, are shorter.
const nearEnd = 32

// withoutLine returns the name of an offloaded kernel with "#" in place of its line; ok is false for other names.
func withoutLine(name string) (stem string, line int, ok bool) {
	for _, o := range offloaded {
		if !strings.HasPrefix(name, o.mark) && !strings.Contains(name[max(0, len(name)-nearEnd):], o.mark) {
			continue
		}
		if m := o.name.FindStringSubmatchIndex(name); m != nil {
			at := 2 * o.name.SubexpIndex("line")
			line, _ = strconv.Atoi(name[m[at]:m[at+1]]) // one that is too large is the largest
			return string(o.name.ExpandString(nil, o.as, name, m)), line, true
		}
	}
	return name, 0, false
}

// Lines returns the canonical names of those of a capture's kernels that CanonicalKernel would give one name although
// they are of different lines: they are numbered by line, "f_l#1of2". The number of them is in the name, since one more
// on a side moves all that follow, and names that are equal by chance would compare two different kernels.
func Lines(names iter.Seq[string]) map[string]string {
	type part struct {
		name string
		line int
	}
	byStem := map[string][]part{}
	for name := range names {
		if stem, line, ok := withoutLine(unadorned(name)); ok {
			byStem[stem] = append(byStem[stem], part{name, line})
		}
	}
	out := map[string]string{}
	for stem, parts := range byStem {
		slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.line, b.line), strings.Compare(a.name, b.name)) })
		for i, p := range parts {
			if len(parts) > 1 {
				out[p.name] = strings.Replace(stem, "#", fmt.Sprintf("#%dof%d", i+1, len(parts)), 1)
			}
		}
	}
	return out
}

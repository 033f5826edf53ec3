package cause

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// SidePlace is a step of a side in which a finding is to be seen.
type SidePlace struct {
	Side      string `report:"side"`
	run.Place `report:"."`
}

// KernelProfile says how Nsight Compute records on one rank a kernel that a finding blames.
type KernelProfile struct {
	Side    string `report:"side"`
	Rank    int    `report:"rank"`
	Kernel  string `report:"kernel"`
	Pattern string `report:"pattern"` // finds its name, also where that is spelled in another way
	// Skip is how many launches of what the pattern finds the capture holds before the first kept step; NaN: not known.
	Skip  float64 `report:"launch_skip"`
	Count int     `report:"launch_count"`
}

// Chosen, not measured: how many kernels of a finding are looked into on a side, and how many launches of each at least
// and at most. perfdiff ncu needs five to judge, and its help records 20.
const mostProfiled, leastRecorded, mostRecorded = 2, 5, 20

// locate says where the finding is to be seen, on both sides on one rank, and how the kernels that it blames are looked
// into there.
func (f *Finding) locate(p *Causes) {
	ranks := f.Ranks
	for i, s := range []*sides.Side{p.Cand, p.Base} {
		k, at := f.exampleOn(s, ranks)
		if k == nil {
			continue
		}
		ranks = []int{k.Rank.Rank}
		f.Where = slices.Insert(f.Where, 0, SidePlace{s.Name, k.PlaceOf(at)})
		var profiles []KernelProfile
		for _, name := range f.blamedOn(1 - i) {
			if len(profiles) < mostProfiled && k.ValuesOf(run.Key{Metric: sides.KernelTime, Part: name}) != nil && name != sides.GraphKernel {
				profiles = append(profiles, profileOf(k, s.Name, name))
			}
		}
		f.Profiles = append(profiles, f.Profiles...)
	}
}

// exampleOn returns a rank and the index of its step in which the finding is to be seen: of the steps that it names the
// one where it is most, else the median of the median rank, in what it is measured in, and in time where that is no
// series. ranks are those to look at; nil: all.
func (f *Finding) exampleOn(s *sides.Side, ranks []int) (rank *sides.Rank, at int) {
	for _, key := range []run.Key{{Metric: f.Metric, Part: f.Part}, {Metric: f.Metric}, sides.StepTime} {
		var among, of []*sides.Rank
		mean := map[*sides.Rank]float64{}
		s.EachRank(func(k *sides.Rank) {
			if v, known := k.MeanOver(key); known && !k.OnOneSideOnly && (ranks == nil || slices.Contains(ranks, k.Rank.Rank)) {
				among, mean[k] = append(among, k), v
			}
		})
		if len(among) > 0 && f.Steps == nil {
			slices.SortStableFunc(among, func(a, b *sides.Rank) int { return cmp.Compare(mean[a], mean[b]) })
			among = []*sides.Rank{order.Lower(among)}
		}
		var values []float64
		var steps []int
		for _, k := range among {
			series := k.ValuesOf(key)
			for j, at := range k.UsedIndex {
				if v := k.ValueOf(series, j); !math.IsNaN(v) && (f.Steps == nil || slices.Contains(f.Steps, k.Steps[at].Number)) {
					values, of, steps = append(values, v), append(of, k), append(steps, at)
				}
			}
		}
		if len(values) > 0 {
			want := slices.Max(values)
			if f.Steps == nil {
				want = order.LowerMedian(slices.Clone(values))
			}
			i := slices.Index(values, want)
			return of[i], steps[i]
		}
	}
	return nil, 0
}

// blamedOn returns the kernels that a finding names as what changed, and that run on a side.
func (f *Finding) blamedOn(side int) (names []string) {
	if f.Kernel != nil {
		names = append(names, f.Kernel.Name)
	}
	for _, c := range f.Clauses {
		for _, part := range c.Kernels {
			names = append(names, [2][]string{part.Gone, part.Came}[side]...)
			if part.Kernel != nil {
				names = append(names, part.Kernel.Name)
			}
		}
	}
	return names
}

// profileOf returns how a kernel of a rank is looked into. What replays of graphs hide, and what several captures of a
// rank hold, cannot be counted.
func profileOf(k *sides.Rank, side, name string) KernelProfile {
	var all []string
	for i := range k.Series {
		if k.Series[i].Metric == sides.KernelTime {
			all = append(all, k.Series[i].Part)
		}
	}
	pattern, found := patternOf(name, all)
	out, launches := KernelProfile{Side: side, Rank: k.Rank.Rank, Kernel: name, Pattern: pattern}, 0.0
	for _, other := range found {
		mean, _ := k.MeanOver(run.Key{Metric: sides.KernelLaunches, Part: other})
		launches += mean
		at := slices.IndexFunc(k.Work, func(w run.KernelWork) bool { return w.Kernel == other })
		if at < 0 || k.Work[at].Before == 0 || k.Spans.Graphs > 0 || len(k.Files) != 1 {
			out.Skip = math.NaN()
			continue
		}
		out.Skip += float64(k.Work[at].Before - 1)
	}
	out.Count = min(max(int(math.Ceil(launches)), leastRecorded), mostRecorded)
	return out
}

var (
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	// spelled are parts of names that profilers spell each in their own way, or leave out.
	spelled = regexp.MustCompile(`^(std|at|anonymous|array|bool|const|false|int|instance|lambda|namespace|true|void)$`)
)

// patternOf returns a pattern for a kernel, and what it finds among all of a rank: the function's name, and of the
// words behind it those that tell it from others.
func patternOf(name string, all []string) (pattern string, found []string) {
	function, _, _ := strings.Cut(identifier.FindString(functionOf(name)), "0xN")
	pattern, found = `\b`+function, all
	_, behind, _ := strings.Cut(name, function)
	if strings.HasPrefix(behind, "<") {
		pattern += "<"
	}
	for i, word := range append([]string{""}, identifier.FindAllString(behind, -1)...) {
		longer := pattern
		if i > 0 {
			longer += `.*\b` + word
		}
		re := regexp.MustCompile(longer)
		left := slices.DeleteFunc(slices.Clone(found), func(s string) bool { return !re.MatchString(s) })
		if i == 0 || len(left) < len(found) && !spelled.MatchString(word) {
			pattern, found = longer, left
		}
	}
	return pattern, found
}

package build

import "perfdiff/analyze/trace"

// Shapes finds how the kernels of each name were launched mostly. Names are numbers that count up.
type Shapes []vote

// vote finds the shape that most launches have, without remembering all (Boyer and Moore): right
// where one has the majority, else one of the frequent ones.
type vote struct {
	shape trace.Shape
	votes int64
}

func (v *vote) add(s trace.Shape) {
	switch {
	case v.votes == 0:
		v.shape, v.votes = s, 1
	case v.shape == s:
		v.votes++
	default:
		v.votes--
	}
}

// Add counts a launch of the kernel with a name. One whose shape is not known does not count.
func (all *Shapes) Add(name int, s trace.Shape) {
	if !s.Known() {
		return
	}
	if name >= len(*all) {
		*all = append(*all, make([]vote, name+64-len(*all))...)
	}
	(*all)[name].add(s)
}

// Each hands over the shape of most launches of each name that has one.
func (all Shapes) Each(take func(name int, s trace.Shape)) {
	for name, v := range all {
		if v.shape.Known() {
			take(name, v.shape)
		}
	}
}

// ByName returns these shapes, where the numbers are ids of names.
func (all Shapes) ByName() map[trace.NameID]trace.Shape {
	out := make(map[trace.NameID]trace.Shape)
	all.Each(func(name int, s trace.Shape) { out[trace.NameID(name)] = s })
	return out
}

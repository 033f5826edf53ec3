package trace

import (
	"fmt"
	"strings"
)

// Shape is how a kernel was launched. The zero value is not known.
type Shape struct {
	Grid, Block [3]int32
	Registers   int32 // a thread
	Shared      int64 // bytes of shared memory a block, static and dynamic
	Occupancy   int32 // estimated, percent of the threads an SM holds; 0: not known
}

// Known reports whether s is a launch at all.
func (s Shape) Known() bool { return s.Grid[0] > 0 && s.Block[0] > 0 }

// Blocks returns how many blocks are launched; 0 not known.
func (s Shape) Blocks() int64 { return volume(s.Grid, enough) }

// String returns "528 blocks of 384, 64 registers, 0 B shared, occupancy 75 %"; "" for what
// is not known.
func (s Shape) String() string {
	if !s.Known() {
		return ""
	}
	text := fmt.Sprintf("%s blocks of %s, %d registers, %d B shared", triple(s.Grid), triple(s.Block), s.Registers, s.Shared)
	if s.Occupancy > 0 {
		text += fmt.Sprintf(", occupancy %d %%", s.Occupancy)
	}
	return text
}

// triple returns "528x2", without the dimensions that are 1 at the end.
func triple(v [3]int32) string {
	n := 3
	for n > 1 && v[n-1] == 1 {
		n--
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprint(v[i])
	}
	return strings.Join(parts, "\u00d7")
}

// Change says how two launches differ, "" if they do not, or if one is not known.
func (s Shape) Change(to Shape) string {
	if !s.Known() || !to.Known() || s == to {
		return ""
	}
	var parts []string
	add := func(what, from, to string) {
		if from != to {
			parts = append(parts, what+" "+from+" \u2192 "+to)
		}
	}
	add("grid", triple(s.Grid), triple(to.Grid))
	add("block", triple(s.Block), triple(to.Block))
	add("registers a thread", fmt.Sprint(s.Registers), fmt.Sprint(to.Registers))
	add("shared memory", fmt.Sprintf("%d B", s.Shared), fmt.Sprintf("%d B", to.Shared))
	if s.Occupancy > 0 && to.Occupancy > 0 {
		add("occupancy", fmt.Sprintf("%d %%", s.Occupancy), fmt.Sprintf("%d %%", to.Occupancy))
	}
	return strings.Join(parts, ", ")
}

package idle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestPlaces: operators, modules and functions of the launching thread are host work, and
// the gap says in which of them the host is.
func TestPlaces(t *testing.T) {
	type doing struct {
		name       string // "f …" a function, "w …" an operator of another thread
		start, end int64  // us from the start of the gap of 1,000 us
	}
	for _, c := range []struct {
		name string
		did  []doing
		api  []doing
		want string
	}{
		{"nothing", nil, nil, "unknown 1000"},
		{"an operator", []doing{{"aten::copy_", 100, 400}}, nil, "host 300, unknown 700 in aten::copy_ 300"},
		{"an operator of a module", []doing{{"nn.Module: Net_0", -100, 800}, {"nn.Module: Linear_12", 50, 500}, {"aten::linear", 100, 400}}, nil,
			"host 800, unknown 200 in module Net 350, aten::linear of module Linear 300, module Linear 150"},
		{"functions within each other", []doing{{"f train (train.py)", -5000, 9000}, {"f step (adamw.py)", 100, 900}, {"aten::mul_", 300, 400}}, nil,
			"host 1000 in step (adamw.py) 700, train (train.py) 200, aten::mul_ 100"},
		{"another thread", []doing{{"w aten::add", 0, 1000}}, nil, "unknown 1000"},
		{"as long as the step", []doing{{"loop", -gapAt, 1300}}, nil, "unknown 1000"},
		{"what goes before it", []doing{{"aten::item", 0, 1000}}, []doing{{"", 200, 900}},
			"synchronizing 700, host 300 in aten::item 300"},
		{"outside of the gap", []doing{{"aten::a", -300, -100}, {"aten::b", -50, 0}, {"aten::c", 1000, 1100}}, nil, "unknown 1000"},
		{"the other half of the gap", []doing{{"aten::b", -50, 10}, {"aten::b", 20, 30}, {"aten::d", 990, 2000}}, nil, "host 30, unknown 970 in aten::b 20, aten::d 10"},
	} {
		tr := gapTrace(1000, nil)
		for _, d := range c.did {
			x := trace.Range{Start: micros(gapAt + d.start), End: micros(gapAt + d.end), Thread: 1}
			kind, name, _ := strings.Cut(d.name, " ")
			switch kind {
			case "f":
				x.Name = tr.Names.ID(name)
				tr.Functions = append(tr.Functions, x)
				continue
			case "w":
				x.Thread, x.Name = 2, tr.Names.ID(name)
			default:
				x.Name = tr.Names.ID(d.name)
			}
			tr.Ops = append(tr.Ops, x)
		}
		for _, x := range c.api {
			tr.API = append(tr.API, tr.Names.Call(micros(gapAt+x.start), micros(gapAt+x.end), tr.Names.ID("cudaStreamSynchronize"), 1))
		}
		tr.Sort()
		_, r := walked(tr, 1)
		var causes, places, sums []string
		for _, x := range r.Longest[0].Causes {
			causes = append(causes, fmt.Sprintf("%s %d", x.Name, x.Time/1000))
		}
		for _, x := range r.Longest[0].Places {
			places = append(places, fmt.Sprintf("%v %d", x, x.Time/1000))
		}
		all, _ := r.HostPlaces()
		for _, x := range all {
			sums = append(sums, fmt.Sprintf("%v %d", x, x.Time/1000))
		}
		got := strings.Join(causes, ", ")
		if len(places) > 0 {
			got += " in " + strings.Join(places, ", ")
		}
		if got != c.want || !slices.Equal(places, sums) {
			t.Errorf("%s: got %q, sums %v, want %q", c.name, got, sums, c.want)
		}
	}
}

// TestNest: at any time the innermost counts, in windows that come one after the other,
// also of stretches that are not within each other.
func TestNest(t *testing.T) {
	all := []trace.Range{{Start: 0, End: 100, Name: 1}, {Start: 5, End: 30, Name: 2}, {Start: 10, End: 20, Name: 3}, {Start: 25, End: 50, Name: 4}, {Start: 110, End: 120, Name: 5}}
	innermost := func(at int64) (name trace.NameID) {
		for _, x := range all {
			if x.Start <= at && at < x.End {
				name = x.Name
			}
		}
		return name
	}
	n := nestedRanges{list: all}
	for _, w := range [][2]int64{{0, 12}, {12, 27}, {20, 40}, {60, 115}, {115, 130}} {
		n.flatten(w[0], w[1])
		for at := w[0]; at < w[1]; at++ {
			if got, until := n.innermostAt(at); got != innermost(at) || until <= at {
				t.Errorf("window %v: at %d got %d until %d, want %d", w, at, got, until, innermost(at))
			}
		}
	}
}

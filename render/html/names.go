package html

import "perfdiff/render/words"

// Sides have the names that the user gave wherever a column, a curve or a picture is one side's;
// sentences, and columns that list the sides, keep the roles.

// The longest names of sides, in characters: at the head of a column or above a picture, and
// inside of a chart. Chosen, not measured: heads wrap, and charts have 100 to 200 px for a name.
const (
	longestHead = 40
	longestMark = 24
)

// nameSides replaces the roles of the sides by their names, on the first screen and in all sections, and gives the
// charts theirs.
func (s *sheet) nameSides(f *firstScreen, all []section) {
	s.data.Sides = words.SideHeads(s.r, longestMark)
	called := words.SideHeads(s.r, longestHead)
	roles := map[string]string{"Baseline": called[0], "Candidate": called[1]}
	name := func(text *string) {
		if role, ok := roles[*text]; ok {
			*text = role
		}
	}
	tables := []*table{f.Metrics}
	for i := range all {
		for j := range all[i].Blocks {
			b := &all[i].Blocks[j]
			for k := range b.Charts {
				name(&b.Charts[k].Heading)
			}
			for k := range b.Legend {
				name(&b.Legend[k].Text)
			}
			tables = append(tables, b.Table, b.Values)
		}
	}
	for _, t := range tables {
		for k := 0; t != nil && k < len(t.Heads); k++ {
			name(&t.Heads[k].Text)
		}
	}
}

package kernelname

import "regexp"

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule struct {
	Family string
	Name   *regexp.Regexp
}

// Families are the names of all families, in the order in which they are shown.
// Graphs are replays of unknown content.
var Families = []string{"GEMM", "attention", "convolution", "normalization", "elementwise", "reduction", "optimizer", "memory movement", "graph", "other"}

// Family returns the family of a compute kernel by its canonical name: by own rules first, then by the table; "other"
// if nothing matches.
func Family(kernel string, own []FamilyRule) string {
	for _, r := range own {
		if r.Name.MatchString(kernel) {
			return r.Family
		}
	}
	return familyByTable(kernel)
}

var familyByTable = Remember(familyOf)

// familyOf returns the family by the table.
func familyOf(kernel string) string {
	t, _ := texts.Get().(*kernelText)
	defer texts.Put(t)
	t.read(kernel)
	for i := range families {
		if families[i].matches(&t.head, &t.args, &t.whole) {
			return families[i].family
		}
	}
	if len(t.args.of) == 0 { // it is given nothing
		return "other"
	}
	// The function is a wrapper without a meaning of its own: what it is given decides.
	for i := range families {
		if families[i].matches(&t.whole, &t.args, &t.whole) {
			return families[i].family
		}
	}
	return "other"
}

package kernelname

import (
	"regexp/syntax"
	"testing"
)

// TestCommWords: whatever one of the rules can match holds one of the words that are
// looked for before the rules are asked.
func TestCommWords(t *testing.T) {
	for _, r := range commRules {
		re, err := syntax.Parse(r.name.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range matched(re) {
			if !commWords.in(text) {
				t.Errorf("%s: got no word in %q, which %s matches", r.library, text, r.name)
			}
		}
	}
	for name, want := range map[string]bool{
		"triton_poi_fused_add_7": false, "c": false, "": false, "xNcClx": true, "oneShot": true,
		"größe": true, "nc_cl": false,
	} {
		if got := commWords.in(name); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}

// matched are the texts that an expression matches, with a space for what can be anything.
func matched(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return matched(re.Sub[0])
	case syntax.OpQuest:
		return append(matched(re.Sub[0]), "")
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			all = append(all, matched(sub)...)
		}
		return all
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, head := range all {
				for _, tail := range matched(sub) {
					longer = append(longer, head+tail)
				}
			}
			all = longer
		}
		return all
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpEmptyMatch:
		return []string{""}
	}
	return []string{" "}
}

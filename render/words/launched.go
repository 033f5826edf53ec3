package words

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// LaunchedName returns what people call a node of cause.Launched: "Backward", "aten::conv2d", "GEMM".
func LaunchedName(n *cause.LaunchedNode) string {
	switch {
	case n.Level == cause.LaunchedAll:
		return "Kernels in the mean step"
	case n.Others > 0:
		return number.Counted(n.Others, "other kernel")
	case n.Level == cause.LaunchedPhase && n.Name == "":
		return "Phase not recorded"
	case n.Level == cause.LaunchedPhase:
		return number.Capital(n.Name)
	case n.Level == cause.LaunchedPlace && n.Name == "":
		return "Operator or module not recorded"
	case n.Level == cause.LaunchedPlace && n.Name == run.OtherPlaces:
		return "Other operators and modules"
	}
	return n.Name
}

// LaunchedLevels names the levels by which kernels are told apart.
func LaunchedLevels(l *cause.Launched) string {
	switch both := [2]bool{true, true}; {
	case l.KnowsPhases == both && l.KnowsPlaces == both:
		return "By phase and operator"
	case l.KnowsPhases == both:
		return "By phase"
	}
	return "By operator or module"
}

// LaunchedMissing says which levels the captures do not name, and what records them; "" where both
// sides name phases, and operators or modules.
func LaunchedMissing(l *cause.Launched, p *sides.Profilers) string {
	text := ""
	if on := lackedBy(l.KnowsPhases); on != "" {
		text = "Phases are not recorded in " + on + ": name " + remedy.For(remedy.NamePhases, *p) + " forward, backward and optimizer."
	}
	if on := lackedBy(l.KnowsPlaces); on != "" {
		if text != "" {
			text += " "
		}
		text += "Operators and modules are not recorded in " + on + ": " +
			remedy.For(remedy.NameLayers, *p) + "."
	}
	return text
}

// lackedBy returns which sides lack something; "" none.
func lackedBy(known [2]bool) string {
	switch known {
	case [2]bool{false, false}:
		return "these captures"
	case [2]bool{false, true}:
		return "the baseline"
	case [2]bool{true, false}:
		return "the candidate"
	}
	return ""
}

package render

// leftOutFields are those of verdict.LeftOut that its sentence tells, which takes a kind that
// is known.
var leftOutFields = []string{"Said", "Hint", "Other", "Differs", "Then[0]", "Now[0]", "Against", "Have", "Need", "Size", "Steps.Unnumbered", "Steps.Common"}

// What a past run is left out for is told by its clause, and what a warning of the past runs
// carries by its text; render/words tests both.
func init() {
	for _, field := range leftOutFields {
		for _, at := range []string{"History[0].Why.", "StoreFindings.NoMatch[0].Why.", "StoreFindings.All[0].Why.", "Alone.", "Warnings[0].Past.", "Warnings[0].Level.Why."} {
			exceptions[at+field] = true
		}
	}
	exceptions["StoreFindings.All[0].Why.Kind"] = true
	for _, field := range []string{"Past.Kind", "Level.Run", "Level.Why.Kind", "Elsewhere.Differs", "Elsewhere.Side", "Elsewhere.Then[0]", "Elsewhere.Now[0]",
		"Unpaired.Unnumbered", "Unpaired.Common", "Steps", "Lost.Sources[0][0]", "Lost.Sources[1][0]"} {
		exceptions["Warnings[0]."+field] = true
	}
}

// What differs is told by its name and by what either side has, of a made-up one by its work
// and not by its clocks; it is small and of a series that nobody knows: see TestDiffers in words. What must not
// differ is told by the reasons and by a warning, where it makes a comparison void.
func init() {
	said := []string{"Base", "Cand", "Replays[0]", "Replays[1]", "Work.Of.Metric", "Work.Of.Part", "Work.Base", "Work.Cand", "Clocks.Base", "Clocks.Cand", "Ranks[0]"}
	for _, at := range []string{"Differences[0].", "Findings[0].Fact.", "ForcedUnequal[0].Difference.", "Warnings[0].Unequal[0].Difference."} {
		for _, field := range said {
			exceptions[at+field] = true
		}
	}
	for _, field := range append(said, "Name", "Class", "Why", "Sizes.Kind", "Sizes.Base", "Sizes.Cand") {
		exceptions["ForcedUnequal[0].Difference."+field], exceptions["Warnings[0].Unequal[0].Difference."+field] = true, true
		for _, at := range []string{"Metrics[0].", "Parts[0].", "Capture[0]."} {
			exceptions[at+"Shared.Unequal[0].Difference."+field], exceptions[at+"Shared.Unequal[0].Required"] = true, true
		}
	}
	exceptions["Warnings[0].Unequal[0].Required"] = true
}

// A waiver is told by why it lets a regression through, and what a comparison's numbers are
// about by its notes; a made-up one has no size and is of a kind, has another level, and its
// mean moves as none does.
func init() {
	for _, at := range []string{"Metrics[0].", "Parts[0].", "Capture[0]."} {
		for _, field := range []string{"Waiver.Metric", "Waiver.UpTo", "Waiver.Kind", "Note.Slowest[0].Rank", "Note.Slowest[0].Times", "Note.Slowest[0].Of",
			"MeanApart.Moved", "MeanApart.Of"} {
			exceptions[at+field] = true
		}
		exceptions[at+"Shared.Paired"] = false // by why an estimate is apart
	}
}

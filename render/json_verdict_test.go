package render

// leftOutFields are those of verdict.LeftOut that its sentence tells, which takes a kind that
// is known.
var leftOutFields = []string{"Said", "Hint", "Other", "Differs", "Then[0]", "Now[0]", "Against", "Have", "Need", "Size", "Steps.Unnumbered", "Steps.Common"}

// What a past run is left out for is told by its clause, and what a warning of the past runs
// carries by its text; render/words tests both.
func init() {
	for _, field := range leftOutFields {
		for _, at := range []string{"History[0].Why.", "Held.Unlike[0].Why.", "Held.Trend.Runs[0].Why.", "Alone.", "Warnings[0].Past.", "Warnings[0].Level.Why."} {
			exceptions[at+field] = true
		}
	}
	for _, field := range []string{"Past.Kind", "Level.Run", "Level.Why.Kind", "Elsewhere.Differs", "Elsewhere.Side", "Elsewhere.Then[0]", "Elsewhere.Now[0]",
		"Unpaired.Unnumbered", "Unpaired.Common"} {
		exceptions["Warnings[0]."+field] = true
	}
}

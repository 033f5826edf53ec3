package policy

// A gate passes only on what was measured. Where ranks, files or steps are lost there is
// something to compare and a verdict on it, but not on the job: then the gate is not
// judged, unless the policy allows it.

// What Policy.Allow can name.
const (
	AllowRanks  = "missing-rank"
	AllowFiles  = "missing-file"
	AllowSteps  = "few-steps"
	AllowCommon = "no-common-steps"
	AllowMetric = "no-metric"
)

// Allowable returns what Policy.Allow can name: lost ranks and files beyond a quarter of a side, too few steps to see
// a change of usual size, steps without a common number that change over time, and gating metrics that the candidate's
// captures, or both sides', do not hold.
func Allowable() []string {
	return []string{AllowRanks, AllowFiles, AllowSteps, AllowCommon, AllowMetric}
}

package kernelname

import "regexp"

// The names of ranges around steps: those of PyTorch's profiler, and people's, with a number after a word for step.
// The group is the number.
var (
	ProfilerStep = regexp.MustCompile(`^ProfilerStep\s*#\s*(\d+)$`)
	NumberedStep = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:steps?|iter|iteration|iters|it|batch|minibatch)[\s#:_=\[(/-]*(\d+)\D*$`)
)

// IsStepName reports whether a range of that name encloses a step: it then says nothing about what the host does in
// it.
func IsStepName(name string) bool { return HoldsAny(name, "step", "it", "batch") && stepName(name) }

var stepName = Remember(func(name string) bool {
	return ProfilerStep.MatchString(name) || NumberedStep.MatchString(name)
})

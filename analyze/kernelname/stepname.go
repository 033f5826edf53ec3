package kernelname

import "regexp"

// What ranges around steps are called: by PyTorch's profiler, and by people, with a number
// behind a word for it. The group is the number.
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

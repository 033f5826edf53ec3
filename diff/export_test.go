package diff

// What tests outside the package look at.
const (
	CourseBin = courseBin
	WarmUp    = warmUp
)

var (
	Anonymous = anonymous
	KeyName   = name
)

func (r *Report) SlowerKernels() []GateCause { return r.slowerKernels() }
func (r *Report) GateOf(lacks []Lack) Gate   { return r.gate(lacks) }

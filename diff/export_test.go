package diff

import "perfdiff/analyze/run"

// What tests outside the package look at.
const (
	CourseBin = courseBin
	WarmUp    = warmUp
)

var (
	Anonymous = anonymous
	LabelsOf  = labelsOf
	KeyName   = name
)

func (r *Report) SlowerKernels() []GateCause { return r.slowerKernels() }
func (r *Report) GateOf(lacks []Lack) Gate   { return r.gate(lacks) }
func (s *Store) Recent() []*run.Set          { return s.recent }

func (s *Store) PastOf(cand *run.Set) []*run.Set { return s.past(cand) }

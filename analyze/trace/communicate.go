package trace

import (
	"regexp"
	"slices"

	"perfdiff/analyze/kernelname"
)

// Communicate makes communication of the kernels whose canonical name matches one of
// own. Each name is looked at once.
func (t *Trace) Communicate(own []*regexp.Regexp) {
	if len(own) == 0 {
		return
	}
	if t.Messages == nil {
		t.Messages = &Messages{}
	}
	known := make([]int64, t.Names.Len()) // by name: 0 not looked at, -1 none, else the message that has its collective
	for i := range t.Device {
		s := &t.Device[i]
		if s.Kind != Kernel || s.Class != Compute {
			continue
		}
		if known[s.Name] == 0 {
			known[s.Name] = -1
			if name := t.Names.Canonical(s.Name); matchesAny(own, name) {
				known[s.Name] = t.Messages.Add(Message{Coll: t.Names.ID(kernelname.CollectiveName(kernelname.FunctionOf(name)))})
			}
		}
		if known[s.Name] > 0 {
			s.SetMessage(known[s.Name])
		}
	}
}

func matchesAny(list []*regexp.Regexp, s string) bool {
	return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(s) })
}

package cause

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// tellsOfPath lists, by kind of finding, the groups of the critical path that it tells about, whatever part of the
// step it names besides.
var tellsOfPath = map[policy.Kind][]string{
	policy.KindCompute:          {run.PathCompute},
	policy.KindComputeSkew:      {run.PathCompute},
	policy.KindKernelAlone:      {run.PathCompute},
	policy.KindWorkShrank:       {run.PathCompute},
	policy.KindWorkGrew:         {run.PathCompute},
	policy.KindCommunication:    {run.PathComm},
	policy.KindWait:             {run.PathComm},
	policy.KindTransfer:         {run.PathComm},
	policy.KindOverlap:          {run.PathComm},
	policy.KindLateRanks:        {run.PathComm},
	policy.KindStraggler:        {run.PathComm},
	policy.KindCollectiveAlone:  {run.PathComm},
	policy.KindCollectiveSpread: {run.PathComm},
	policy.KindCollectiveTail:   {run.PathComm},
	policy.KindPipelineBubble:   {run.PathComm},
	policy.KindInputWait:        {run.PathInput},
	policy.KindReadThroughput:   {run.PathInput},
	policy.KindReadBursts:       {run.PathInput},
	policy.KindMemory:           {run.PathCopies},
	policy.KindPageableCopies:   {run.PathCopies},
	policy.KindIdle:             {run.PathHost},
	policy.KindGapBefore:        {run.PathHost},
	policy.KindSpike:            {run.PathHost},
	policy.KindSharedSpike:      {run.PathHost},
}

// tellerOf returns the first finding that tells of a group of the path that it changed as it did; nil:
// none does.
func tellerOf(g *pathGroup, others [][]Finding) *Finding {
	for _, list := range others {
		for i := range list {
			if f := &list[i]; f.addsToPath()*g.change.Delta > 0 && f.tellsOf(g.name) {
				return f
			}
		}
	}
	return nil
}

// addsToPath returns a positive number if the finding makes its part of the path longer, and a negative one if
// shorter.
func (f *Finding) addsToPath() float64 {
	switch f.Kind {
	case policy.KindOverlap, policy.KindReadThroughput, policy.KindReadBursts: // more of these takes less time
		return -f.Delta
	}
	if f.Effect != 0 {
		return f.Effect
	}
	return f.Delta
}

// tellsOf reports whether the finding is about a group of parts of the path.
func (f *Finding) tellsOf(group string) bool {
	return slices.Contains(tellsOfPath[f.Kind], group) || slices.ContainsFunc(f.stepParts(), func(k run.Key) bool { return pathGroupOf(k) == group })
}

// stepParts returns the parts of the step that a finding names as its own or as its cause.
func (f *Finding) stepParts() (out []run.Key) {
	switch f.Kind {
	case policy.KindIdleCause:
		return []run.Key{{Metric: f.Metric, Part: f.Part}}
	case policy.KindLevelChange:
		return []run.Key{f.Level.Larger.Part.Key}
	}
	if f.Late != nil {
		for _, l := range []*Late{f.Late.Base, f.Late.Cand} {
			if l != nil {
				out = append(out, l.LongerIn...)
			}
		}
	}
	for i := range f.Clauses {
		out = append(out, f.Clauses[i].Part.Key)
	}
	for i := range f.Reasons {
		if x := &f.Reasons[i]; Delta(x)*f.addsToPath() > 0 {
			out = append(out, run.Key{Metric: x.Metric, Part: x.Part})
		}
	}
	return out
}

// pathGroupOf returns the group of parts of the path to which a part of the step belongs; "": none.
func pathGroupOf(k run.Key) string {
	switch k.Metric {
	case run.ComputeTime:
		return run.PathCompute
	case run.ExposedCommTime, run.ExposedWaitTime, run.ExposedTransferTime:
		return run.PathComm
	case run.ExposedMemoryTime, run.MemcpyTime:
		return run.PathCopies
	case run.InputWaitTime:
		return run.PathInput
	case run.IdleTime:
		switch k.Part {
		case "input":
			return run.PathInput
		case "allocator":
			return run.PathAllocator
		case "dependency": // on other work of the device
			return ""
		}
		return run.PathHost
	}
	return ""
}

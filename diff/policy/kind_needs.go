package policy

import "perfdiff/analyze/run"

// A policy that lets findings of a kind fail asks for what these are made of: where it was not
// recorded there is no such finding, whatever happened.

// kindNeeds are the metrics of which a kind needs one. Kinds that are not here are made of the
// step times, of the ranks that are there, or of what one side alone holds.
var kindNeeds = map[Kind][]string{
	KindInputWait:        {run.InputWaitTime},
	KindCommunication:    {run.ExposedCommTime, run.CommTime},
	KindWait:             {run.ExposedWaitTime, run.CommWaitTime},
	KindTransfer:         {run.ExposedTransferTime, run.CommTransferTime},
	KindCollectiveAlone:  {run.CommTime},
	KindCollectiveSpread: {run.CommTime},
	KindCollectiveTail:   {run.CommTime},
	KindKernelAlone:      {run.ComputeTime},
	KindCompute:          {run.ComputeTime},
	KindComputeSkew:      {run.ComputeSkew},
	KindMemory:           {run.ExposedMemoryTime},
	KindMemoryPeak:       {run.MemoryAllocatedPeak, run.MemoryReservedPeak},
	KindMemoryGrowth:     {run.MemoryAllocatedPeak, run.MemoryReservedPeak},
	KindIdle:             {run.IdleTime},
	KindIdleCause:        {run.IdleTime},
	KindGapBefore:        {run.IdleTime},
	KindReadThroughput:   {run.IOReadThroughput},
	KindReadBursts:       {run.IOReadBurstRate},
	KindOverlap:          {run.Overlap},
}

// Needs are the metrics of which findings of the kind need one, the best first; nil: none.
func (k Kind) Needs() []string { return kindNeeds[k] }

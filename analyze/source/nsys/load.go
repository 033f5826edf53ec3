package nsys

import (
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// tableLoad says how to read one large table, and what is lost if that fails.
type tableLoad struct {
	table string
	cols  []table.Column
	emit  func(*table.Batch)
	undo  func()         // forgets the rows when not all could be read
	bits  trace.Recorded // what is not recorded then
	of    trace.Content  // what is not whole then
}

// Tables that several files name.
const (
	kernelTable   = "CUPTI_ACTIVITY_KIND_KERNEL"
	runtimeTable  = "CUPTI_ACTIVITY_KIND_RUNTIME"
	osTable       = "OSRT_API"
	rangeTable    = "NVTX_EVENTS"
	portTable     = "NET_NIC_METRIC"
	activityTable = "GPU_METRICS"
	sessionTable  = "TARGET_INFO_SESSION_START_TIME"
	genericTable  = "GENERIC_EVENTS" // the events of plug-ins, of which the adapters' are read
)

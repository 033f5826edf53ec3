package synth

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// virtualMachine is the virtual machine's part of a global id. Global ids hold 8 bits for the hardware, 8 for the
// virtual machine, 24 for the process and 24 for the thread.
const virtualMachine = 1 << 48

func (r *recording) globalPid() int64 { return virtualMachine | r.pid()<<24 }

func (r *recording) globalTid(thread int64) int64 { return r.globalPid() | thread }

// writeNsight writes the export of one rank.
func (p *profile) writeNsight(ctx context.Context, path string, _ Format) error {
	return newExport(ctx, path, p.story.doc.Schema, func(e *exportWriter) {
		p.machineInfo(e)
		p.captureInfo(e)
		if !p.job.NoDevice {
			p.deviceRows(e)
			p.runtimeRows(e)
		}
		if len(p.memory) > 0 {
			p.memoryRows(e)
		}
		if p.job.ClockRate > 0 {
			p.clockRows(e)
		}
		if p.job.Markers || len(p.programRanges) > 0 {
			p.rangeRows(e)
		}
		p.systemRows(e)
		if minor(e.schema) >= 24 && len(p.reads) > 0 && !p.job.Reads.NoFiles {
			p.accessRows(e)
		}
		if len(p.volume) > 0 {
			p.volumeRows(e)
		}
	})
}

// deviceColumns names the columns that all tables of device work share.
func (p *profile) deviceColumns() string {
	return fmt.Sprintf("deviceId=%d contextId=1 globalPid=%d ", p.local, p.globalPid())
}

func (p *profile) deviceRows(e *exportWriter) {
	kernelRow := e.rows("CUPTI_ACTIVITY_KIND_KERNEL", "start end streamId correlationId demangledName shortName mangledName gridX blockX gridId",
		p.deviceColumns()+"launchType=1 registersPerThread=64 gridY=1 gridZ=1 blockY=1 blockZ=1 staticSharedMemory=0 dynamicSharedMemory=0 "+
			"localMemoryPerThread=0 localMemoryTotal=0 sharedMemoryExecuted=32768 sharedMemoryLimitConfig=0 "+
			"clusterX=0 clusterY=0 clusterZ=0 clusterSchedulingPolicy=0 maxPotentialClusterSize=0 maxActiveClusters=0")
	addKernel := func(i int, w work, name, short string, grid, block int) {
		kernelRow(w.start, w.end, w.stream, w.correlation, e.id(name), e.id(short), e.id("_Z"+short), grid, block, i+1)
	}
	var copyRow, graphRow insertRow
	if p.job.Copy.Bytes > 0 {
		from := 1
		if p.job.Copy.Pageable {
			from = 0
		}
		copyRow = e.rows("CUPTI_ACTIVITY_KIND_MEMCPY", "start end streamId correlationId bytes", p.deviceColumns()+fmt.Sprintf("copyKind=1 srcKind=%d dstKind=2 copyCount=1", from))
	}
	if p.job.Graphs && !p.nodes {
		graphRow = e.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start end streamId correlationId graphId graphExecId", p.deviceColumns())
	}
	for i, w := range p.nsightWork() {
		switch w.class {
		case memory:
			copyRow(w.start, w.end, w.stream, w.correlation, w.bytes)
		case comm:
			addKernel(i, w, w.name(), w.short(), 24, 544)
		case graph:
			graphRow(w.start, w.end, w.stream, w.correlation, len(w.nodes), len(w.nodes)+1)
		case compute:
			addKernel(i, w, w.kernel.name, w.kernel.short, w.kernel.grid, w.kernel.block)
		}
	}
	sync := e.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start end correlationId",
		p.deviceColumns()+fmt.Sprintf("streamId=%d syncType=3 eventId=0 eventSyncId=0", computeStream))
	for i, s := range p.syncs {
		sync(s.start, s.end, p.sync[i])
	}
	if len(p.eventWaits) > 0 {
		p.waitRows(e)
	}
}

// waitRows writes the waits of streams for each other, by events of one id each.
func (p *profile) waitRows(e *exportWriter) {
	wait := e.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start end correlationId streamId eventId", p.deviceColumns()+"syncType=2 eventSyncId=0")
	record := e.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "correlationId streamId eventId", p.deviceColumns()+"timestamp=0 eventSyncId=0")
	for i, w := range p.eventWaits {
		wait(w.start, w.end, w.wait, w.stream, i+1)
		record(w.record, w.on, i+1)
	}
}

func (p *profile) runtimeRows(e *exportWriter) {
	row := e.rows("CUPTI_ACTIVITY_KIND_RUNTIME", "start end correlationId nameId",
		fmt.Sprintf("eventClass=0 globalTid=%d returnValue=0", p.globalTid(p.pid())))
	for _, c := range p.calls {
		row(c.start, c.end, c.correlation, e.id(c.name))
	}
}

// rangeRows writes the ranges of the program, and those of NCCL, which have an NVTX domain of their own.
func (p *profile) rangeRows(e *exportWriter) {
	const domain, pushPop, create = 1, 59, 75
	row := e.rows("NVTX_EVENTS", "start end eventType text textId domainId jsonText", fmt.Sprintf("globalTid=%d", p.globalTid(p.pid())))
	for _, s := range p.programRanges {
		row(s.start, s.end, pushPop, s.name, nil, 0, nil)
	}
	if !p.job.Markers {
		return
	}
	row(int64(0), nil, create, "NCCL", nil, domain, nil)
	communicator := p.communicator()
	row(int64(0), int64(1000), pushPop, nil, e.id("ncclCommInitRank"), domain,
		fmt.Sprintf(`{"NCCL communicator ID": %d, "No. of ranks": %d, "Rank": %d, "CUDA device": %d}`, communicator, p.story.doc.Ranks, p.rank, p.local))
	for _, g := range p.ownGroups() {
		own, _ := slices.BinarySearch(g.ranks, p.rank)
		row(int64(0), int64(1000), pushPop, nil, e.id("ncclCommInitRank"), domain,
			fmt.Sprintf(`{"NCCL communicator ID": %d, "No. of ranks": %d, "Rank": %d, "CUDA device": %d}`, communicator+g.id*1000, len(g.ranks), own, p.local))
	}
	for i := range p.hostStarts {
		in := p.inputs[i]
		if i < len(p.markerEnds) {
			name := cmp.Or(p.job.stepName(p.loads[i]), fmt.Sprintf("step %d", p.story.doc.FirstStep+int64(i)))
			row(p.hostStarts[i], p.markerEnds[i], pushPop, name, nil, 0, nil)
		}
		if p.job.Serving.Batch == 0 {
			row(in.start, in.end, pushPop, "DataLoader.__next__", nil, 0, nil)
		}
	}
	for _, s := range p.phases {
		row(s.start, s.end, pushPop, s.name, nil, 0, nil)
	}
	for _, s := range p.collectives {
		if s.tokens != nil {
			p.groupRows(e, row, domain, communicator, &s)
			continue
		}
		last := `"Reduction operation": 0`
		if s.pair {
			last = fmt.Sprintf(`"Peer rank": %d`, s.peer)
		}
		row(s.start, s.end, pushPop, nil, e.id(s.name), domain,
			fmt.Sprintf(`{"NCCL communicator ID": %d, "Message size [bytes]": %d, %s}`, communicator+s.group.id*1000, s.bytes, last))
	}
}

// groupRows writes the calls that make up an all-to-all.
func (p *profile) groupRows(e *exportWriter, row insertRow, domain int, communicator int64, c *hostCall) {
	const pushPop = 59
	start, calls, end := c.grouped()
	row(start.start, start.end, pushPop, nil, e.id(start.name), domain, nil)
	for _, x := range calls {
		row(x.start, x.end, pushPop, nil, e.id(x.name), domain,
			fmt.Sprintf(`{"NCCL communicator ID": %d, "Message size [bytes]": %d, "Peer rank": %d}`, communicator+c.group.id*1000, x.bytes, x.peer))
	}
	row(end.start, end.end, pushPop, nil, e.id(end.name), domain, nil)
}

// ownGroups returns the groups of the rank, without that of all ranks, in the order in which it first uses them.
func (p *profile) ownGroups() (out []*rankGroup) {
	for _, s := range p.collectives {
		if s.group.id != 0 && !slices.ContainsFunc(out, func(g *rankGroup) bool { return g.id == s.group.id }) {
			out = append(out, s.group)
		}
	}
	return out
}

// communicator returns the id of NCCL's communicator, which is another one in each run.
func (p *profile) communicator() int64 { return 6_271_449_037_268_000_000 + p.run }

// systemRows writes the calls of the operating system's libraries.
func (p *profile) systemRows(e *exportWriter) {
	row := e.rows("OSRT_API", "start end globalTid nameId", "eventClass=27 returnValue=0 nestingLevel=0 callchainId=0 argumentsId=0")
	for _, c := range p.waits {
		row(c.start, c.end, p.globalTid(p.pid()), e.id(c.name))
	}
	for _, x := range p.reads {
		row(x.start, x.end, p.globalTid(p.loader(x.thread)), e.id(p.job.Reads.Call))
	}
	names := e.rows("ThreadNames", "nameId globalTid", "priority=20")
	names(e.id("python"), p.globalTid(p.pid()))
	if len(p.reads) > 0 {
		for t := range p.job.Reads.Threads {
			names(e.id(fmt.Sprintf("loader_%d", t)), p.globalTid(p.loader(t)))
		}
	}
}

// accessRows writes the file accesses with their bytes. Each step reads a file of its own.
func (p *profile) accessRows(e *exportWriter) {
	enumTable(e, "ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", map[int]string{1: "Open", 2: "Close", 3: "Read", 4: "Write", 6: "Metadata"})
	row := e.rows("OSRT_FILE_ACCESS_EVENTS", "fileAccessId threadId startedAt endedAt apiCallId bytesProcessed", "eventType=3")
	opened, closed := map[int]int64{}, map[int]int64{}
	for _, x := range p.reads {
		row(x.file, p.loader(x.thread), x.start, x.end, e.id(p.job.Reads.Call), x.bytes)
		if _, ok := opened[x.file]; !ok {
			opened[x.file] = x.start
		}
		closed[x.file] = max(closed[x.file], x.end)
	}
	file := e.rows("OSRT_FILE_ACCESS_DESCRIPTORS", "fileAccessId openedAt closedAt filePath", fmt.Sprintf("processId=%d", p.pid()))
	for i := range len(p.inputs) {
		file(i, opened[i], closed[i], fmt.Sprintf("/data/someone/train/%05d.h5", i))
	}
}

// enumTable writes a table of names for numbers, in order of number.
func enumTable(e *exportWriter, table string, names map[int]string) {
	row := e.rows(table, "id name label", "")
	for id := range 100 {
		if name, ok := names[id]; ok {
			row(id, name, name)
		}
	}
}

var version = regexp.MustCompile(`^\d+\.\d+`)

// captureInfo writes what the export says about itself and how it was recorded.
func (p *profile) captureInfo(e *exportWriter) {
	product := products[e.schema]
	meta := e.rows("META_DATA_EXPORT", "name value", "")
	for _, kv := range [][2]string{
		{"EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"}, {"EXPORT_PRODUCT_VERSION", product},
		{"EXPORT_PRODUCT_DATE", version.FindString(product)}, {"EXPORT_SCHEMA_VERSION", e.schema},
		{"EXPORT_SCHEMA_VERSION_MAJOR", "3"}, {"EXPORT_SCHEMA_VERSION_MINOR", fmt.Sprint(minor(e.schema))},
		{"EXPORT_USER", "someone"}, {"EXPORT_PARAM_INPUT_FILE", fmt.Sprintf("report.%d.nsys-rep", p.rank)},
		{"EXPORT_PARAM_LAZY", "true"}, {"EXPORT_PARAM_INCLUDE_JSON", "true"},
		{"EXPORT_PARAM_TIME_NORMALIZE", "false"}, {"EXPORT_PARAM_TIME_SHIFT", "0"},
	} {
		meta(kv[0], kv[1])
	}
	record := e.rows("META_DATA_CAPTURE", "name value", "")
	for _, kv := range [][2]string{
		{"CAPTURE_EVENT_TYPE", "OSRuntime"}, {"CAPTURE_EVENT_TYPE", "NvtxEvents"}, {"CAPTURE_EVENT_TYPE", "Cuda"},
		{"OS_RUNTIME_OPTIONS:DURATION_THRESHOLD_NS", "1000"}, {"PROCESS_0:COMMAND", "/home/someone/venv/bin/python"},
		{"PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE", strings.ToUpper(p.job.GraphTrace[:1]) + p.job.GraphTrace[1:]},
	} {
		record(kv[0], kv[1])
	}
	for _, variable := range p.environment() {
		record("PROCESS_0:ENVIRONMENT_VARIABLE", variable)
	}
	diagnostic := e.rows("DIAGNOSTIC_EVENT", "timestamp text", "timestampType=1 source=1 severity=1")
	diagnostic(int64(0), "Number of NVTX events collected: 1,000.")
}

// environment returns the environment of the recorded process. It holds a variable that no output
// may ever show.
func (p *profile) environment() []string {
	return []string{
		fmt.Sprintf("SLURM_PROCID=%q", fmt.Sprint(p.rank)),
		fmt.Sprintf("SLURM_NTASKS=%q", fmt.Sprint(p.story.doc.Ranks)),
		fmt.Sprintf("SLURM_LOCALID=%q", fmt.Sprint(p.local)),
		fmt.Sprintf("SLURM_NODEID=%q", fmt.Sprint(p.node)),
		`STORAGE_TOKEN="not-for-reports"`,
		`HOME="/home/someone"`,
	}
}

// machineInfo writes what the export says about host, process and device.
func (p *profile) machineInfo(e *exportWriter) {
	system := e.rows("TARGET_INFO_SYSTEM_ENV", "name value", fmt.Sprintf("globalVid=%d devStateName='DeviceState' nameEnum=0", virtualMachine))
	for _, kv := range [][2]string{
		{"Hostname", p.hostName()}, {"NvDriverVersion", "550.127.05"}, {"CudaDriverVersion", "12040"},
		{"OsDescription", "Ubuntu 22.04.4 LTS"}, {"CpuDescription", "Intel(R) Xeon(R) Platinum 8480C"}, {"CpuCores", "112"},
	} {
		system(kv[0], kv[1])
	}
	began := time.Unix(0, p.epoch).UTC().Format("2006-01-02T15:04:05")
	e.rows("TARGET_INFO_SESSION_START_TIME", "utcEpochNs utcTime localTime", "")(p.epoch, began, began)
	e.rows("ANALYSIS_DETAILS", "duration stopTime", fmt.Sprintf("globalVid=%d startTime=71000000000", virtualMachine))(p.last(), 71_000_000_000+p.last())
	e.rows("PROCESSES", "globalPid pid name", "")(p.globalPid(), p.pid(), "/home/someone/venv/bin/python")
	gpu := e.rows("TARGET_INFO_GPU", "id cuDevice busLocation name", fmt.Sprintf("vmId=%d isDiscrete=1 totalMemory=85520809984 "+
		"memoryBandwidth=3352320000000 clockRate=1980000000 smCount=132 maxWarpsPerSm=64 maxBlocksPerSm=32 maxRegistersPerSm=65536 maxShmemPerSm=233472 chipName='GH100' computeMajor=9 computeMinor=0 smMajor=9 smMinor=0", virtualMachine))
	for i := range p.story.doc.Ranks / p.story.doc.Nodes {
		gpu(i, i, fmt.Sprintf("0000:%02x:00.0", 0x1b+0x10*i), p.gpu)
	}
	if minor(e.schema) >= 17 {
		e.rows("TARGET_INFO_CUDA_DEVICE", "gpuId cudaId pid", "")(p.local, p.local, p.pid())
	}
	context := fmt.Sprintf("hwId=0 vmId=1 processId=%d contextId=1 ", p.pid())
	e.rows("TARGET_INFO_CUDA_CONTEXT_INFO", "deviceId", context+"nullStreamId=7 isGreenContext=0")(p.local)
	stream := e.rows("TARGET_INFO_CUDA_STREAM", "streamId", context+"priority=0 flag=1")
	stream(computeStream)
	stream(commStream)
	enumTable(e, "ENUM_NSYS_EVENT_TYPE", map[int]string{34: "NvtxMark", 39: "NvtxNameOsThread", 59: "NvtxPushPopRange", 60: "NvtxStartEndRange", 75: "NvtxDomainCreate"})
	enumTable(e, "ENUM_CUDA_MEMCPY_OPER", map[int]string{0: "CUDA_MEMCPY_KIND_UNKNOWN", 1: "CUDA_MEMCPY_KIND_HTOD", 2: "CUDA_MEMCPY_KIND_DTOH", 8: "CUDA_MEMCPY_KIND_DTOD"})
	enumTable(e, "ENUM_CUPTI_SYNC_TYPE", map[int]string{1: "CUPTI_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", 3: "CUPTI_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE"})
}

package nsys

import (
	"context"
	"path"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// facts holds what small tables say about the machine and the capture. Only the keys listed here are looked at: the
// same tables hold environments, command lines, paths and users.
type facts struct {
	export map[string]string // META_DATA_EXPORT, by key without its prefix
	system map[string]string // TARGET_INFO_SYSTEM_ENV
	graph  string            // "graph", "node" or ""
	gpus   build.GPUs
	gpuOf  map[cudaDevice]int64 // TARGET_INFO_GPU.id
	env    build.Environment
	events map[string]bool // kinds of events that were traced
	extra  build.Facts     // settings and what was recorded
}

// cudaDevice is a device as one process counts it.
type cudaDevice struct{ process, ordinal int64 }

var systemKeys = []string{"Hostname", "NvDriverVersion", "CudaDriverVersion", "OsDescription", "CpuDescription"}

// readFacts reads the small tables.
func (r *reader) readFacts(ctx context.Context) error {
	f := &r.facts
	f.env, f.events = make(build.Environment), make(map[string]bool)
	for _, read := range []func(context.Context, table.Source) error{
		f.readExport, f.readCapture, f.readSystem, f.readGPUs, r.readWindow, r.diagnostics.read,
	} {
		if err := r.spare(ctx, read(ctx, r.src)); err != nil {
			return err
		}
	}
	return nil
}

// spare turns the damage of a small table into a warning.
func (r *reader) spare(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		r.Warn("a table about machine or capture %s: %v (export the report again: nsys export --type sqlite)", trouble(err), err)
		return nil
	}
	return err
}

// readExport reads the settings of the export. Schema 2 has another table and
// keys without "PARAM_".
func (f *facts) readExport(ctx context.Context, src table.Source) error {
	f.export = make(map[string]string)
	for _, tableName := range []string{"EXPORT_META_DATA", "META_DATA_EXPORT"} {
		rows, err := table.Small(ctx, src, tableName, "name", "value")
		if err != nil {
			return err
		}
		for _, row := range rows {
			switch key := strings.TrimPrefix(row[0], "EXPORT_"); key {
			case "PRODUCT_VERSION", "SCHEMA_VERSION", "PARAM_TIME_NORMALIZE", "PARAM_TIME_SHIFT", "PARAM_INCLUDE_JSON":
				f.export[key] = row[1]
			case "INPUT_FILE", "PARAM_INPUT_FILE":
				f.export["INPUT_FILE"] = baseName(row[1])
			}
		}
	}
	return nil
}

// baseName returns the last part of a path of any operating system.
func baseName(p string) string {
	if p = path.Base(strings.ReplaceAll(p, `\`, "/")); p == "." || p == "/" {
		return ""
	}
	return trace.Tidy(p)
}

func (f *facts) readCapture(ctx context.Context, src table.Source) error {
	rows, err := table.Small(ctx, src, "META_DATA_CAPTURE", "name", "value")
	var recorded []string
	for _, row := range rows {
		switch {
		case strings.HasSuffix(row[0], "CUDA_GRAPH_TRACE_OPTIONS:MODE"):
			if mode := strings.ToLower(row[1]); mode == "graph" || mode == "node" {
				f.graph = mode
			}
		case strings.HasSuffix(row[0], ":ENVIRONMENT_VARIABLE"):
			f.variable(row[1])
		case row[0] == "CAPTURE_EVENT_TYPE":
			recorded = append(recorded, trace.Tidy(row[1]))
			f.events[row[1]] = true
		case strings.HasSuffix(row[0], "NVTX_OPTIONS:NVTX_DOMAIN_FILTER_STRING"):
			f.extra.Add(trace.FactFilter, baseName(row[1]))
		}
	}
	slices.Sort(recorded)
	f.extra.Add(trace.FactRecorded, strings.Join(slices.Compact(recorded), ", "))
	return err
}

func (f *facts) readSystem(ctx context.Context, src table.Source) error {
	f.system = make(map[string]string)
	rows, err := table.Small(ctx, src, "TARGET_INFO_SYSTEM_ENV", "name", "value")
	for _, row := range rows {
		switch {
		case row[0] == "DeviceEnvironment":
			for _, one := range strings.Split(row[1], ";") {
				f.variable(one)
			}
		case slices.Contains(systemKeys, row[0]) && f.system[row[0]] == "":
			f.system[row[0]] = trace.Tidy(row[1])
		}
	}
	return err
}

// variable keeps what a variable of the environment says about the rank, or a setting.
func (f *facts) variable(assignment string) {
	f.env.Add(assignment)
	f.extra.Variable(assignment)
}

func (f *facts) readGPUs(ctx context.Context, src table.Source) error {
	rows, err := table.Small(ctx, src, "TARGET_INFO_GPU", "id", "cuDevice", "name", "totalMemory",
		"smCount", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "computeMajor", "clockRate")
	if err != nil {
		return err
	}
	for _, row := range rows {
		f.gpus = append(f.gpus, build.GPU{ID: row.Num(0), Ordinal: row.Num(1), Name: trace.Tidy(row[2]), Memory: row.Num(3), Clock: row.Num(10),
			SM: trace.SM{Count: row.Num(4), Warps: row.Num(5), Blocks: row.Num(6),
				Registers: row.Num(7), Shared: row.Num(8), Major: row.Num(9)}})
	}
	f.gpuOf = make(map[cudaDevice]int64)
	rows, err = table.Small(ctx, src, "TARGET_INFO_CUDA_DEVICE", "pid", "cudaId", "gpuId")
	for _, row := range rows {
		f.gpuOf[cudaDevice{row.Num(0), row.Num(1)}] = row.Num(2)
	}
	return err
}

// gpuID returns the number in TARGET_INFO_GPU of a device of a process, if the file
// says it: a guess would give a rank the activity of another's device.
func (f *facts) gpuID(d cudaDevice) (int64, bool) {
	if id, ok := f.gpuOf[d]; ok {
		return id, true
	}
	g, ok := f.gpus.Only(d.ordinal)
	return g.ID, ok
}

// gpu returns the GPU of a process's device: by the file's own map, else by ordinal, else the one model that the
// machine has.
func (f *facts) gpu(d cudaDevice) (build.GPU, bool) {
	if id, ok := f.gpuOf[d]; ok {
		if i := slices.IndexFunc(f.gpus, func(g build.GPU) bool { return g.ID == id }); i >= 0 {
			return f.gpus[i], true
		}
	}
	return f.gpus.Like(d.ordinal)
}

// driverVersion writes 52510517, as older exports have it, as 525.105.17.
func driverVersion(text string) string {
	if len(text) != 8 || strings.Trim(text, "0123456789") != "" {
		return text
	}
	return text[:3] + "." + text[3:6] + "." + text[6:]
}

// of returns the facts of one trace, sorted by key.
func (f *facts) of(process, ordinal int64, overhead string) []trace.Fact {
	var all build.Facts
	for _, x := range []trace.Fact{
		{Key: trace.FactCPU, Value: f.system["CpuDescription"]},
		{Key: trace.FactCUDA, Value: build.CUDAVersion(f.system["CudaDriverVersion"])},
		{Key: trace.FactDriver, Value: driverVersion(f.system["NvDriverVersion"])},
		{Key: trace.FactGraphMode, Value: f.graph},
		{Key: trace.FactOS, Value: f.system["OsDescription"]},
		{Key: trace.FactOverhead, Value: overhead},
		{Key: trace.FactProfiler, Value: profiler(f.export["PRODUCT_VERSION"])},
		{Key: trace.FactSchema, Value: trace.Tidy(f.export["SCHEMA_VERSION"])},
	} {
		all.Add(x.Key, x.Value)
	}
	g, _ := f.gpu(cudaDevice{process, ordinal})
	return append(all, f.extra...).Sorted(g)
}

func profiler(version string) string {
	if version == "" {
		return ""
	}
	return "Nsight Systems " + trace.Tidy(version)
}

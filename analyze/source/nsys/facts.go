package nsys

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// facts is what small tables say about the machine and the capture. Only the
// keys listed here are looked at: the same tables hold environments, command
// lines, paths and users.
type facts struct {
	export map[string]string // META_DATA_EXPORT, by key without its prefix
	system map[string]string // TARGET_INFO_SYSTEM_ENV
	graph  string            // "graph", "node" or ""
	gpus   []gpu
	gpuOf  map[cudaDevice]int64 // TARGET_INFO_GPU.id
	env    trace.Environment
	events map[string]bool // kinds of events that were traced
	extra  []trace.Fact    // settings and what was recorded
}

// gpu is a row of TARGET_INFO_GPU.
type gpu struct {
	id, ordinal int64
	name        string
	memory      int64
	sm          trace.SM
}

// cudaDevice is a device as one process counts it.
type cudaDevice struct{ process, ordinal int64 }

var systemKeys = []string{"Hostname", "NvDriverVersion", "CudaDriverVersion", "OsDescription", "CpuDescription"}

// readFacts reads the small tables.
func (r *reader) readFacts(ctx context.Context) error {
	f := &r.facts
	f.env, f.events = make(trace.Environment), make(map[string]bool)
	for _, read := range []func(context.Context, table.Source) error{
		f.readExport, f.readCapture, f.readSystem, f.readGPUs, r.readWindow, r.readDiagnostics,
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
		r.warn("a table about machine or capture %s: %v (export the report again: nsys export --type sqlite)", trouble(err), err)
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

// baseName is the last part of a path of any system.
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
			f.fact(trace.FactFilter, baseName(row[1]))
		}
	}
	slices.Sort(recorded)
	f.fact(trace.FactRecorded, strings.Join(slices.Compact(recorded), ", "))
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

// variable keeps what a variable of the environment says of the rank, or a setting.
func (f *facts) variable(assignment string) {
	f.env.Add(assignment)
	f.fact(trace.FactEnvironment, "recorded")
	if s, ok := trace.Setting(assignment); ok {
		f.fact(s.Key, s.Value)
	}
}

// fact keeps a fact; the first of each key counts.
func (f *facts) fact(key, value string) {
	if !slices.ContainsFunc(f.extra, func(have trace.Fact) bool { return have.Key == key }) {
		f.extra = append(f.extra, trace.Fact{Key: key, Value: value})
	}
}

func (f *facts) readGPUs(ctx context.Context, src table.Source) error {
	rows, err := table.Small(ctx, src, "TARGET_INFO_GPU", "id", "cuDevice", "name", "totalMemory",
		"smCount", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "computeMajor")
	if err != nil {
		return err
	}
	for _, row := range rows {
		f.gpus = append(f.gpus, gpu{id: row.Num(0), ordinal: row.Num(1), name: trace.Tidy(row[2]), memory: row.Num(3),
			sm: trace.SM{Count: row.Num(4), Warps: row.Num(5), Blocks: row.Num(6),
				Registers: row.Num(7), Shared: row.Num(8), Major: row.Num(9)}})
	}
	f.gpuOf = make(map[cudaDevice]int64)
	rows, err = table.Small(ctx, src, "TARGET_INFO_CUDA_DEVICE", "pid", "cudaId", "gpuId")
	for _, row := range rows {
		f.gpuOf[cudaDevice{row.Num(0), row.Num(1)}] = row.Num(2)
	}
	return err
}

// gpuID is the number in TARGET_INFO_GPU of a device of a process, if the file
// says it: a guess would give a rank the activity of another's device.
func (f *facts) gpuID(d cudaDevice) (int64, bool) {
	if id, ok := f.gpuOf[d]; ok {
		return id, true
	}
	same := slices.DeleteFunc(slices.Clone(f.gpus), func(g gpu) bool { return g.ordinal != d.ordinal })
	if len(same) == 1 {
		return same[0].id, true
	}
	return 0, false
}

// gpu is the GPU behind a device of a process: by the file's own map, else by
// ordinal, else the one model that the machine has.
func (f *facts) gpu(d cudaDevice) (gpu, bool) {
	if id, ok := f.gpuOf[d]; ok {
		if i := slices.IndexFunc(f.gpus, func(g gpu) bool { return g.id == id }); i >= 0 {
			return f.gpus[i], true
		}
	}
	same := slices.DeleteFunc(slices.Clone(f.gpus), func(g gpu) bool { return g.ordinal != d.ordinal })
	if len(same) == 1 {
		return same[0], true
	}
	if len(f.gpus) == 0 || slices.ContainsFunc(f.gpus, func(g gpu) bool { return g.name != f.gpus[0].name || g.memory != f.gpus[0].memory }) {
		return gpu{}, false
	}
	return f.gpus[0], true
}

// driverVersion writes 52510517, as older exports have it, as 525.105.17.
func driverVersion(text string) string {
	if len(text) != 8 || strings.Trim(text, "0123456789") != "" {
		return text
	}
	return text[:3] + "." + text[3:6] + "." + text[6:]
}

// of are the facts of one trace, sorted by key.
func (f *facts) of(process, ordinal int64, overhead string) []trace.Fact {
	all := []trace.Fact{
		{Key: trace.FactCPU, Value: f.system["CpuDescription"]},
		{Key: trace.FactCUDA, Value: cudaVersion(f.system["CudaDriverVersion"])},
		{Key: trace.FactDriver, Value: driverVersion(f.system["NvDriverVersion"])},
		{Key: trace.FactGraphMode, Value: f.graph},
		{Key: trace.FactOS, Value: f.system["OsDescription"]},
		{Key: trace.FactOverhead, Value: overhead},
		{Key: trace.FactProfiler, Value: profiler(f.export["PRODUCT_VERSION"])},
		{Key: trace.FactSchema, Value: trace.Tidy(f.export["SCHEMA_VERSION"])},
	}
	all = append(all, f.extra...)
	if g, ok := f.gpu(cudaDevice{process, ordinal}); ok {
		all = append(all, trace.Fact{Key: trace.FactGPU, Value: g.name})
		if g.memory > 0 {
			all = append(all, trace.Fact{Key: trace.FactGPUMemory, Value: strconv.FormatInt(g.memory, 10)})
		}
	}
	all = slices.DeleteFunc(all, func(f trace.Fact) bool { return f.Value == "" || f.Value == "unknown" })
	slices.SortFunc(all, func(a, b trace.Fact) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

func profiler(version string) string {
	if version == "" {
		return ""
	}
	return "Nsight Systems " + trace.Tidy(version)
}

// cudaVersion is CUDA's version number as people write it: 13020 is 13.2.
func cudaVersion(s string) string {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1000 {
		return s
	}
	return strconv.Itoa(v/1000) + "." + strconv.Itoa(v%1000/10)
}

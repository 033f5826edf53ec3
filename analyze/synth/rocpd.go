package synth

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/engine"
)

// rocpdTables are the tables of a database of rocprofv3 that are written, and their columns in its order, by
// share/rocprofiler-sdk-rocpd/rocpd_tables.sql of rocprofiler-sdk, schema 3 as in ROCm 7.0 to 7.1. A column is INTEGER
// unless :T or :B says TEXT or BIGINT; ! is NOT NULL, and :J a JSON text that is {} where nothing is given. All have a
// counted id first, and the id of their process second.
var rocpdTables = map[string]string{
	"rocpd_string":             "string!:T",
	"rocpd_info_node":          "hash!:B machine_id!:T system_name:T hostname:T release:T version:T hardware_name:T domain_name:T",
	"rocpd_info_process":       "nid! ppid pid! init:B fini:B start:B end:B command:T environment:J extdata:J",
	"rocpd_info_thread":        "nid! ppid pid! tid! name:T start:B end:B extdata:J",
	"rocpd_info_agent":         "nid! pid! type:T absolute_index logical_index type_index uuid name:T model_name:T vendor_name:T product_name:T user_name:T extdata:J",
	"rocpd_info_queue":         "nid! pid! name:T extdata:J",
	"rocpd_info_stream":        "nid! pid! name:T extdata:J",
	"rocpd_info_pmc":           "nid! pid! agent_id target_arch:T name!:T symbol!:T extdata:J",
	"rocpd_info_code_object":   "nid! pid! agent_id uri:T load_base:B load_size:B load_delta:B storage_type:T extdata:J",
	"rocpd_info_kernel_symbol": "nid! pid! code_object_id! kernel_name:T display_name:T kernel_object kernarg_segment_size kernarg_segment_alignment group_segment_size private_segment_size sgpr_count arch_vgpr_count accum_vgpr_count extdata:J",
	"rocpd_track":              "nid! pid tid name_id extdata:J",
	"rocpd_event":              "category_id stack_id parent_stack_id correlation_id call_stack:J line_info:J extdata:J",
	"rocpd_arg":                "event_id! position! type!:T name!:T value:T extdata:J",
	"rocpd_pmc_event":          "event_id pmc_id! value extdata:J",
	"rocpd_region":             "nid! pid! tid! start!:B end!:B name_id! event_id extdata:J",
	"rocpd_sample":             "track_id! timestamp!:B event_id extdata:J",
	"rocpd_kernel_dispatch":    "nid! pid! tid agent_id! kernel_id! dispatch_id! queue_id! stream_id! start!:B end!:B private_segment_size group_segment_size workgroup_size_x! workgroup_size_y! workgroup_size_z! grid_size_x! grid_size_y! grid_size_z! region_name_id event_id extdata:J",
	"rocpd_memory_copy":        "nid! pid! tid start!:B end!:B name_id! dst_agent_id dst_address src_agent_id src_address size! queue_id stream_id region_name_id event_id extdata:J",
	"rocpd_memory_allocate":    "nid! pid! tid agent_id type:T level:T start!:B end!:B address size! queue_id stream_id event_id extdata:J",
}

// rocpdOrder is the order in which the tables are made.
var rocpdOrder = strings.Fields(`rocpd_string rocpd_info_node rocpd_info_process rocpd_info_thread rocpd_info_agent
	rocpd_info_queue rocpd_info_stream rocpd_info_pmc rocpd_info_code_object rocpd_info_kernel_symbol rocpd_track rocpd_event
	rocpd_arg rocpd_pmc_event rocpd_region rocpd_sample rocpd_kernel_dispatch rocpd_memory_copy rocpd_memory_allocate`)

// rocpdWriter writes a database of rocprofv3. It keeps the first error, and does nothing after it.
type rocpdWriter struct {
	file   *engine.Writer
	suffix string
	made   map[string]*engine.Rows
	places map[string]*layout
	texts  map[string]int64
	events int64
	err    error
}

// guid returns the id of the database that each row holds.
func (w *rocpdWriter) guid() string { return strings.ReplaceAll(w.suffix[1:], "_", "-") }

// rocpdColumns returns the columns of a table.
func rocpdColumns(table string) []column {
	out := []column{{name: "id", kind: "INTEGER", notNull: true, key: true}, {name: "guid", kind: "TEXT", notNull: true}}
	for _, c := range strings.Fields(rocpdTables[table]) {
		name, kind, _ := strings.Cut(c, ":")
		name, required := strings.CutSuffix(name, "!")
		out = append(out, column{name: name, kind: map[string]string{"": "INTEGER", "T": "TEXT", "B": "BIGINT", "J": "JSONB"}[kind], notNull: required || kind == "J"})
	}
	return out
}

// ddl declares a table with the identifiers, defaults and keys that rocprofv3 writes.
func (w *rocpdWriter) ddl(table string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE `%s%s` (\n    \"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,\n    \"guid\" TEXT DEFAULT \"%s\" NOT NULL", table, w.suffix, w.guid())
	own := rocpdColumns(table)[2:]
	for _, c := range own {
		fmt.Fprintf(&b, ",\n    %q %s", c.name, c.kind)
		if c.kind == "JSONB" {
			b.WriteString(` DEFAULT "{}"`)
		}
		if c.notNull {
			b.WriteString(" NOT NULL")
		}
	}
	for _, c := range own {
		if c.name == "event_id" {
			fmt.Fprintf(&b, ",\n    FOREIGN KEY (event_id) REFERENCES `rocpd_event%s` (id) ON UPDATE CASCADE", w.suffix)
		}
	}
	b.WriteString("\n)")
	return b.String()
}

// declare makes the tables, with a view of each that has a name of its own, and the index.
func (w *rocpdWriter) declare() {
	metadata := fmt.Sprintf("CREATE TABLE \"rocpd_metadata%s\" (\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \"tag\" TEXT NOT NULL, \"value\" TEXT NOT NULL)", w.suffix)
	w.make("rocpd_metadata", metadata, 3)
	for _, t := range rocpdOrder {
		w.make(t, w.ddl(t), len(rocpdColumns(t)))
	}
	for _, t := range append([]string{"rocpd_metadata"}, rocpdOrder...) {
		w.file.Exec(fmt.Sprintf("CREATE VIEW `%s` AS SELECT * FROM `%s%s`", t, t, w.suffix))
	}
	w.file.Exec(fmt.Sprintf("CREATE INDEX `rocpd_arg%s_event_id_idx` ON `rocpd_arg%s` (\"event_id\")", w.suffix, w.suffix))
}

// make makes a table of so many columns.
func (w *rocpdWriter) make(table, declaration string, columns int) {
	w.file.Exec(declaration)
	w.made[table] = w.file.Insert(table+w.suffix, columns)
}

// row inserts a row into a table: columns are named as "a b c". The others have their defaults.
func (w *rocpdWriter) row(table, columns string, values ...any) {
	if w.err != nil {
		return
	}
	l := w.places[table+columns]
	if l == nil {
		if l, w.err = w.place(table, columns); w.err != nil {
			return
		}
		w.places[table+columns] = l
	}
	if len(values) != len(l.varying) {
		w.err = fmt.Errorf("table %s: %d values for columns %s", table, len(values), columns)
		return
	}
	w.made[table].Add(l.row(values)...)
}

// place finds some columns of a table among all, and gives the others their defaults.
func (w *rocpdWriter) place(table, names string) (*layout, error) {
	l := &layout{columns: rocpdColumns(table)}
	defaults := "guid='" + w.guid() + "'"
	for _, c := range l.columns {
		if c.kind == "JSONB" && !slices.Contains(strings.Fields(names), c.name) {
			defaults += " " + c.name + "='{}'"
		}
	}
	if err := l.place(names, defaults); err != nil {
		return nil, fmt.Errorf("table %s: %w", table, err)
	}
	return l, nil
}

// text returns the number of a text, which is written if it is new.
func (w *rocpdWriter) text(s string) int64 {
	id, ok := w.texts[s]
	if !ok {
		id = int64(len(w.texts)) + 1
		w.texts[s] = id
		w.row("rocpd_string", "id string", id, s)
	}
	return id
}

// event writes an event of a category with a correlation id and additional data in JSON.
func (w *rocpdWriter) event(category string, stack int64, beside string) int64 {
	w.events++
	w.row("rocpd_event", "id category_id stack_id parent_stack_id correlation_id extdata", w.events, w.text(category), stack, stack, 0, beside)
	return w.events
}

// The numbers that rows have of the one node.
const rocpdNode = 3_141_592

// writeRocpd writes the database of one rank.
func (p *profile) writeRocpd(ctx context.Context, path string, _ Format) error {
	return newDatabase(ctx, path, func(file *engine.Writer) error {
		w := &rocpdWriter{file: file, suffix: fmt.Sprintf("_0199a1b2_%04x_7000_8000_%012x", p.rank, p.run),
			made: map[string]*engine.Rows{}, places: map[string]*layout{}, texts: map[string]int64{}}
		w.declare()
		w.made["rocpd_metadata"].Add(nil, "schema_version", "3")
		p.rocpdMachine(w)
		if p.job.Markers {
			p.rocpdRanges(w)
		}
		for _, s := range p.programRanges {
			p.rocpdRange(w, s)
		}
		if !p.job.NoDevice {
			p.rocpdWork(w)
		}
		return w.err
	})
}

// amdGPU is the model that ranks have instead of the story's.
const amdGPU = "AMD Instinct MI300X"

// rocpdMachine writes node, process, threads, processors, queues and streams.
func (p *profile) rocpdMachine(w *rocpdWriter) {
	pid := p.pid()
	w.row("rocpd_info_node", "id hash machine_id system_name hostname release", rocpdNode, 271828, "0a1b2c", "Linux", p.hostName(), "5.15.0-112-generic")
	variables := map[string]string{}
	for _, v := range p.environment() {
		name, value, _ := strings.Cut(v, "=")
		variables[name] = strings.Trim(value, `"`)
	}
	environment, err := json.Marshal(variables)
	w.err = cmp.Or(w.err, err)
	w.row("rocpd_info_process", "id nid ppid pid start end command environment", pid, rocpdNode, 1, pid, 0, p.last(), "/home/someone/venv/bin/python train.py", string(environment))
	w.row("rocpd_info_thread", "id nid pid tid", pid, rocpdNode, pid, pid)
	w.row("rocpd_info_agent", "id nid pid type absolute_index logical_index type_index name product_name", 0, rocpdNode, pid, "CPU", 0, 0, 0, "AMD EPYC 9654 96-Core Processor", "AMD EPYC 9654 96-Core Processor")
	for i := range p.story.doc.Ranks / p.story.doc.Nodes {
		w.row("rocpd_info_agent", "id nid pid type absolute_index logical_index type_index name product_name", i+1, rocpdNode, pid, "GPU", i+1, i+1, i, "gfx942", amdGPU)
	}
	w.row("rocpd_info_queue", "id nid pid name", 0, rocpdNode, pid, "Default Queue")
	for _, s := range []int{0, computeStream, commStream} {
		w.row("rocpd_info_stream", "id nid pid name", s, rocpdNode, pid, fmt.Sprintf("Stream %d", s))
	}
	w.row("rocpd_info_code_object", "id nid pid agent_id uri", 1, rocpdNode, pid, p.local+1, "file:///home/someone/kernels.hsaco")
}

// rocpdRange writes a range of roctx.
func (p *profile) rocpdRange(w *rocpdWriter, s span) {
	message, err := json.Marshal(map[string]string{"message": s.name})
	w.err = cmp.Or(w.err, err)
	at := w.event("MARKER_CORE_RANGE_API", 1<<32+w.events, string(message))
	w.row("rocpd_region", "nid pid tid start end name_id event_id", rocpdNode, p.pid(), p.pid(), s.start, s.end, w.text("roctxThreadRangeA"), at)
}

// rocpdRanges writes the ranges of steps, of waits for input and of phases.
func (p *profile) rocpdRanges(w *rocpdWriter) {
	for i, in := range p.inputs {
		if i < len(p.markerEnds) {
			name := cmp.Or(p.job.stepName(p.loads[i]), fmt.Sprintf("step %d", p.story.doc.FirstStep+int64(i)))
			p.rocpdRange(w, span{name, p.hostStarts[i], p.markerEnds[i]})
		}
		if p.job.Serving.Batch == 0 {
			p.rocpdRange(w, span{"DataLoader.__next__", in.start, in.end})
		}
	}
	for _, s := range p.phases {
		p.rocpdRange(w, s)
	}
}

// rocpdWork writes calls of HIP, kernels and copies.
func (p *profile) rocpdWork(w *rocpdWriter) {
	pid := p.pid()
	for _, c := range p.calls {
		name, _, _ := strings.Cut(c.name, "_v")
		at := w.event("HIP_RUNTIME_API_EXT", c.correlation, "{}")
		w.row("rocpd_region", "nid pid tid start end name_id event_id", rocpdNode, pid, pid, c.start, c.end, w.text("hip"+strings.TrimPrefix(name, "cuda")), at)
	}
	symbols := map[string]int64{}
	dispatch := func(k work, name string, grid, block int) {
		id, ok := symbols[name]
		if !ok {
			id = int64(len(symbols)) + 1
			symbols[name] = id
			w.row("rocpd_info_kernel_symbol", "id nid pid code_object_id kernel_name display_name arch_vgpr_count", id, rocpdNode, pid, 1, fmt.Sprintf("_Zkernel%d.kd", id), name, 64)
		}
		at := w.event("KERNEL_DISPATCH", k.correlation, "{}")
		w.row("rocpd_kernel_dispatch", "nid pid tid agent_id kernel_id dispatch_id queue_id stream_id start end group_segment_size workgroup_size_x workgroup_size_y workgroup_size_z grid_size_x grid_size_y grid_size_z event_id",
			rocpdNode, pid, pid, p.local+1, id, at, 0, k.stream, k.start, k.end, 0, block, 1, 1, grid*block, 1, 1, at)
	}
	for _, k := range p.kernelWork() {
		switch k.class {
		case memory:
			at := w.event("MEMORY_COPY", k.correlation, "{}")
			w.row("rocpd_memory_copy", "nid pid tid start end name_id dst_agent_id src_agent_id size stream_id event_id", rocpdNode, pid, pid,
				k.start, k.end, w.text("MEMORY_COPY_HOST_TO_DEVICE"), p.local+1, 0, k.bytes, k.stream, at)
		case comm:
			dispatch(k, k.name(), 24, 512)
		case compute:
			dispatch(k, k.kernel.name, k.kernel.grid, k.kernel.block)
		}
	}
}

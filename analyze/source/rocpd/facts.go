package rocpd

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// facts holds what small tables say about machine, process and names. From the environment only what names the rank
// and the settings of the list are kept, from the command line nothing.
type facts struct {
	schema   string
	host     string // of the first node
	system   string
	texts    map[int64]trace.NameID
	pids     map[int64]int64 // the system's number of a process by its number here
	threads  map[int64]int64
	agents   map[int64]agent
	symbols  map[int64]symbol
	tracks   map[int64]track
	streams  int // that the process made
	env      map[int64]build.Environment
	settings map[int64]build.Facts
}

// agent is a processor of the node.
type agent struct {
	gpu     bool
	ordinal int64 // of its type, counted as the process sees it
	name    string
}

// symbol is a kernel of a code object.
type symbol struct {
	name      trace.NameID
	registers int64
}

// track says to which process, thread, agent, queue and stream a row belongs.
type track struct{ pid, tid, agent, queue, stream int64 }

// small returns every row of a small table of the process.
func (r *reader) small(ctx context.Context, name string, cols ...string) ([]table.Row, error) {
	return table.Small(ctx, r.src, name+r.suffix, cols...)
}

// readFacts reads the small tables.
func (r *reader) readFacts(ctx context.Context) error {
	for _, read := range []func(context.Context) error{
		r.readTexts, r.readMachine, r.readProcesses, r.readAgents, r.readSymbols, r.readTracks,
	} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readTexts reads the names of calls, copies, categories and messages.
func (r *reader) readTexts(ctx context.Context) error {
	const name = "rocpd_string"
	r.texts = make(map[int64]trace.NameID)
	if err := build.Fit(ctx, r.room, 32*r.src.Rows(ctx, name+r.suffix)); err != nil {
		return err
	}
	cols := []table.Column{{Name: "id"}, {Name: "string", Text: func(s string) int64 { return int64(build.Name(r.names, s)) }}}
	return r.scan(ctx, name, cols, func(b *table.Batch) {
		for i := range b.N {
			if b.Cols[1][i] != table.Null {
				r.texts[b.Cols[0][i]] = trace.NameID(b.Cols[1][i])
			}
		}
	})
}

func (r *reader) readMachine(ctx context.Context) error {
	rows, err := r.small(ctx, "rocpd_metadata", "tag", "value")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row[0] == "schema_version" {
			r.schema = trace.Tidy(row[1])
		}
	}
	if rows, err = r.small(ctx, "rocpd_info_node", "id", "hostname", "system_name", "release"); err != nil {
		return err
	}
	for i, row := range rows {
		if i == 0 {
			r.host, r.system = trace.Tidy(row[1]), trace.Tidy(strings.TrimSpace(row[2]+" "+row[3]))
		}
	}
	rows, err = r.small(ctx, "rocpd_info_stream", "id")
	r.streams = len(rows)
	return err
}

// readProcesses reads the processes, which have their whole environment in the database.
func (r *reader) readProcesses(ctx context.Context) error {
	r.pids, r.threads = make(map[int64]int64), make(map[int64]int64)
	r.env, r.settings = make(map[int64]build.Environment), make(map[int64]build.Facts)
	rows, err := r.small(ctx, "rocpd_info_process", "id", "pid", "environment")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if pid := row.Num(1); pid > 0 {
			r.pids[row.Num(0)] = pid
			r.readEnvironment(pid, row[2])
		}
	}
	rows, err = r.small(ctx, "rocpd_info_thread", "id", "tid")
	for _, row := range rows {
		if tid := row.Num(1); tid > 0 {
			r.threads[row.Num(0)] = tid
		}
	}
	return err
}

// readEnvironment keeps what a JSON object of variables says about the rank, and settings.
func (r *reader) readEnvironment(pid int64, object string) {
	var variables map[string]any
	if json.Unmarshal([]byte(object), &variables) != nil || len(variables) == 0 {
		return // rocprofiler-systems leaves it empty
	}
	env := make(build.Environment)
	var kept build.Facts
	for name, value := range variables {
		if text, ok := value.(string); ok {
			env.Add(name + "=" + text)
			kept.Variable(name + "=" + text)
		}
	}
	r.env[pid], r.settings[pid] = env, kept
}

func (r *reader) readAgents(ctx context.Context) error {
	r.agents = make(map[int64]agent)
	rows, err := r.small(ctx, "rocpd_info_agent",
		"id", "type", "logical_index", "type_index", "product_name", "model_name", "name")
	for _, row := range rows {
		a := agent{gpu: row[1] == "GPU", ordinal: row.Num(3), name: trace.Tidy(cmp.Or(row[4], row[5], row[6]))}
		if a.ordinal == table.Null {
			a.ordinal = row.Num(2)
		}
		if a.ordinal < 0 || a.ordinal >= 1<<31 {
			a.ordinal = 0
		}
		r.agents[row.Num(0)] = a
	}
	return err
}

// readSymbols reads the kernels: their printed names, or else the linker's.
func (r *reader) readSymbols(ctx context.Context) error {
	r.symbols = make(map[int64]symbol)
	text := func(s string) int64 { return int64(build.Name(r.names, strings.TrimSuffix(s, ".kd"))) }
	cols := []table.Column{{Name: "id"}, {Name: "display_name", Text: text}, {Name: "kernel_name", Text: text},
		{Name: "arch_vgpr_count"}}
	return r.scan(ctx, "rocpd_info_kernel_symbol", cols, func(b *table.Batch) {
		for i := range b.N {
			name := max(b.Cols[1][i], 0)
			if name == 0 {
				name = max(b.Cols[2][i], 0)
			}
			r.symbols[b.Cols[0][i]] = symbol{trace.NameID(name), b.Cols[3][i]}
		}
	})
}

func (r *reader) readTracks(ctx context.Context) error {
	r.tracks = make(map[int64]track)
	cols := table.Ints("id", "pid", "tid", "agent_id", "queue_id", "stream_id")
	return r.scan(ctx, trackTable, cols, func(b *table.Batch) {
		for i := range b.N {
			c := b.Cols
			r.tracks[c[0][i]] = track{c[1][i], c[2][i], c[3][i], c[4][i], c[5][i]}
		}
	})
}

// of returns the facts of a trace, sorted by key.
func (f *facts) of(pid int64, a agent, pmc bool) []trace.Fact {
	var all build.Facts
	all.Add(trace.FactProfiler, "rocprofiler-sdk")
	all.Add(trace.FactSchema, f.schema)
	all.Add(trace.FactOS, f.system)
	for _, id := range slices.Sorted(maps.Keys(f.agents)) {
		if c := f.agents[id]; !c.gpu {
			all.Add(trace.FactCPU, c.name) // the first that has a name counts
		}
	}
	if pmc {
		all.Add(trace.FactRecorded, "counters of kernels")
	}
	for _, s := range f.settings[pid] {
		all.Add(s.Key, s.Value)
	}
	return all.Sorted(build.GPU{Name: a.name})
}

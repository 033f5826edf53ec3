package nsys

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// The tables of storage counters. NVIDIA's storage_util_map reads them from
// exports to Parquet; whether exports to SQLite have them is not confirmed, so
// that they are read wherever they are.
const (
	groupTable   = "NVTX_COUNTER_GROUPS"
	schemaTable  = "NVTX_PAYLOAD_SCHEMAS"
	scopeTable   = "NVTX_SCOPES"
	sampleTable  = "NVTX_COUNTER_SAMPLES_%d_%d"
	volumeSchema = "Throughput Counter Group Schema"
	volumeScope  = "Mounts/"
)

// volume is a counter group of a mounted volume. Its driver's counters are
// rates in bytes a second, what the application asked for is bytes in each
// sample.
type volume struct {
	domain, group int64
	path          string // within the machine; it leaves no reader
	driver        bool
}

// readVolumes reads how much was read from and written to volumes. If both were sampled, it takes the application's
// counters: they count what the job read, also from caches.
func (r *sampler) readVolumes(ctx context.Context) error {
	volumes, err := r.volumes(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(volumes, func(v volume) bool { return !v.driver }) {
		volumes = slices.DeleteFunc(volumes, func(v volume) bool { return v.driver })
	}
	var paths []string
	for _, v := range volumes {
		paths = append(paths, v.path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for _, v := range volumes {
		number, _ := slices.BinarySearch(paths, v.path)
		if err := r.readVolume(ctx, v, fmt.Sprintf("volume %d", number+1)); err != nil {
			return err
		}
	}
	return nil
}

// volumes returns the counter groups of volumes, in order of domain and group.
func (r *sampler) volumes(ctx context.Context) ([]volume, error) {
	groups, err := table.Small(ctx, r.src, groupTable, "domainId", "counterGroupId", "schemaId", "name", "scopeId")
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	schemas, err := table.Small(ctx, r.src, schemaTable, "domainId", "schemaId", "name")
	if err != nil {
		return nil, err
	}
	scopes, err := table.Small(ctx, r.src, scopeTable, "domainId", "scopeId", "path")
	type id struct{ domain, id int64 }
	throughput, paths := make(map[id]bool), make(map[id]string)
	for _, s := range schemas {
		throughput[id{s.Num(0), s.Num(1)}] = s[2] == volumeSchema
	}
	for _, s := range scopes {
		paths[id{s.Num(0), s.Num(1)}] = s[2]
	}
	var all []volume
	for _, g := range groups {
		path, mounted := strings.CutPrefix(paths[id{g.Num(0), g.Num(4)}], volumeScope)
		if mounted && throughput[id{g.Num(0), g.Num(2)}] && len(all) < maxCounters {
			all = append(all, volume{g.Num(0), g.Num(1), path, g[3] == "" || strings.EqualFold(g[3], "driver")})
		}
	}
	return all, err
}

func (r *sampler) readVolume(ctx context.Context, v volume, name string) error {
	tableName := fmt.Sprintf(sampleTable, v.domain, v.group)
	cols := table.Ints("timestamp", "Read", "Write")
	cols[1].Text, cols[2].Text = floatBits, floatBits
	last := table.Null
	return r.src.Scan(ctx, tableName, cols, func(b *table.Batch) {
		for i := range b.N {
			at := b.Cols[0][i]
			for k, kind := range []trace.CounterKind{trace.StorageRead, trace.StorageWrite} {
				bits := b.Cols[k+1][i]
				if bits == table.Null || last == table.Null {
					continue
				}
				value := math.Float64frombits(uint64(bits))
				if v.driver {
					value *= float64(at-last) / 1e9
				}
				r.addSample(r.counters.node, counterKey{kind, name}, "NVTX_COUNTER_SAMPLES", last, at, value)
			}
			last = at
		}
	})
}

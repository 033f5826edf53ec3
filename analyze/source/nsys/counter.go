package nsys

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// counters holds what the file's samplers saw: of the whole node, and of GPUs by their number in TARGET_INFO_GPU.
type counters struct {
	node map[counterKey]*trace.Counter
	gpu  map[int64]map[counterKey]*trace.Counter
}

type counterKey struct {
	kind   trace.CounterKind
	device string
}

// sampler reads what the samplers of a file saw, and what the driver gave of the devices' memory.
type sampler struct {
	src      table.Source
	window   *window
	losses   *build.Losses // which samples were left out
	counters counters
	memory   build.Memories[memoryPlace]
	fits     trace.Room
	beside   string // an export to Parquet of the same report; "": there is none
}

func newCounters() counters {
	return counters{node: make(map[counterKey]*trace.Counter), gpu: make(map[int64]map[counterKey]*trace.Counter)}
}

// maxCounters bounds the devices that a file can name.
const maxCounters = 4096

// addSample adds a sample to a counter. What is no amount, or no time of
// the capture, is left out.
func (r *sampler) addSample(into map[counterKey]*trace.Counter, key counterKey, source string, start, end int64, value float64) {
	if math.IsNaN(value) || value < 0 || math.IsInf(value, 0) || end <= start || start < -build.MaxTime || end > build.MaxTime || end < r.window.from {
		return
	}
	c := into[key]
	if c == nil {
		if len(into) >= maxCounters {
			return
		}
		c = &trace.Counter{Kind: key.kind, Device: key.device, Source: source}
		into[key] = c
	}
	c.Samples = append(c.Samples, trace.Sample{Start: start, End: end, Value: value})
}

// sorted returns counters in order of kind and device, their samples in order of time and without overlap: of two
// readings at one moment the first counts.
func sorted(all map[counterKey]*trace.Counter) []trace.Counter {
	var out []trace.Counter
	for _, c := range all {
		slices.SortStableFunc(c.Samples, func(a, b trace.Sample) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Value, b.Value))
		})
		kept := c.Samples[:0]
		for _, s := range c.Samples {
			if n := len(kept); n == 0 || s.Start >= kept[n-1].End {
				kept = append(kept, s)
			}
		}
		c.Samples = kept
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b trace.Counter) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Device, b.Device))
	})
	return out
}

// of returns the counters of one trace: the node's and those of its own GPU.
func (c *counters) of(f *facts, d cudaDevice) []trace.Counter {
	all := sorted(c.node)
	if g, ok := f.gpuID(d); ok {
		all = append(all, sorted(c.gpu[g])...)
	}
	return all
}

// recorded returns the bits for what counters hold.
func recorded(all []trace.Counter) (bits trace.Recorded) {
	for _, c := range all {
		switch c.Kind {
		case trace.StorageRead, trace.StorageWrite:
			bits |= trace.HasStorage
		case trace.NetReceive, trace.NetSend:
			bits |= trace.HasNetwork
		case trace.Activity:
			bits |= trace.HasActivity
		case trace.NetWait:
			bits |= trace.HasNetWaits
		case trace.CongestionPackets:
			bits |= trace.HasCongestionPackets
		case trace.SwitchCongestion:
			bits |= trace.HasSwitchCongestion
		case trace.Clock:
			bits |= trace.HasClocks
		case trace.Power:
			bits |= trace.HasPower
		case trace.Temperature:
			bits |= trace.HasTemperature
		}
	}
	return bits
}

// readCounters reads what was sampled. A damaged table costs only its own counters.
func (r *sampler) readCounters(ctx context.Context) error {
	for _, read := range []func(context.Context) error{r.readPorts, r.readSwitches, r.readGeneric, r.readVolumes, r.readActivity, r.readMemory, r.readBeside} {
		err := read(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.losses.Warn("sampled counters were left out: %v (export the report again: nsys export --type sqlite)", err)
		}
	}
	return nil
}

// metricID is one metric of a port.
type metricID struct{ list, index int64 }

// readPorts reads the counters of network ports. The value is an amount over
// the row's time, unless the metric's unit says that it is a rate.
func (r *sampler) readPorts(ctx context.Context) error {
	const tableName = portTable
	metrics, err := r.portMetrics(ctx)
	if err != nil || len(metrics) == 0 {
		return err
	}
	nics, err := r.nics(ctx)
	if err != nil {
		return err
	}
	cols := table.Ints("start", "end", "globalId", "portId", "metricsListId", "metricsIdx", "value")
	cols[6].Text = floatBits
	return r.src.Scan(ctx, tableName, cols, func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			m, ok := metrics[metricID{c[4][i], c[5][i]}]
			if !ok || c[6][i] == table.Null {
				continue
			}
			nic := nics[c[2][i]]
			if nic == "" {
				nic = fmt.Sprintf("NIC %x", uint64(c[2][i])&0xffff)
			}
			if port := c[3][i]; port > 0 {
				nic += " port " + strconv.FormatInt(port, 10)
			}
			value := math.Float64frombits(uint64(c[6][i]))
			if m.perSecond > 0 {
				value *= m.perSecond * float64(c[1][i]-c[0][i]) / 1e9
			}
			r.addSample(r.counters.node, counterKey{m.kind, nic}, tableName, c[0][i], c[1][i], value)
		}
	})
}

// portMetric says what one metric of a port counts. perSecond is 0 for amounts, and for a rate its unit in seconds to
// the power of minus one.
type portMetric struct {
	kind      trace.CounterKind
	perSecond float64
}

// readSwitches reads which packets switches saw in congestion. Each row is one packet, at one moment; rows of one
// switch at the same nanosecond count once.
func (r *sampler) readSwitches(ctx context.Context) error {
	const tableName = "NET_IB_SWITCH_CONGESTION_EVENT"
	return r.src.Scan(ctx, tableName, table.Ints("start", "globalId"), func(b *table.Batch) {
		for i := range b.N {
			at := b.Cols[0][i]
			if at != table.Null && at < build.MaxTime {
				device := fmt.Sprintf("switch %x", uint64(b.Cols[1][i])&0xffff)
				r.addSample(r.counters.node, counterKey{trace.SwitchCongestion, device}, tableName, at, at+1, 1)
			}
		}
	})
}

// portMetrics returns the metrics that count the bytes of a port, and how often it waited or was told about
// congestion. InfiniBand and Ethernet are two sides of a port, of which one carries bytes; they include what IPoIB and
// RoCE count.
func (r *sampler) portMetrics(ctx context.Context) (map[metricID]portMetric, error) {
	rows, err := table.Small(ctx, r.src, "TARGET_INFO_NETWORK_METRICS", "metricsListId", "metricsIdx", "name", "unit")
	all := make(map[metricID]portMetric)
	for _, row := range rows {
		var m portMetric
		switch strings.ToLower(row[2]) {
		case "ib: bytes received", "eth: bytes received":
			m.kind = trace.NetReceive
		case "ib: bytes sent", "eth: bytes sent":
			m.kind = trace.NetSend
		case "ib: send waits", "eth: send waits":
			m.kind = trace.NetWait
		case "ib: cnps received", "roce: cnps received", "eth: cnps received":
			m.kind = trace.CongestionPackets
		default:
			continue
		}
		m.perSecond = rateUnit(row[3])
		all[metricID{row.Num(0), row.Num(1)}] = m
	}
	return all, err
}

// rateUnit returns how often a second the unit of a rate goes into one: 1,000 for
// "bytes/ms"; 0 when the unit is not one of a rate.
func rateUnit(unit string) float64 {
	unit = strings.ReplaceAll(strings.ToLower(unit), " per ", "/")
	_, time, _ := strings.Cut(unit, "/")
	switch strings.TrimSpace(time) {
	case "s", "sec", "second":
		return 1
	case "ms", "millisecond":
		return 1e3
	case "us", "microsecond":
		return 1e6
	}
	return 0
}

// nics returns the names of network cards by the id that their samples carry.
func (r *sampler) nics(ctx context.Context) (map[int64]string, error) {
	names := make(map[int64]string) // by nicId
	byID := make(map[int64]string)  // by global id
	rows, err := table.Small(ctx, r.src, "TARGET_INFO_NIC_INFO", "nicId", "name", "GUID", "globalId")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		name := trace.Tidy(row[1])
		names[row.Num(0)] = name
		for _, id := range []int64{row.Num(2), row.Num(3)} { // schemas before 3.28 say globalId
			if id != table.Null {
				byID[id] = name
			}
		}
	}
	rows, err = table.Small(ctx, r.src, "NIC_ID_MAP", "nicId", "globalId")
	for _, row := range rows {
		if name := names[row.Num(0)]; name != "" && row.Num(1) != table.Null {
			byID[row.Num(1)] = name
		}
	}
	return byID, err
}

// floatBits reads a number in any spelling and returns the bits of a float64.
func floatBits(s string) int64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return table.Null
	}
	return int64(math.Float64bits(v))
}

package nsys

import (
	"fmt"
	"math"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// counterTables are the tables of samplers, as the documentation has them.
const counterTables = `
CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, portId INTEGER, metricsListId INTEGER, metricsIdx INTEGER, value INTEGER);
CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER, metricsIdx INTEGER, name TEXT, description TEXT, unit TEXT);
CREATE TABLE TARGET_INFO_NIC_INFO (GUID INTEGER NOT NULL, stateName TEXT, nicId INTEGER, name TEXT, deviceId INTEGER, vendorId INTEGER, linkLayer INTEGER);
CREATE TABLE NIC_ID_MAP (nicId INTEGER, globalId INTEGER);
CREATE TABLE GENERIC_EVENTS (genericEventId INTEGER PRIMARY KEY, rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, globalTid INTEGER, data TEXT);
CREATE TABLE GENERIC_EVENT_TYPE_FIELDS (typeId INTEGER, fieldIdx INTEGER, fieldNameId INTEGER, offset INTEGER, size INTEGER, type INTEGER);
CREATE TABLE GENERIC_EVENT_DATA (genericEventId INTEGER, fieldIdx INTEGER, intVal INTEGER, uintVal INTEGER, floatVal REAL, doubleVal REAL);
CREATE TABLE NVTX_COUNTER_GROUPS (domainId INTEGER, counterGroupId INTEGER, schemaId INTEGER, name TEXT, scopeId INTEGER);
CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT);
CREATE TABLE NVTX_SCOPES (domainId INTEGER, scopeId INTEGER, path TEXT);
CREATE TABLE NVTX_COUNTER_SAMPLES_0_1 (timestamp INTEGER, Read REAL, Write REAL);
CREATE TABLE NVTX_COUNTER_SAMPLES_0_2 (timestamp INTEGER, Read INTEGER, Write INTEGER);
CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER, metricName TEXT);
`

func counterExport(t *testing.T, statements ...string) *trace.Trace {
	t.Helper()
	return read(t, nsystest.Export(t, append([]string{nsystest.KernelRow, counterTables}, statements...)...))[0]
}

// told is a counter as a test writes it down.
func told(c trace.Counter) string {
	s := fmt.Sprintf("%d %s:", c.Kind, c.Device)
	for _, x := range c.Samples {
		s += fmt.Sprintf(" %d-%d %g", x.Start, x.End, x.Value)
	}
	return s
}

func TestCounters(t *testing.T) {
	const (
		ports = `INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (3, 0, 'IB: Bytes received', '', 'bytes'), (3, 1, 'Eth: Bytes sent', '', 'bytes/ms'), (3, 2, 'IPoIB: Bytes received', '', 'bytes'), (3, 3, 'IB: Send waits', '', 'ticks');
			INSERT INTO TARGET_INFO_NIC_INFO VALUES (77, 'up', 1, 'mlx5_0', 0, 0, 0);`
		efa   = `INSERT INTO GENERIC_EVENTS VALUES (1, 0, 0, 256, 0, '{"rdma_read_bytes per second": 5}'), (2, 0, 1000000000, 256, 0, '{"rdma_read_bytes per second": 2000, "rdma_write_recv_bytes per second": "500", "rdma_write_bytes per second": 7}'), (3, 0, 5, 9, 0, '{"other": 1}'), (4, 0, 1500000000, 256, 0, '{"rdma_read_bytes per second": 100}');`
		split = `INSERT INTO StringIds VALUES (800, 'rdma_read_bytes per second'), (801, 'rdma_write_bytes per second'), (802, 'cpu');
			INSERT INTO GENERIC_EVENT_TYPE_FIELDS VALUES (257, 0, 800, 0, 8, 1), (257, 1, 801, 0, 8, 3), (9, 0, 802, 0, 8, 1);
			INSERT INTO GENERIC_EVENTS VALUES (1, 0, 0, 257, 0, NULL), (2, 0, 2000000000, 257, 0, NULL), (3, 0, 2000000000, 9, 0, NULL);
			INSERT INTO GENERIC_EVENT_DATA VALUES (1, 0, NULL, 1, NULL, NULL), (2, 0, NULL, 30, NULL, NULL), (2, 1, NULL, NULL, NULL, 1.5), (3, 0, NULL, 99, NULL, NULL);`
		volumes = `INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0, 4, 'Throughput Counter Group Schema'), (0, 5, 'Another');
			INSERT INTO NVTX_SCOPES VALUES (0, 6, 'Mounts//secret/data'), (0, 7, 'GPU/0');`
		application = `INSERT INTO NVTX_COUNTER_GROUPS VALUES (0, 1, 4, 'Application', 6), (0, 3, 5, 'Application', 6), (0, 4, 4, 'Application', 7);
			INSERT INTO NVTX_COUNTER_SAMPLES_0_1 VALUES (100, 1, 1), (200, 4096, 0), (300, 0.5, 8);`
		driver = `INSERT INTO NVTX_COUNTER_GROUPS VALUES (0, 2, 4, '', 6);
			INSERT INTO NVTX_COUNTER_SAMPLES_0_2 VALUES (0, 7, 7), (1000000000, 200, 100);`
		activity = `INSERT INTO TARGET_INFO_GPU VALUES (2, 0, 'GPU', 80), (3, 1, 'GPU', 80); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2, 0, 4242);
			INSERT INTO TARGET_INFO_GPU_METRICS VALUES (514, 1, 'x', 9, 'SMs Active [Throughput %]'), (514, 1, 'x', 10, 'Tensor Active [Throughput %]'), (514, 1, 'x', 11, 'GPC Clock Frequency [MHz]'), (515, 1, 'x', 9, 'SMs Active [Throughput %]');
			INSERT INTO GPU_METRICS VALUES (0, 100, 514, 9, 10), (0, 200, 514, 9, 50), (0, 200, 515, 9, 99), (0, 100, 514, 10, 1), (0, 300, 514, 10, 25), (0, 300, 514, 11, 1980), (0, 300, 515, 9, 98);`
	)
	for name, c := range map[string]struct {
		rows string
		want []string
		bits trace.Recorded
	}{
		"amounts": {ports + "INSERT INTO NET_NIC_METRIC VALUES (100, 200, 77, 1, 3, 0, 5000), (200, 300, 77, 1, 3, 0, 7000), (100, 200, 77, 1, 3, 2, 5000), (100, 200, 77, 1, 3, 3, 9)", []string{"3 mlx5_0 port 1: 100-200 5000 200-300 7000", "6 mlx5_0 port 1: 100-200 9"}, trace.HasNetwork},
		"congestion": {`INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (3, 4, 'RoCE: CNPs received', '', 'packets'), (3, 5, 'IB: CNPs sent', '', 'packets');
			CREATE TABLE NET_IB_SWITCH_CONGESTION_EVENT (start INTEGER, globalId INTEGER, congestionType INTEGER);` + ports +
			"INSERT INTO NET_NIC_METRIC VALUES (100, 200, 77, 1, 3, 4, 6), (100, 200, 77, 1, 3, 5, 8); INSERT INTO NET_IB_SWITCH_CONGESTION_EVENT VALUES (150, 4660, 1), (160, 4660, 2), (NULL, 4660, 2), (150, 17, 1)",
			[]string{"10 mlx5_0 port 1: 100-200 6", "11 switch 11: 150-151 1", "11 switch 1234: 150-151 1 160-161 1"}, 0},
		"a rate":       {ports + "INSERT INTO NET_NIC_METRIC VALUES (0, 2000000, 77, 0, 3, 1, 500)", []string{"4 mlx5_0: 0-2000000 1000"}, trace.HasNetwork},
		"through map":  {ports + "INSERT INTO NIC_ID_MAP VALUES (1, 99); INSERT INTO NET_NIC_METRIC VALUES (100, 200, 99, 0, 3, 0, 1)", []string{"3 mlx5_0: 100-200 1"}, trace.HasNetwork},
		"unnamed":      {ports + "INSERT INTO NET_NIC_METRIC VALUES (100, 200, 4660, 0, 3, 0, 1)", []string{"3 NIC 1234: 100-200 1"}, trace.HasNetwork},
		"twice":        {ports + "INSERT INTO NET_NIC_METRIC VALUES (100, 200, 77, 0, 3, 0, 1), (100, 200, 77, 0, 3, 0, 1), (150, 250, 77, 0, 3, 0, 1)", []string{"3 mlx5_0: 100-200 1"}, trace.HasNetwork},
		"nonsense":     {ports + "INSERT INTO NET_NIC_METRIC VALUES (200, 100, 77, 0, 3, 0, 1), (100, 200, 77, 0, 3, 0, -5), (NULL, 200, 77, 0, 3, 0, 5), (100, 200, 77, 0, 3, 0, 'x')", nil, 0},
		"EFA":          {efa, []string{"3 EFA 0: 0-1000000000 2500 1000000000-1500000000 50", "4 EFA 0: 0-1000000000 7"}, trace.HasNetwork},
		"EFA in parts": {split, []string{"3 EFA 1: 0-2000000000 60", "4 EFA 1: 0-2000000000 3"}, trace.HasNetwork},
		"application":  {volumes + application + driver, []string{"1 volume 1: 100-200 4096 200-300 0.5", "2 volume 1: 100-200 0 200-300 8"}, trace.HasStorage},
		"driver":       {volumes + driver, []string{"1 volume 1: 0-1000000000 200", "2 volume 1: 0-1000000000 100"}, trace.HasStorage},
		"activity":     {activity, []string{"5 SM active: 100-200 0.5", "5 tensor active: 100-300 0.25"}, trace.HasActivity},
		"clocks": {activity + `INSERT INTO TARGET_INFO_GPU_METRICS VALUES (514, 1, 'x', 12, 'Board Power [W]'), (514, 1, 'x', 13, 'GPU Temperature [C]'), (514, 1, 'x', 14, 'GPC Clock Ratio');
			INSERT INTO GPU_METRICS VALUES (0, 400, 514, 11, 1980), (0, 500, 514, 11, 1410), (0, 400, 514, 12, 700), (0, 500, 514, 12, 650), (0, 400, 514, 13, 60), (0, 500, 514, 13, 61), (0, 500, 514, 14, 1);`,
			[]string{"5 SM active: 100-200 0.5", "5 tensor active: 100-300 0.25", "7 GPC: 300-400 1.98e+09 400-500 1.41e+09", "8 Board: 400-500 650", "9 GPU: 400-500 61"}, trace.HasActivity},
	} {
		x := counterExport(t, c.rows)
		var got []string
		for _, one := range x.Counters {
			got = append(got, told(one))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %q want %q", name, got, c.want)
		}
		if all := trace.HasNetwork | trace.HasStorage | trace.HasActivity; x.Recorded&all != c.bits {
			t.Errorf("%s: recorded %b want %b", name, x.Recorded&all, c.bits)
		}
	}
}

func TestRateUnit(t *testing.T) {
	for unit, want := range map[string]float64{
		"bytes": 0, "": 0, "B/s": 1, "bytes/ms": 1e3, "bytes per second": 1, "Bytes per ms": 1e3, "ticks/us": 1e6, "a/b": 0,
	} {
		if got := rateUnit(unit); got != want {
			t.Errorf("rateUnit(%q): got %v want %v", unit, got, want)
		}
	}
}

func TestActivityOf(t *testing.T) {
	for metric, want := range map[string]string{
		"SM Active [Throughput %]": "SM active", "SMs Active [Throughput %]": "SM active", "Tensor Active [Throughput %]": "tensor active",
		"DRAM Read Bandwidth [Throughput %]": "DRAM read", "DRAM Write Bandwidth [Throughput %]": "DRAM write", "PCIe RX Throughput [Throughput %]": "PCIe receive",
		"NVLink RX Bandwidth [Throughput %]": "NVLink receive", "NVLink TX Bandwidth [Throughput %]": "NVLink send",
		"SM Active": "", "GPC Clock Frequency [MHz]": "", "SM Issue [Throughput %]": "SM issue", "GR Active [Throughput %]": "GR active", "": "",
	} {
		if got := activityOf(metric); got != want {
			t.Errorf("activityOf(%q): got %q want %q", metric, got, want)
		}
	}
	if v := floatBits("nan"); !math.IsNaN(math.Float64frombits(uint64(v))) {
		t.Error("nan is no number")
	}
}

package nsys

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// ncclTables are what exports with payloads have beside the others.
const ncclTables = `DROP TABLE NVTX_EVENTS;
CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, domainId, globalTid, jsonText, jsonTextId, binaryData, eventId);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId, schemaId, idx, flags, type, name, description, arrayOrUnionDetail, offset);
CREATE TABLE NVTX_EVENTS_PAYLOAD_SCHEMAS (eventId, globalPid, domainId, payloadSchemaID);
INSERT INTO StringIds VALUES (20, 'ncclAllReduce'), (21, 'ncclAllGather'), (22, 'ncclGroupStart'), (23, 'ncclGroupEnd'),
  (24, 'ncclSend'), (25, 'AllReduce'), (26, 'ncclCommInitRank'), (27, 'ncclDevKernel_AllGather_RING_LL(x)'), (28, 'ncclDevKernel_SendRecv(x)'),
  (29, 'ncclAlltoAll'), (31, 'ncclRecv'), (30, '{"NCCL communicator ID": 7, "Message size [bytes]": 4000}');`

// launched is a kernel of a name that a call at 1000·n+500 launched.
func launched(n, name int) string {
	return fmt.Sprintf(`INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (%[1]d+600, %[1]d+900, 0, 7, %[2]d, $P, %[3]d);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (%[1]d+500, %[1]d+510, $T, %[2]d, 2);`, n*1000, n, name)
}

// called is a range with columns jsonText, jsonTextId, binaryData and eventId.
func called(start, end, name int, payload string) string {
	return fmt.Sprintf("INSERT INTO NVTX_EVENTS VALUES (%d, %d, 59, NULL, %d, 0, $T, %s);", start, end, name, payload)
}

const (
	init8  = `'{"NCCL communicator ID": 7, "Rank": 3, "No. of ranks": 8, "CUDA device": 3}', NULL, NULL, NULL`
	size4k = `'{"NCCL communicator ID": 7, "Message size [bytes]": 4000, "Reduction operation": 0}', NULL, NULL, NULL`
	bare0  = `NULL, NULL, NULL, NULL`
)

// blob is binary data: the header of four numbers, and values of 64 bits.
func blob(domain, schema uint64, values ...uint64) string {
	var b []byte
	for _, v := range append([]uint64{domain, schema, uint64(8 * len(values)), 32}, values...) {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return "x'" + hex.EncodeToString(b) + "'"
}

func TestMessages(t *testing.T) {
	const allReduce, allGather, sendRecv = 1, 27, 28
	layout := `INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, 9, 0, 0, 18, 'NCCL communicator ID', '', 0, 0), (1, 9, 1, 0, 22, 'Message size [bytes]', '', 0, 8), (1, 9, 1, 0, 22, 'Message size [bytes]', '', 0, 8);`
	for _, tt := range []struct {
		name string
		rows []string
		want string // collective bytes/ranks/sequence of each kernel
	}{
		{"JSON", []string{called(0, 1, 26, init8), called(1400, 1600, 20, size4k), launched(1, allReduce)}, "AllReduce 4000/8/0"},
		{"JSON in StringIds", []string{called(0, 1, 26, init8), called(1400, 1600, 20, "NULL, 30, NULL, NULL"), launched(1, allReduce)}, "AllReduce 4000/8/0"},
		{"without the communicator's creation", []string{called(1400, 1600, 20, size4k), launched(1, allReduce)}, "AllReduce 4000/0/0"},
		{"AllGather counts all ranks", []string{called(0, 1, 26, init8), called(1400, 1600, 21, size4k), launched(1, allGather)}, "AllGather 32000/8/0"},
		{"AllGather of unknown ranks", []string{called(1400, 1600, 21, size4k), launched(1, allGather)}, "AllGather 0/0/0"},
		{"AlltoAll runs as SendRecv", []string{called(0, 1, 26, init8), called(1400, 1600, 29, size4k), launched(1, sendRecv)}, "AllToAll 32000/8/0"},
		{"advanced trace", []string{called(1400, 1600, 25, `'{"commHash": "0xab", "commRank": 1, "count": 1000, "dataType": "ncclFloat32", "seqNumber": 41, "nRanks": 4}', NULL, NULL, NULL`), launched(1, allReduce)}, "AllReduce 4000/4/42"},
		{"advanced trace, type by number, nested", []string{called(1400, 1600, 25, `'{"payload": {"commHash": 171, "count": 1000, "dataType": 9, "seqNumber": 0}}', NULL, NULL, NULL`), launched(1, allReduce)}, "AllReduce 2000/0/1"},
		{"binary", []string{layout, called(0, 1, 26, init8), called(1400, 1600, 20, "NULL, NULL, "+blob(1, 9, 7, 4000)+", NULL"), launched(1, allReduce)}, "AllReduce 4000/8/0"},
		{"binary of another layout", []string{layout, called(1400, 1600, 20, "NULL, NULL, "+blob(1, 8, 7, 4000)+", NULL"), launched(1, allReduce)}, "AllReduce none"},
		{"tables of their own", []string{`CREATE TABLE DYNAMIC_NVTXPAYLOAD_DATATYPE_5_1_9 (eventId, "NCCL communicator ID", "Message size [bytes]");
			INSERT INTO DYNAMIC_NVTXPAYLOAD_DATATYPE_5_1_9 VALUES (77, 7, 4000); INSERT INTO NVTX_EVENTS_PAYLOAD_SCHEMAS VALUES (77, 5, 1, 9);`,
			called(1400, 1600, 20, "NULL, NULL, NULL, 77"), launched(1, allReduce)}, "AllReduce 4000/0/0"},
		{"group of one", []string{called(0, 1, 26, init8), called(1100, 1110, 22, bare0), called(1200, 1300, 20, size4k), called(1400, 1600, 23, bare0), launched(1, allReduce)}, "AllReduce 4000/8/0"},
		{"group of two in two kernels", []string{called(1100, 1110, 22, bare0), called(1200, 1300, 20, size4k), called(1310, 1390, 21, size4k), called(1400, 2600, 23, bare0),
			launched(1, allReduce), launched(2, allGather)}, "AllReduce 4000/0/0, AllGather 0/0/0"},
		{"group of two in one kernel", []string{called(1100, 1110, 22, bare0), called(1200, 1300, 24, size4k), called(1310, 1390, 24, size4k), called(1400, 1600, 23, bare0), launched(1, sendRecv)}, "SendRecv none"},
		{"nested groups", []string{called(1100, 1110, 22, bare0), called(1120, 1130, 22, bare0), called(1200, 1300, 20, size4k), called(1310, 1320, 23, bare0), called(1400, 1600, 23, bare0), launched(1, allReduce)}, "AllReduce 4000/0/0"},
		{"another collective", []string{called(1400, 1600, 21, size4k), launched(1, allReduce)}, "AllReduce none"},
		{"two threads at once", []string{called(1400, 1600, 20, size4k), called(1450, 1700, 20, size4k), launched(1, allReduce)}, "AllReduce none"},
		{"launched elsewhere", []string{called(1000, 1400, 20, size4k), launched(1, allReduce)}, "AllReduce none"},
		{"rubbish", []string{called(1400, 1600, 20, `'{"NCCL communicator ID": {}, "Message size [bytes]": -5', NULL, x'00', NULL`), launched(1, allReduce)}, "AllReduce none"},
		{"sizes that cannot be", []string{called(0, 1, 26, init8), called(1400, 1600, 21, `'{"Message size [bytes]": 9223372036854775807, "No. of ranks": 99999999999}', NULL, NULL, NULL`), launched(1, allGather)}, "AllGather 0/0/0"},
	} {
		x := readSmall(t, append([]string{ncclTables}, tt.rows...)...)
		var got []string
		for i := range x.Device {
			m, text := x.Messages.Of(&x.Device[i]), "none"
			if m != (trace.Message{Coll: m.Coll}) || strings.HasSuffix(tt.want, "0/0/0") {
				text = fmt.Sprintf("%d/%d/%d", m.Bytes, m.Ranks, m.Seq)
			}
			got = append(got, x.Names.Text(m.Coll)+" "+text)
		}
		if all := strings.Join(got, ", "); all != tt.want {
			t.Errorf("%s: got %s want %s", tt.name, all, tt.want)
		}
	}
}

// TestExchange: sends and receives that run as one kernel have a peer if all of them have the same.
func TestExchange(t *testing.T) {
	const send, recv = 24, 31
	peer := func(bytes, peer, comm int) string {
		return fmt.Sprintf(`'{"NCCL communicator ID": %d, "Message size [bytes]": %d, "Peer rank": %d}', NULL, NULL, NULL`, comm, bytes, peer)
	}
	group := func(calls ...string) []string {
		return append(append([]string{ncclTables, called(1100, 1110, 22, bare0)}, calls...), called(1400, 1600, 23, bare0), launched(1, 28))
	}
	const init3 = `'{"NCCL communicator ID": 7, "Rank": 1, "No. of ranks": 3, "CUDA device": 1}', NULL, NULL, NULL`
	toAll := func(peers ...int) (rows []string) {
		for i, p := range peers {
			rows = append(rows, called(1200+20*i, 1205+20*i, send, peer(100*(1+p), p, 7)), called(1210+20*i, 1215+20*i, recv, peer(1000*(1+p), p, 7)))
		}
		return append(rows, called(1400, 1600, 23, bare0), launched(1, 28))
	}
	for _, tt := range []struct {
		name  string
		calls []string
		want  string
	}{
		{"a send and a receive", group(called(1200, 1300, send, peer(4000, 5, 7)), called(1310, 1390, recv, peer(3000, 5, 7))), "4000 bytes with 5, sends true, receives true"},
		{"two sends", group(called(1200, 1300, send, peer(4000, 5, 7)), called(1310, 1390, send, peer(3000, 5, 7))), "7000 bytes with 5, sends true, receives false"},
		{"one receive", group(called(1200, 1300, recv, peer(4000, 5, 7))), "4000 bytes with 5, sends false, receives true"},
		{"two peers", group(called(1200, 1300, send, peer(4000, 5, 7)), called(1310, 1390, recv, peer(3000, 4, 7))), "0 bytes with -1, sends false, receives false"},
		{"two communicators", group(called(1200, 1300, send, peer(4000, 5, 7)), called(1310, 1390, recv, peer(3000, 5, 8))), "0 bytes with -1, sends false, receives false"},
		{"with an all-reduce", group(called(1200, 1300, send, peer(4000, 5, 7)), called(1310, 1390, 20, peer(3000, 5, 7))), "0 bytes with -1, sends false, receives false"},
		{"peers not recorded", group(called(1200, 1300, send, size4k), called(1310, 1390, recv, size4k)), "0 bytes with -1, sends false, receives false"},
		{"all of three ranks", append([]string{ncclTables, called(0, 1, 26, init3), called(1100, 1110, 22, bare0)}, toAll(0, 1, 2)...), "AllToAll of 600 bytes with -1, sends false, receives false, brings 6000"},
		{"both neighbours of three ranks", append([]string{ncclTables, called(0, 1, 26, init3), called(1100, 1110, 22, bare0)}, toAll(0, 2)...), "SendRecv of 0 bytes with -1, sends false, receives false, brings 0"},
	} {
		x := readSmall(t, tt.calls...)
		m := x.Messages.Of(&x.Device[0])
		got := fmt.Sprintf("%s of %d bytes with %d, sends %v, receives %v, brings %d", x.Names.Text(m.Coll), m.Bytes, m.Peer-1, m.Sends, m.Receives, m.Received)
		want := tt.want
		if strings.HasSuffix(want, "true") || strings.HasSuffix(want, "false") {
			want = "SendRecv of " + want + ", brings 0"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", tt.name, got, want)
		}
	}
}

func TestParsePayload(t *testing.T) {
	for _, text := range []string{"", "{}", "[1]", "null", `{"x": 1}`, `{"Rank": 1}`, strings.Repeat("{", 5000), `{"a": {"b": {"c": {"commHash": 1}}}}`} {
		if p, ok := parseJSON(text); ok {
			t.Errorf("%.40q: got %+v want nothing", text, p)
		}
	}
	schemas := map[schemaKey][]layoutField{{1, 2}: {{"x", 15, table.Null}, {"Message size [bytes]", 18, table.Null}, {"?", 99, table.Null}, {"Peer", 15, table.Null}}}
	data := make([]byte, 32+16)
	binary.LittleEndian.PutUint64(data, 1)
	binary.LittleEndian.PutUint64(data[8:], 2)
	binary.LittleEndian.PutUint64(data[16:], 16)
	binary.LittleEndian.PutUint64(data[40:], 123) // aligned to 8 behind an int
	if p, ok := parseBinary(string(data), schemas); !ok || p.bytes != 123 || p.peer != table.Null {
		t.Errorf("aligned: got %+v %v want 123 bytes", p, ok)
	}
	for i := range data {
		parseBinary(string(data[:i]), schemas)
	}
}

// TestScanPayload: what is read where it stands is what the decoder reads, and what
// exporters write is read so.
func TestScanPayload(t *testing.T) {
	for text, plain := range map[string]bool{
		`{"NCCL communicator ID":18446744073709551615,"Message size [bytes]":99,"Reduction operation":"Sum"}`: true,
		" {\n\t\"Rank\" : 3 , \"No. of ranks\": 8 }":                                                          true, `{"commHash": "0xab", "dataType": "9", "count": -1} x`: true,
		`{}`: false, `{"Rank": 03}`: false, `{"Rank": 3.0}`: false, `{"Rank": 3,}`: false, `{"Rank": 3`: false, `{"Rank": true}`: false,
		`{"R\u0061nk": 3}`: false, `{"Rank": 1, "rank": 2}`: false, `{"comm": "é"}`: false, `{"a": {"Rank": 1}}`: false, `{"Rank" 3}`: false,
	} {
		if got := scannedLikeDecoder(t, text); got != plain {
			t.Errorf("%q: got %v, want %v", text, got, plain)
		}
	}
}

// scannedLikeDecoder reports whether a payload is read where it stands.
func scannedLikeDecoder(t *testing.T, text string) bool {
	t.Helper()
	got := newPayload()
	if !scanJSON(&got, text) {
		return false
	}
	if want, _ := decodeJSON(text); got != want {
		t.Errorf("%q: got %+v, want %+v", text, got, want)
	}
	return true
}

func FuzzPayload(f *testing.F) {
	f.Add(`{"NCCL communicator ID": 7, "Message size [bytes]": 4000}`, int64(18), int64(8))
	f.Add(strings.Repeat("\x01", 64), int64(5), int64(table.Null))
	f.Fuzz(func(t *testing.T, text string, kind, offset int64) {
		parseJSON(text)
		scannedLikeDecoder(t, text)
		layout := []layoutField{{"Rank", kind, offset}, {"Message size [bytes]", 22, table.Null}}
		parseBinary(text, map[schemaKey][]layoutField{{0, 0}: layout, {1, 1}: layout, {0x0101010101010101, 0x0101010101010101}: layout})
	})
}

func TestMPI(t *testing.T) {
	tables := `CREATE TABLE MPI_P2P_EVENTS (start, end, globalTid, textId, size); CREATE TABLE MPI_COLLECTIVES_EVENTS (start, end, globalTid, textId);
		CREATE TABLE UCP_PROGRESS_EVENTS (start, end, globalTid, textId); INSERT INTO StringIds VALUES (40, 'MPI_Send'), (41, 'MPI_Allreduce'), (42, 'ucp_worker_progress');
		INSERT INTO MPI_P2P_EVENTS VALUES (300, 400, $T, 40, 8), (500, NULL, $T, 40, 8), (310, 320, $U, 40, 8);
		INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (100, 200, $T, 41); INSERT INTO UCP_PROGRESS_EVENTS VALUES (150, 160, $T, 42);`
	x := readSmall(t, nsystest.KernelRow, tables)
	var got []string
	for _, c := range x.MPI {
		got = append(got, fmt.Sprintf("%s %d-%d", x.Names.Text(x.Names.Caller(c).Name), c.Start, c.End()))
	}
	if want := []string{"MPI_Allreduce 100-200", "ucp_worker_progress 150-160", "MPI_Send 300-400"}; !slices.Equal(got, want) || !x.Recorded.Has(trace.HasMPI) {
		t.Errorf("got %v want %v", got, want)
	}
	x = readSmall(t, nsystest.KernelRow, `INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'MPI', NULL, 3, $T, NULL), (20, 30, 59, 'MPI_Barrier', NULL, 3, $T, NULL), (20, 30, 59, 'MPI_Barrier', NULL, 4, $T, NULL)`)
	if len(x.MPI) != 1 || x.MPI[0].Start != 20 {
		t.Errorf("ranges of domain MPI: got %v want one", x.MPI)
	}
	if x := readSmall(t, nsystest.KernelRow); x.Recorded.Has(trace.HasMPI) {
		t.Error("no call of MPI is taken for none recorded")
	}
}

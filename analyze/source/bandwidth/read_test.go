package bandwidth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

const inspectorLog = `{"header":{"id":"0x7f8c","rank":2,"n_ranks":8,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.0","git_rev":"","rec_mechanism":"nccl_profiler_interface","dump_timestamp_us":1748030377748202,"hostname":"node1","pid":1639453},"coll_perf":{"coll":"AllReduce","coll_sn":1407,"coll_msg_size_bytes":17179869184,"coll_exec_time_us":61974,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":277.210914,"coll_busbw_gbs":485.119099}}
{"dump_stats":{"records":1}}
{"coll_perf":{"coll":"ReduceScatter","coll_sn":1408,"coll_msg_size_bytes":4096,"coll_exec_time_us":12.5,"coll_algobw_gbs":1,"coll_busbw_gbs":0.875}}
{"p2p_perf":{"p2p":"Send"}}
{"coll_perf":{"coll":"AllReduce","coll_sn":1409,"coll_exec_time_us":12.5,"coll_algobw_gbs":1,"coll_busbw_gbs":0.875}}
{"coll_perf":{"coll":"AllReduce","coll_sn":14`

const testsLog = `# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 16777216 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid   4711 on    node1 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   4712 on    node1 device  1 [0000:2b:00] NVIDIA H100 80GB HBM3
node1:4711:4711 [0] NCCL INFO Bootstrap: Using eth0
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
           8             2     float     sum      -1    24.23    0.00    0.00       0    23.80    0.00    0.00     N/A
    16777216       4194304     float     sum      -1   200.00   83.89   83.89       0   100.00  167.77  167.77       0
    33554432       8388608     float     sum      -1   nonsense
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 83.9
`

func told(log Log) string {
	var all []string
	for _, c := range log.Calls {
		all = append(all, fmt.Sprintf("%s %d B, rank %d of %d: %.6g s, %.4g and %.4g B/s, in place %v", c.Collective, c.Bytes, c.Rank, c.Ranks, c.Time, c.Algorithm, c.Bus, c.InPlace))
	}
	return strings.Join(all, "\n")
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		text   string
		tool   Tool
		unread int
		want   string
	}{
		{inspectorLog, Inspector, 2, `AllReduce 17179869184 B, rank 2 of 8: 0.061974 s, 2.772e+11 and 4.851e+11 B/s, in place false
ReduceScatter 4096 B, rank 2 of 8: 1.25e-05 s, 1e+09 and 8.75e+08 B/s, in place false`},
		{testsLog, Tests, 1, `AllReduce 8 B, rank -1 of 2: 2.423e-05 s, 0 and 0 B/s, in place false
AllReduce 8 B, rank -1 of 2: 2.38e-05 s, 0 and 0 B/s, in place true
AllReduce 16777216 B, rank -1 of 2: 0.0002 s, 8.389e+10 and 8.389e+10 B/s, in place false
AllReduce 16777216 B, rank -1 of 2: 0.0001 s, 1.678e+11 and 1.678e+11 B/s, in place true`},
		{marked("[1,0]<stdout>:", testsLog), Tests, 1, `AllReduce 8 B, rank -1 of 2: 2.423e-05 s`},
		{marked("[prterun-node1-4711@1,0]<stdout>: ", testsLog), Tests, 1, `AllReduce 8 B, rank -1 of 2`},
		{marked(" 0: ", testsLog), Tests, 1, `AllReduce 8 B, rank -1 of 2`},
		{marked("1: ", inspectorLog), Inspector, 2, `AllReduce 17179869184 B, rank 2 of 8`},
		{strings.Replace(testsLog, "# Collective test starting: all_reduce_perf\n", "", 1), Tests, 1, ` 8 B, rank -1 of 2`},
	} {
		log, err := Read(context.Background(), strings.NewReader(tt.text))
		if err != nil || log.Tool != tt.tool || log.Unread != tt.unread {
			t.Errorf("got %s with %d lines unread and error %v, want %s with %d", log.Tool, log.Unread, err, tt.tool, tt.unread)
		}
		if got := told(log); !strings.HasPrefix(got, tt.want) {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
}

// marked is a text as a launcher prints it that marks each line with the rank.
func marked(mark, text string) string {
	return mark + strings.Join(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"), mark) + "\n"
}

// TestTwoTables: of two ranks that print a table each, line by line in turn, each line is read by the columns of its
// own.
func TestTwoTables(t *testing.T) {
	short := "# size time algbw busbw\n 8 10.0 1.0 2.0\n"
	var both strings.Builder
	for i, line := range strings.Split(marked("0: ", testsLog), "\n") {
		both.WriteString(line + "\n")
		if other := strings.Split(marked("1: ", short), "\n"); i < len(other) {
			both.WriteString(other[i] + "\n")
		}
	}
	log, err := Read(context.Background(), strings.NewReader(both.String()))
	if err != nil || len(log.Calls) != 5 || log.Unread != 1 {
		t.Errorf("got %d calls, %d lines unread and error %v, want 5 and 1:\n%s", len(log.Calls), log.Unread, err, told(log))
	}
}

// TestTrace: the calls of a log under the names by which they are compared.
func TestTrace(t *testing.T) {
	for _, tt := range []struct{ text, want, id string }{
		{inspectorLog, "AllReduce 16 GiB, 8 ranks: 17179869184 B, 61974000 ns|ReduceScatter 4 KiB, 8 ranks: 4096 B, 12500 ns", "{2 NCCL communicator 8  0 -1 }"},
		{testsLog, "AllReduce 8 B, 2 ranks: 8 B, 24230 ns|AllReduce 8 B in place, 2 ranks: 8 B, 23800 ns|AllReduce 16 MiB, 2 ranks: 16777216 B, 200000 ns|AllReduce 16 MiB in place, 2 ranks: 16777216 B, 100000 ns", "{-1  0  0 -1 }"},
	} {
		path := filepath.Join(t.TempDir(), "a.log")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		read := int64(0)
		traces, err := ReadTraces(context.Background(), path, &trace.Options{Progress: func(n int64) { read += n }})
		if err != nil || len(traces) != 1 || read != int64(len(tt.text)) {
			t.Fatalf("got %d traces of %d bytes and error %v", len(traces), read, err)
		}
		var got []string
		for _, x := range traces[0].Timed {
			got = append(got, fmt.Sprintf("%s: %d B, %d ns", traces[0].Names.Text(x.Name), x.Bytes, x.Duration))
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("got %s want %s", strings.Join(got, "|"), tt.want)
		}
		id := traces[0].Identity
		if id.Host = ""; fmt.Sprint(id) != tt.id || !strings.Contains(fmt.Sprint(traces[0].Warnings), "lines were left out") {
			t.Errorf("got identity %v and warnings %v, want %s", id, traces[0].Warnings, tt.id)
		}
	}
}

func TestRefused(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	for _, tt := range []struct {
		ctx        context.Context
		text, want string
	}{
		{context.Background(), "", "no log of NCCL Inspector"},
		{context.Background(), "size busbw\n", "no log of NCCL Inspector"},
		{context.Background(), "# size time algbw busbw\n", "of nccl-tests, and no collective in it can be read"},
		{context.Background(), `{"coll_perf":{}}`, "of NCCL Inspector, and no collective in it can be read"},
		{context.Background(), inspectorLog + strings.Repeat("x", 2*maxLine), "token too long"},
		{ended, inspectorLog, "canceled"},
	} {
		if _, err := Read(tt.ctx, strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.30q: got %v want %q", tt.text, err, tt.want)
		}
	}
	if _, err := Read(context.Background(), strings.NewReader("x")); !errors.Is(err, errNone) {
		t.Errorf("got %v", err)
	}
}

// FuzzRead reads any text.
func FuzzRead(f *testing.F) {
	f.Add(inspectorLog)
	f.Add(testsLog)
	f.Fuzz(func(t *testing.T, text string) {
		log, err := Read(context.Background(), strings.NewReader(text))
		for _, c := range log.Calls {
			if err != nil || c.Bytes < 0 || !(c.Time >= 0) || !(c.Bus >= 0) {
				t.Fatalf("got %+v and error %v", c, err)
			}
		}
	})
}

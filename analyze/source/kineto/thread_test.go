package kineto

import (
	"maps"
	"strings"
	"testing"
)

// TestThreadNames: threads of a process have the names that metadata gives them, wherever in the
// file those stand; numbers are no names.
func TestThreadNames(t *testing.T) {
	const work = `{"ph":"X","cat":"user_annotation","name":"step","pid":9,"tid":9,"ts":90,"dur":200},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":108,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":120,"dur":9,"args":{"device":0,"stream":7,"correlation":1}}`
	const names = `{"name":"process_name","ph":"M","ts":1,"pid":9,"tid":0,"args":{"name":"python"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":"9","args":{"name":"thread 9 (pt_main_thread)"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":10,"args":{"name":"loader \u0033\n"}},
{"ph":"M","args":{"name":"after all"},"pid":9,"tid":11,"name":"thread_name"},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":16,"args":{"name":"C:\\new"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":12,"args":{"name":"thread 12 ()"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":13,"args":{"name":"stream 13 "}},
{"name":"thread_name","ph":"M","ts":1,"pid":8,"tid":9,"args":{"name":"of another process"}},
{"name":"thread_name","ph":"M","ts":1,"pid":"x","tid":9,"args":{"name":"of none"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":14,"args":{"labels":"none"}},
{"name":"thread_name","ph":"M","ts":1,"pid":9,"tid":15}`
	want := map[int32]string{9: "pt_main_thread", 10: "loader 3", 11: "after all", 16: `C:\new`}
	for _, text := range []string{names + "," + work, work + "," + names} {
		ts := mustRead(t, "["+text+"]")
		if len(ts) != 1 || !maps.Equal(ts[0].Threads, want) {
			t.Errorf("got %d traces, with the names %v, want %v", len(ts), ts[0].Threads, want)
		}
		if len(ts[0].Device) != 1 || len(ts[0].Ranges) != 1 || len(ts[0].Warnings) != 0 {
			t.Errorf("got %d spans and %d ranges, and the warnings %v", len(ts[0].Device), len(ts[0].Ranges), ts[0].Warnings)
		}
	}
	if ts := mustRead(t, "["+strings.ReplaceAll(names, "thread_name", "thread_labels")+","+work+"]"); ts[0].Threads != nil {
		t.Errorf("of other metadata: got %v", ts[0].Threads)
	}
}

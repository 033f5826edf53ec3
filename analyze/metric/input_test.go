package metric

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestInput: waiting for input is one thing to the metric and to the cause of idle time,
// and absent where nothing in the capture would show it. The gap is all of the device's
// idle time and lasts 1,000 us.
func TestInput(t *testing.T) {
	launches := func(from, to, every int64) (out []doing) {
		for at := from; at < to; at += every {
			out = append(out, doing{"worker api cudaLaunchKernel", at, at + 5})
		}
		return out
	}
	for _, tt := range []struct {
		name string
		did  []doing
		want string // of the metric and of the cause, us; "–" absent
	}{
		{"nothing recorded", nil, "– –"},
		{"waits, and nobody reads", []doing{{"os sem_wait", 0, 1000}, {"helper os poll", 100, 800}}, "– –"},
		{"reads before the training", []doing{{"os getpid", 0, 10}, {"os read", -900, -800}}, "– –"},
		{"another thread's range", []doing{{"worker range enumerate(DataLoader)#__next__", 0, 500}}, "– –"},
		{"reads that nobody waits for", []doing{{"os getpid", 0, 10}, {"worker os pread64", 100, 800}}, "0 0"},
		{"a range that is short", []doing{{"range enumerate(DataLoader)#__next__", -600, -590}}, "10 0"},
		{"a blocking read", []doing{{"os read", -100, 400}}, "500 400"},
		{"a queue that workers fill", []doing{{"os pthread_cond_wait", -50, 1000}, {"worker os pread64", -100, 800}, {"api cudaStreamSynchronize", 0, 300}}, "550 500"},
		{"a queue that worker processes fill", []doing{{"os poll", 0, 1000}, {"helper os read", 100, 500}, {"helper os pread64", 450, 800}}, "700 700"},
		{"a range around such a queue", []doing{{"range get_batch", 0, 900}, {"os poll", 10, 890}, {"helper os read", 0, 1000}}, "900 900"},
		{"another thread launches all the time", append(launches(40, 960, 20), doing{"os pthread_cond_wait", 0, 1000}, doing{"helper os read", 0, 1000}), "95 95"},
		{"another thread launches once", append(launches(400, 401, 1), doing{"os pthread_cond_wait", 0, 1000}, doing{"helper os read", 0, 1000}), "995 995"},
	} {
		r := Prepare(gapTrace(-999, tt.did), 1)
		series := r.Measure([]trace.Step{{Number: 7, Start: 0, End: micros(2000), HostStart: 0, HostEnd: micros(2000)}})
		value := func(k run.Key) string {
			for _, s := range series {
				if s.Key == k {
					return fmt.Sprintf("%.0f", s.Values[0]*1e6)
				}
			}
			return "–"
		}
		got := value(run.Key{Metric: "input_wait_time"}) + " " + value(run.Key{Metric: "idle_time", Part: "input"})
		if got != tt.want {
			t.Errorf("%s: got %s us, want %s", tt.name, got, tt.want)
		}
		if got := value(run.Key{Metric: "exposed_comm_time"}); got != "–" {
			t.Errorf("%s: got %s us of exposed communication, of which there is none to expose", tt.name, got)
		}
	}
}

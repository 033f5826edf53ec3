package idle

import (
	"fmt"
	"testing"
)

// TestInput: waiting for input is one thing by itself and as the cause of idle time,
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
		want string // in all and as the cause, us; "–" absent
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
		p, w := walked(gapTrace(-999, tt.did), 1)
		got := "– –"
		if p.InputKnown && w.KnownCauses()[causeInput] {
			got = fmt.Sprintf("%d %d", p.Input.Clip(nil, 0, micros(2000)).Total()/1000, w.StepSums[0].ByCause[causeInput]/1000)
		} else if p.InputKnown || w.KnownCauses()[causeInput] || w.StepSums[0].ByCause[causeInput] > 0 {
			t.Errorf("%s: one of input wait and its cause is known", tt.name)
		}
		if got != tt.want {
			t.Errorf("%s: got %s us, want %s", tt.name, got, tt.want)
		}
	}
}

func TestInputRanges(t *testing.T) {
	for name, want := range map[string]bool{
		"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__": true,
		"DataLoader.__next__": true, "next batch": true, "fetch_data": true, "data loading": true,
		"dali: pipeline run": true, "wait for data": true, "read": true, "load_batch": true,
		"forward": false, "aten::read": false, "backward": false, "step 3": false, "thread": false,
	} {
		if got := inputRange.MatchString(name); got != want {
			t.Errorf("input range %q: got %v, want %v", name, got, want)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// Two sides that were not recorded alike, or not whole, are told apart by that before anything is
// compared: no build fails or passes by it.

// unlikePairs are stories whose candidates are edited, with what is told of them.
var unlikePairs = []struct {
	name, story string
	format      synth.Format
	edit        func(recorded) error
	flags       []string
	status      int
	says, never string // in the text
}{
	{"slower, and alike", "slow-kernel", synth.Nsight, nil, nil, statusRegressed, "SLOWER", "Look first"},
	{"slower, on hosts that nothing names", "slow-kernel", synth.Kineto, nil, nil, statusRegressed, "SLOWER", "Look first"},
	{"other hosts", "lost-overlap", synth.Nsight, onOtherHosts, nil, statusNotJudged, "but the sides ran on different nodes.", "PASSED"},
	{"other hosts, escalated", "lost-overlap", synth.Nsight, onOtherHosts, []string{"--escalate"}, statusMoreRuns, "Run both sides on the same nodes", "three per side"},
	{"other hosts, forced", "lost-overlap", synth.Nsight, onOtherHosts, []string{"--force"}, statusRegressed, "Look first: Hosts: node0009, in the baseline node0001", ""},
	{"another highest clock", "slow-kernel", synth.Nsight, statements("update TARGET_INFO_GPU set clockRate = 1410000000"), nil, statusNotJudged,
		"GPU max clock: 1 410 MHz, in the baseline 1 980 MHz", ""},
	{"half of the SMs", "slow-kernel", synth.Nsight, statements("update TARGET_INFO_GPU set smCount = 66"), nil, statusNotJudged, "NOT COMPARABLE", "Pin the host memory"},
	{"stacks, shapes and memory", "slow-kernel", synth.Kineto, withOptions, nil, statusNotJudged,
		"Look first: Recorded: profile_memory, record_shapes, with_stack, in the baseline no options", ""},
	{"the same, forced", "slow-kernel", synth.Kineto, withOptions, []string{"--force"}, statusRegressed, "but the sides were recorded differently.", ""},
	{"half of the SMs of a trace", "slow-kernel", synth.Kineto, withHeader("deviceProperties", `"numSms":132`, `"numSms":66`), nil, statusNotJudged, "NOT COMPARABLE", ""},

	{"lost with their launches", "aa", synth.Nsight, lostRows, nil, statusNotJudged, "the candidate was recorded without exposed communication, overlap of communication, idle time, the imbalance of ranks", "less often"},
	{"lost kernels", "aa", synth.Nsight, statements("delete from CUPTI_ACTIVITY_KIND_KERNEL where rowid%20=3"), nil, statusNotJudged, "the candidate was recorded without", "PASSED"},
	{"the same, allowed", "aa", synth.Nsight, statements("delete from CUPTI_ACTIVITY_KIND_KERNEL where rowid%20=3"), []string{"--allow", "no-metric"}, statusOK, "PASSED", "without exposed"},
	{"lost at random", "aa", synth.Kineto, lostAtRandom(.3), nil, statusNotJudged, "each step of the other side launches 34", "regressed"},
	{"few lost at random", "aa", synth.Kineto, lostAtRandom(.05), nil, statusNotJudged, "each step of the other side launches 34", "regressed"},
	{"no communication", "aa", synth.Kineto, func(r recorded) error { return r.(*traced).drop(event.isComm) }, nil, statusNotJudged, "the candidate was recorded without", "PASSED"},
	{"profilers that stopped", "aa", synth.Kineto, stoppedEarly(), nil, statusNotJudged, "of 100 ranks × steps of the candidate are missing", "4 ranks ×"},
	{"profilers that stopped, allowed", "aa", synth.Kineto, stoppedEarly(), []string{"--allow", "missing-rank"}, statusOK, "ranks 0-2 of the candidate hold", "4 ranks ×"},
	{"an accelerator that is not read", "aa", synth.Kineto, renamedCategory("kernel", "mtia_ccp_events"), nil, statusNotJudged, "of a kind that is not read (mtia_ccp_events)", "only the host was recorded"},
}

func onOtherHosts(r recorded) error {
	return r.(*exported).run("update TARGET_INFO_SYSTEM_ENV set value = 'node0009' where name = 'Hostname'")
}

// lostRows takes every twelfth kernel of a stream away, and its launch.
func lostRows(r recorded) error {
	return r.(*exported).run(
		"delete from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId in (select correlationId from CUPTI_ACTIVITY_KIND_KERNEL where rowid%12=3 and streamId=7)",
		"delete from CUPTI_ACTIVITY_KIND_KERNEL where rowid%12=3 and streamId=7")
}

// lostAtRandom takes a share of the kernels away, and their launches.
func lostAtRandom(share float64) func(recorded) error {
	return func(r recorded) error {
		t, random, gone := r.(*traced), rand.New(rand.NewPCG(5, 6)), map[float64]bool{}
		for _, e := range t.events {
			if e.text("cat") == "kernel" && random.Float64() < share {
				gone[numeric(e.args()["correlation"])] = true
			}
		}
		return t.drop(func(e event) bool {
			cat := e.text("cat")
			return (cat == "kernel" || cat == "cuda_runtime") && gone[numeric(e.args()["correlation"])]
		})
	}
}

// stoppedEarly lets all ranks but the last record six steps alone.
func stoppedEarly() func(recorded) error {
	return func(r recorded) error {
		t, end, rank := r.(*traced), 0.0, 0
		for _, e := range t.events {
			if e.text("name") == "ProfilerStep#6" && e.text("cat") == "user_annotation" {
				end = e.start()
			}
		}
		var info struct{ Rank int }
		if err := json.Unmarshal(t.doc["distributedInfo"], &info); err != nil {
			return err
		}
		if rank = info.Rank; rank == 3 {
			return nil
		}
		return t.drop(func(e event) bool { return e.text("ph") == "X" && e.start() >= end })
	}
}

// withOptions records as with all options of PyTorch's profiler.
func withOptions(r recorded) error {
	for _, key := range []string{"with_stack", "record_shapes", "profile_memory"} {
		r.(*traced).doc[key] = json.RawMessage("1")
	}
	return nil
}

// withHeader replaces a text in a member of a trace's header.
func withHeader(key, old, now string) func(recorded) error {
	return func(r recorded) error {
		t := r.(*traced)
		var compact bytes.Buffer
		err := json.Compact(&compact, t.doc[key])
		t.doc[key] = bytes.ReplaceAll(compact.Bytes(), []byte(old), []byte(now))
		return err
	}
}

// renamedCategory gives the events of a category another one.
func renamedCategory(old, now string) func(recorded) error {
	return func(r recorded) error {
		for _, e := range r.(*traced).events {
			if e.text("cat") == old {
				e["cat"] = now
			}
		}
		return nil
	}
}

// TestAlike: what sides were recorded with, what they ran on and what is lost of them is looked at
// before anything is compared, and is said above all numbers.
func TestAlike(t *testing.T) {
	for _, x := range unlikePairs {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, x.story, x.format)
			if x.edit != nil {
				openSide(t, dir+"/candidate", 4).each(t, x.edit)
			}
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), append([]string{dir + "/baseline", dir + "/candidate"}, x.flags...), &stdout, &stderr)
			if status != x.status {
				t.Errorf("exit %d, want %d", status, x.status)
			}
			text := strings.Join(strings.Fields(stdout.String()), " ") // as if in one line
			if says := strings.Join(strings.Fields(x.says), " "); !strings.Contains(text, says) || x.never != "" && strings.Contains(text, x.never) {
				t.Errorf("want %q and never %q in\n%s%s", x.says, x.never, stdout.String(), stderr.String())
			}
		})
	}
}

// TestMixedMachine: two profilers on one machine tell of the same driver and the same GPU.
func TestMixedMachine(t *testing.T) {
	nsight, pytorch := writeStory(t, "aa", synth.Nsight), writeStory(t, "aa", synth.Kineto)
	told := compareInAllForms(t, nsight+"/baseline", pytorch+"/candidate")
	for _, never := range []string{"Driver:", "CUDA:", "GPU SMs:"} {
		if strings.Contains(told.text, never) {
			t.Errorf("%s differs in %s", never, told.text)
		}
	}
	if told.status == statusRegressed {
		t.Errorf("exit %d: %s", told.status, told.text)
	}
}

package kineto

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// hundredLaunches is a trace of a hundred launches of kernels and ten copies, with ranges.
func hundredLaunches(edit func(i int, kernel string) string) string {
	var list []string
	for i := 1; i <= 100; i++ {
		list = append(list, fmt.Sprintf(`{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":%d,"dur":2,"args":{"correlation":%d}}`, 100*i, i),
			edit(i, fmt.Sprintf(`{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%d,"dur":50,"args":{"device":0,"stream":7,"correlation":%d}}`, 100*i+10, i)))
		if i%10 == 0 {
			list = append(list, fmt.Sprintf(`{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":9,"tid":9,"ts":%d,"dur":2,"args":{"correlation":%d}}`, 100*i+3, 1000+i),
				fmt.Sprintf(`{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":%d,"dur":5,"args":{"device":0,"stream":7,"correlation":%d}}`, 100*i+70, 1000+i),
				fmt.Sprintf(`{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":9,"tid":9,"ts":%d,"dur":900}`, i, 100*i))
		}
	}
	list = withoutEmpty(list)
	return `{"schemaVersion":1,"traceEvents":[` + strings.Join(list, ",\n") + `]}`
}

func withoutEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestLosses: events whose times say nothing, and work that is gone, are said, and lost
// beyond a share.
func TestLosses(t *testing.T) {
	replace := func(some func(i int) bool, old, new string) func(int, string) string {
		return func(i int, kernel string) string {
			if some(i) {
				return strings.Replace(kernel, old, new, 1)
			}
			return kernel
		}
	}
	of := func(which ...int) func(int) bool {
		return func(i int) bool {
			for _, n := range which {
				if n == i {
					return true
				}
			}
			return false
		}
	}
	all, even := func(int) bool { return true }, func(i int) bool { return i%2 == 0 }
	gone := func(some func(i int) bool) func(int, string) string {
		return func(i int, kernel string) string {
			if some(i) {
				return ""
			}
			return kernel
		}
	}
	as := func(dur string) func(int, string) string { return replace(even, `"dur":50`, `"dur":`+dur) }
	for _, x := range []struct {
		name string
		edit func(int, string) string
		lost trace.Content
		says string
	}{
		{"nothing", replace(of(), "", ""), 0, ""},
		{"text", as(`"500us"`), trace.Kernels, "durations of kernels: dur of 50 in 100 is missing, no number or negative"},
		{"a number as text", as(`"50"`), 0, ""},
		{"NaN", as("NaN"), trace.Kernels, "durations of kernels: dur of 50 in 100"},
		{"null", as("null"), trace.Kernels, "durations of kernels: dur of 50 in 100"},
		{"negative", as("-3"), trace.Kernels, "durations of kernels: dur of 50 in 100"},
		{"hexadecimal", as("0x1F4"), trace.Kernels, "durations of kernels: dur of 50 in 100"},
		{"none", replace(even, `,"dur":50`, ""), trace.Kernels, "durations of kernels: dur of 50 in 100"},
		{"zero", as("0"), 0, ""},
		{"two of a hundred", replace(of(5, 50), `,"dur":50`, ""), 0, "durations of kernels: dur of 2 in 100"},
		{"three of a hundred", replace(of(5, 50, 60), `,"dur":50`, ""), trace.Kernels, "durations of kernels: dur of 3 in 100"},
		{"all of one name", replace(of(5), `"name":"gemm","pid":0,"tid":7,"ts":510,"dur":50`, `"name":"attention","pid":0,"tid":7,"ts":510`), trace.Kernels, "durations of kernels: dur of 1 in 100"},
		{"one over others", replace(of(5), `"dur":50`, `"dur":5000`), trace.Kernels, "times of kernels that can be: 1 of 100 last longer"},
		{"no start", replace(even, `"ts"`, `"when"`), trace.Kernels, "50 events were dropped: ts is missing"},
		{"no kernels", gone(all), trace.Kernels | trace.Kinds, "no event has the category kernel"},
		{"every second kernel gone", gone(even), trace.Kernels, "a kernel for each launch: 50 of 100 have none"},
		{"behind the last", gone(func(i int) bool { return i > 90 }), trace.Kernels, "a kernel for each launch: 10 of 100 have none"},
		{"no names", replace(even, `"name":"gemm",`, ""), trace.Kinds, "names of kernels: 50 of 100 have none"},
		{"unlinked", replace(even, `,"correlation":`, `,"other":`), trace.Calls, "the calls that launch: 50 of 110"},
		{"another category", replace(all, `"cat":"kernel"`, `"cat":"Kernel"`), 0, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			tr := mustRead(t, hundredLaunches(x.edit))[0]
			if got := tr.Incomplete(); got != x.lost {
				t.Errorf("lost: got %b want %b: %v", got, x.lost, tr.Losses)
			}
			if text := fmt.Sprint(tr.Warnings); x.says == "" && len(tr.Warnings) > 0 || !strings.Contains(text, x.says) {
				t.Errorf("got warnings %s, want %q", text, x.says)
			}
		})
	}
}

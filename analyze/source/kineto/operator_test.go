package kineto

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// operatorEvents are one thread's operators, in the order of their starts: a stretch of
// the program's own with two operators, of which the first calls others.
var operatorEvents = []string{
	`{"ph":"X","cat":"cpu_op","name":"forward","pid":9,"tid":9,"ts":100,"dur":100}`,
	`{"ph":"X","cat":"python_function","name":"nn.Module: Net_0","pid":9,"tid":9,"ts":101,"dur":90,"args":{"Python id":1}}`,
	`{"ph":"X","cat":"python_function","name":"nn.Module: Conv2d_0","pid":9,"tid":9,"ts":102,"dur":30}`,
	`{"ph":"X","cat":"python_function","name":"net.py(3): forward","pid":9,"tid":9,"ts":102,"dur":30}`,
	`{"ph":"X","cat":"python_function","name":"/home/x/net.py(30): \u0066it","pid":9,"tid":9,"ts":90,"dur":300}`,
	`{"ph":"X","cat":"python_function","name":"torch/nn/modules/module.py(1779): _call_impl","pid":9,"tid":9,"ts":90,"dur":290.5}`,
	`{"dur":100.000,"args":{"a":"}"},"name":"<built-in method run of type object at 0x7f>","tid":9,"ts":95,"pid":9,"cat":"python_function","ph":"X"}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":9,"tid":9,"ts":103,"dur":20}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::convolution","pid":9,"tid":9,"ts":103,"dur":20}`,
	`{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":9,"tid":9,"ts":104,"dur":2}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::empty","pid":9,"tid":9,"ts":107,"dur":3}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::relu_","pid":9,"tid":9,"ts":150,"dur":5}`,
	`{"ph":"X","cat":"cpu_op","name":"MeanBackward0","pid":9,"tid":10,"ts":104,"dur":5}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::mul","pid":9,"tid":10,"ts":105,"dur":2}`,
	`{"ph":"X","cat":"cpu_op","name":"step","pid":9,"tid":9,"ts":90,"dur":200}`, // reported twice
	`{"ph":"X","cat":"cpu_op","name":"aten::add","pid":7,"tid":9,"ts":10,"dur":5000}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":9,"ts":"x","dur":5}`,
}

const operatorRest = `{"ph":"X","cat":"user_annotation","name":"step","pid":9,"tid":9,"ts":90,"dur":200},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":108,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":120,"dur":9,"args":{"device":0,"stream":7,"correlation":1}}`

// TestOperators: the outermost operators are kept in whatever order they come, beside the
// ranges and without a trace in anything else.
func TestOperators(t *testing.T) {
	const want = `100-200 forward 9, 101-191 nn.Module: Net_0 9, 102-132 nn.Module: Conv2d_0 9, 103-123 aten::conv2d 9, 104-109 MeanBackward0 10, 150-155 aten::relu_ 9`
	plain := mustRead(t, "["+operatorRest+"]")
	for turn := range 2 * len(operatorEvents) {
		events := slices.Concat(operatorEvents[turn%len(operatorEvents):], operatorEvents[:turn%len(operatorEvents)])
		if turn >= len(operatorEvents) { // as profilers of 2021 wrote them
			slices.Reverse(events)
		}
		ts := mustRead(t, "["+strings.Join(events, ",\n")+",\n"+operatorRest+"]")
		if len(ts) != 1 {
			t.Fatalf("turn %d: got %d traces", turn, len(ts))
		}
		var got []string
		for _, r := range ts[0].Ops {
			got = append(got, fmt.Sprintf("%d-%d %s %d", r.Start/1000, r.End/1000, ts[0].Names.Text(r.Name), r.Thread))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("turn %d: got  %s\nwant %s", turn, s, want)
		}
		got = nil
		for _, r := range ts[0].Functions {
			got = append(got, fmt.Sprintf("%d-%d %s %d", r.Start/1000, r.End/1000, ts[0].Names.Text(r.Name), r.Thread))
		}
		if s, want := strings.Join(got, ", "), "90-390 fit (net.py) 9, 95-195 run (built-in) 9"; s != want {
			t.Errorf("turn %d: got functions %s, want %s", turn, s, want)
		}
		if describe(ts) != describe(plain) || ts[0].Recorded != plain[0].Recorded|trace.HasOperators|trace.HasFunctions {
			t.Errorf("turn %d: operators change\n%sto\n%s", turn, describe(plain), describe(ts))
		}
	}
}

// TestOperatorsAreThoseOfEncodingJSON compares the operators of real traces to those
// that are in no other one of their thread, and to all modules.
func TestOperatorsAreThoseOfEncodingJSON(t *testing.T) {
	for _, path := range realFiles(t, "*/*.json.gz") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text := inflate(t, path)
			if testing.Short() && len(text) > 4<<20 {
				t.Skip("large")
			}
			rows, ok := expected(text)
			if !ok {
				t.Fatal("encoding/json does not read this file")
			}
			kept, all := 0, 0
			for _, x := range mustRead(t, string(text)) {
				if !slices.IsSortedFunc(x.Ops, func(a, b trace.Range) int { return int(a.Start - b.Start) }) {
					t.Error("operators are not in order")
				}
				want, n := expectedOps(rows, x)
				if kept, all = kept+len(x.Ops), all+n; len(x.Ops) != len(want) {
					t.Fatalf("process %d: got %d operators, want %d of %d", x.Identity.Process, len(x.Ops), len(want), n)
				}
				for i, r := range x.Ops {
					if got := fmt.Sprintf("%d %d %s %d", r.Start, r.End, x.Names.Text(r.Name), r.Thread); !want[got] {
						t.Fatalf("operator %d: got %s", i, got)
					}
				}
			}
			t.Logf("%d of %d operators", kept, all)
		})
	}
}

// expectedOps are the modules of a trace's process and the operators that no other one
// holds, and how many it has in all. It looks 3,000 operators back, which is more than one calls.
func expectedOps(rows []row, x *trace.Trace) (out map[string]bool, all int) {
	type op struct {
		start, end int64
		row
	}
	threads := map[string][]op{}
	out = map[string]bool{}
	for _, r := range rows {
		if r.pid != fmt.Sprint(x.Identity.Process) {
			continue
		}
		start, _ := nanoseconds([]byte(r.ts))
		dur, _ := nanoseconds([]byte(r.dur))
		switch {
		case r.kind == kindPython && strings.HasPrefix(r.name, "nn.Module: "):
			out[fmt.Sprintf("%d %d %s %d", start, start+dur, r.name, threadID([]byte(r.tid)))] = true
			all++
		case r.kind == kindOp && !strings.Contains(r.name, "#") && !strings.HasPrefix(r.name, "gloo:"):
			threads[r.tid] = append(threads[r.tid], op{start, start + dur, r})
			all++
		}
	}
	annotated := map[string]bool{}
	for _, r := range x.Ranges {
		annotated[fmt.Sprintf("%d %d %s %d", r.Start, r.End, x.Names.Text(r.Name), r.Thread)] = true
	}
	for _, ops := range threads {
		slices.SortStableFunc(ops, func(a, b op) int { return int(a.start - b.start) })
		for i, o := range ops {
			held := slices.ContainsFunc(ops[max(0, i-3000):min(len(ops), i+100)], func(p op) bool {
				if p.start > o.start || o.end > p.end || !strings.Contains(p.name, "::") && !strings.Contains(p.name, "Backward") {
					return false
				}
				return p.end-p.start > o.end-o.start || len(p.name) < len(o.name) || len(p.name) == len(o.name) && p.name < o.name
			})
			if text := fmt.Sprintf("%d %d %s %d", o.start, o.end, o.name, threadID([]byte(o.tid))); !held && !annotated[text] {
				out[text] = true
			}
		}
	}
	return out, all
}

// TestPythonFunction: a name without what changes from version to version or tells of a
// user.
func TestPythonFunction(t *testing.T) {
	for name, want := range map[string]string{
		"torch/optim/adamw.py(161): step":                           "step (adamw.py)",
		`C:\Users\someone\train.py(7): <lambda>`:                    "<lambda> (train.py)",
		"/home/someone/a(1)/b.py(12): f":                            "f (b.py)",
		"<built-in method view of Tensor object at 0x7fdc681d0910>": "view (built-in)",
		"<built-in function linear>":                                "linear (built-in)",
		"<frozen importlib._bootstrap>(1390): _handle_fromlist":     "_handle_fromlist (<frozen importlib._bootstrap>)",
		"/home/someone/secret":                                      "secret",
		"train.py":                                                  "train.py", "": "", "x): y": "y (x)",
	} {
		if got := pythonFunction(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

package kineto

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// sizedEvents are calls of operators on two threads: each with its sizes, and some within others.
var sizedEvents = []string{
	// a linear layer counts once, as the product within it
	`{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":9,"tid":9,"ts":100,"dur":50,"args":{"Input type": ["c10::BFloat16", "c10::BFloat16", ""], "Input Dims": [[4, 8], [16, 8], []]}}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":9,"tid":9,"ts":110,"dur":30,"args":{"Input Dims": [[16], [4, 8], [8, 16], [], []], "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"]}}`,
	// the inner call does not say enough, the outer does
	`{"ph":"X","cat":"cpu_op","name":"aten::matmul","pid":9,"tid":9,"ts":200,"dur":50,"args":{"Input Dims": [[2, 2], [2, 3]], "Input type": ["float", "float"]}}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":200,"dur":50,"args":{"Input Dims": [[[2, 2]], [2, 3]], "Input type": ["float", "float"]}}`,
	// a convolution by its stride and padding, and its backward pass by what it computes
	`{"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":9,"tid":9,"ts":300,"dur":50,"args":{"Concrete Inputs": ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"], "Input type": ["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"], "Input Dims": [[1, 2, 8, 8], [4, 2, 3, 3], [], [], [], [], []]}}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::convolution_backward","pid":9,"tid":10,"ts":310,"dur":50,"args":{"Concrete Inputs": ["", "", "", "[0]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[False, True, False]"], "Input type": ["float", "float", "float"], "Input Dims": [[1, 4, 8, 8], [1, 2, 8, 8], [4, 2, 3, 3]]}}`,
	// in traces of 2021 calls within it say that
	`{"ph":"X","cat":"Operator","name":"aten::cudnn_convolution_backward","pid":9,"tid":10,"ts":400,"dur":50,"args":{"Input Dims": [[1, 2, 4, 4], [1, 4, 4, 4], [4, 2, 3, 3]], "Input type": ["float", "float", "float"]}}`,
	`{"ph":"X","cat":"Operator","name":"aten::cudnn_convolution_backward_weight","pid":9,"tid":10,"ts":400,"dur":50,"args":{"Input Dims": [[], [1, 4, 4, 4], [1, 2, 4, 4]]}}`,
	`{"ph":"X","cat":"Operator","name":"aten::conv2d","pid":9,"tid":9,"ts":380,"dur":5,"args":{"Input Dims": [[1, 2, 4, 4], [4, 2, 3, 3]]}}`,
	// of no use
	`{"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":9,"ts":500,"dur":5,"args":{"Input Dims": [[4, 8], [4, 8]], "Input type": ["float", "float"]}}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":9,"ts":500,"dur":5,"args":{"Input Dims": [[4, 8], [8, 8]], "Input type": ["float", "float"]}}`,
	`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":520,"dur":5,"args":{"External id": 3}}`,
}

const sizedRest = `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":108,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":120,"dur":9,"args":{"device":0,"stream":7,"correlation":1}}`

func operationsIn(ts []*trace.Trace) (got []string) {
	for _, x := range ts[0].Operations {
		w := ts[0].Works[x.Work]
		got = append(got, fmt.Sprintf("%d-%d %d %v %v %v", x.Start/1000, x.End/1000, x.Thread, w.Type, w.FLOPs, w.Bytes))
	}
	return got
}

// TestOperations: calls of operators are counted by their sizes, each work once, in whatever order
// events and their members come.
func TestOperations(t *testing.T) {
	want := []string{
		"110-140 9 16 bits 1024 448", "200-250 9 float32 24 64", "300-350 9 float32 9216 1824",
		"310-360 10 float32 9216 1824", "380-385 9 float32 2304 672", "400-450 10 float32 2304 672",
	}
	for turn := range 2 * len(sizedEvents) {
		events := slices.Concat(sizedEvents[turn%len(sizedEvents):], sizedEvents[:turn%len(sizedEvents)])
		if turn >= len(sizedEvents) {
			slices.Reverse(events)
			for i, e := range events { // arguments first
				at := strings.Index(e, `"args":`)
				events[i] = `{` + strings.TrimSuffix(e[at:], "}") + "," + strings.TrimSuffix(strings.TrimPrefix(e[:at], "{"), ",") + "}"
			}
		}
		ts := mustRead(t, "["+strings.Join(events, ",\n")+",\n"+sizedRest+"]")
		if got := operationsIn(ts); !slices.Equal(got, want) {
			t.Fatalf("turn %d: got\n%s\nwant\n%s", turn, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if !ts[0].Recorded.Has(trace.HasSizes) {
			t.Error("the sizes do not count as recorded")
		}
	}
}

// TestOddSizes: sizes that are none of a tensor make a call whose work is not known, and no other
// number.
func TestOddSizes(t *testing.T) {
	for sizes, known := range map[string]bool{
		`[[4, 8], [8, 2]]`:                                   true,
		`[[ 4,8 ],[8,2],"x",[]]`:                             true,
		`[[4, 8], [8, -2]]`:                                  false,
		`[[4, 8], [8, 2.5]]`:                                 false,
		`[[4, 8], [8, 1e9]]`:                                 false,
		`[[4, 8], [8, 9007199254740993]]`:                    false,
		`[[4, 8], [8, 99999999999999999999999999999999999]]`: false,
		`[[4194304, 4194304], [4194304, 4194304]]`:           false,
		`[[4, 8], [[8, 2]]]`:                                 false,
		`[[[4, 8], [8, 2]]]`:                                 false,
		`[[4, 8], ["8", "2"]]`:                               false,
		`[[], []]`:                                           false,
		`[]`:                                                 false,
		`[4, 8]`:                                             false,
		`[[4, 8], [8, 2`:                                     false,
		`[[4, 8]]`:                                           false,
		strings.Repeat("[", 3000) + strings.Repeat("]", 3000):  false,
		`[[4, 8], [8, 2]` + strings.Repeat(", [1]", 500) + `]`: true,
	} {
		text := `{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":100,"dur":50,"args":{"Input Dims": ` + sizes + `, "Input type": ["float", "float"]}}`
		ts, err := readText("[" + sizedRest + "," + text + "]")
		if len(ts) != 1 {
			t.Errorf("%.60s: %d traces, %v", sizes, len(ts), err)
			continue
		}
		if got := len(ts[0].Operations) == 1 && ts[0].Works[ts[0].Operations[0].Work].FLOPs == 2*4*8*2; got != known {
			t.Errorf("%.60s: got %v, want known: %v", sizes, operationsIn(ts), known)
		}
	}
}

// TestNoSizes: a profiler that was not asked for sizes is not asked again and again.
func TestNoSizes(t *testing.T) {
	var events []string
	for i := range 2 * triedForSizes {
		events = append(events, fmt.Sprintf(`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":%d,"dur":5,"args":{"External id": 3}}`, 10*i))
	}
	sized := `{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":90000,"dur":5,"args":{"Input Dims": [[4, 8], [8, 8]]}}`
	ts := mustRead(t, "["+strings.Join(events, ",")+","+sized+","+sizedRest+"]")
	if len(ts[0].Operations) != 0 || ts[0].Recorded.Has(trace.HasSizes) {
		t.Errorf("got %v", operationsIn(ts))
	}
	ts = mustRead(t, "["+sized+","+strings.Join(events, ",")+","+sizedRest+"]")
	if len(ts[0].Operations) != 1 || len(ts[0].Ops) != 1+2*triedForSizes {
		t.Errorf("got %v and %d operators", operationsIn(ts), len(ts[0].Ops))
	}
}

// TestDeepCalls: calls within calls are looked at a few deep.
func TestDeepCalls(t *testing.T) {
	var events []string
	for i := range 2000 {
		events = append(events, fmt.Sprintf(`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":%d,"dur":%d,"args":{"Input Dims": [[4, 8], [8, 2]]}}`, 1000+i, 5000-2*i))
	}
	ts := mustRead(t, "["+strings.Join(events, ",")+","+sizedRest+"]")
	if got := operationsIn(ts); len(got) != 1 || !strings.HasPrefix(got[0], "2999-") {
		t.Errorf("got %d, the first %v", len(got), got[:min(1, len(got))])
	}
}

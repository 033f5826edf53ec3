package kineto

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// numbers lists n numbers from one on, at a distance.
func numbers(from, stride, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(from+i*stride))
	}
	return strings.Join(all, ", ")
}

// TestGroupRanks: the ranks of a group that are not listed beside a collective, or not all of
// them, are found elsewhere in the file, or stay unknown.
func TestGroupRanks(t *testing.T) {
	even, all := numbers(0, 2, 40), numbers(0, 1, 80)
	cut := `"[` + numbers(0, 2, 30) + `, ...]"`
	config := func(name, size, ranks string) string {
		return `{"pg_name":"` + name + `","pg_desc":"default_pg","backend_config":"cuda:nccl","pg_size":` + size + `,"ranks":[` + ranks + `]}`
	}
	record := func(name string, start, stride, size int) string {
		return fmt.Sprintf(`{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":9,"tid":9,"ts":1,"dur":2,"args":{"Collective name":"allreduce","Process Group Name":"%s",`+
			`"Global rank start":%d,"Global rank stride":%d,"Group size":%d}},`, name, start, stride, size)
	}
	for _, tt := range []struct {
		name, configs, record, list string
		size                        int
		want                        string
	}{
		{"listed whole", config("3", "2", "5, 6"), "", `"[0, 1]"`, 2, "[0, 1]"},
		{"of pg_config", config("0", "80", all) + "," + config("3", "40", even), "", cut, 40, "[" + even + "]"},
		{"not evenly spaced", config("3", "3", "0, 7, 9"), "", `"[]"`, 3, "[0, 7, 9]"},
		{"of the operator", "", record("3", 0, 2, 40), cut, 40, "[" + even + "]"},
		{"of both", config("3", "40", even), record("3", 0, 2, 40), cut, 40, "[" + even + "]"},
		{"of both, which disagree", config("3", "40", even), record("3", 0, 1, 40), cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
		{"of two operators that disagree", "", record("3", 0, 2, 40) + record("3", 0, 4, 40), cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
		{"of another size", config("3", "40", even), "", cut, 41, "[" + numbers(0, 2, 30) + ", ...]"},
		{"other ranks than the first ones", config("3", "40", numbers(0, 1, 40)), "", cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
		{"without the rank of the file", config("3", "40", numbers(1, 2, 40)), "", `"[]"`, 40, "[]"},
		{"fewer than it says", config("3", "40", numbers(0, 2, 39)), "", cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
		{"a rank twice", config("3", "2", "0, 0"), "", `"[]"`, 2, "[]"},
		{"a group of another name", config("4", "40", even), "", cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
		{"no lists", "", "", cut, 40, "[" + numbers(0, 2, 30) + ", ...]"},
	} {
		events := `"traceEvents":[` + tt.record + `{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL","pid":0,"tid":7,"ts":10,"dur":5,"args":{"device":0,"stream":7,"correlation":1,` +
			fmt.Sprintf(`"Collective name":"allreduce","In msg nelems":8,"dtype":"Float","Group size":%d,"Process Group Name":"3","Process Group Ranks":%s}}]`, tt.size, tt.list)
		info := `"distributedInfo":{"backend":"nccl","rank":0,"world_size":80,"pg_count":1,"pg_config":[` + tt.configs + `]}`
		for _, text := range []string{`{"schemaVersion":1,` + info + `,` + events + `}`, `{"schemaVersion":1,` + events + `,` + info + `}`} {
			ts := mustRead(t, text)
			var x trace.Message
			for i := range ts[0].Device {
				x = ts[0].Messages.Of(&ts[0].Device[i])
			}
			if got := ts[0].Names.Text(x.Members); got != tt.want || x.Bytes != 32 {
				t.Errorf("%s: got %q in a message of %d bytes, want %q", tt.name, got, x.Bytes, tt.want)
			}
		}
	}
}

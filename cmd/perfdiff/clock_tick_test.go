package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneTick: where the clock of a capture ticks in whole microseconds, a call of 1 us that takes 2 is one tick longer,
// and no percentage; where it ticks in nanoseconds it is 100 % longer.
func TestOneTick(t *testing.T) {
	write := func(us float64, fine float64) string {
		dir := t.TempDir()
		var events []string
		at, kernels := 1000.0, []string{"small", "small", "mid", "big", "mid", "big", "big", "small", "mid", "mid", "big"}
		for i := range 60 {
			name := kernels[i*i%len(kernels)]
			takes := map[string]float64{"small": us, "mid": 17 + float64(i%2), "big": 100 + float64(i%7)}[name] + fine*float64(i%5)
			for _, e := range []string{
				fmt.Sprintf(`"cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%.3f,"dur":3`, at-5),
				fmt.Sprintf(`"cat":"kernel","name":%q,"pid":0,"tid":7,"ts":%.3f,"dur":%.3f`, name, at, takes),
			} {
				events = append(events, fmt.Sprintf(`{"ph":"X",%s,"args":{"device":0,"stream":7,"correlation":%d}}`, e, i+1))
			}
			at += 130 + float64(i*i*37%89)
		}
		writeFile(t, filepath.Join(dir, "rank0.json"), `{"schemaVersion":1,"traceEvents":[`+strings.Join(events, ",\n")+"]}")
		return dir
	}
	for _, c := range []struct {
		base, cand, fine float64
		want             string
	}{
		{1, 2, 0, "1.00 µs 2.00 µs one tick, 1.00 µs 17"},
		{2, 1, 0, "2.00 µs 1.00 µs one tick, 1.00 µs 17"},
		{1, 4, 0, "1.00 µs 4.00 µs +300.0 % 17 look"},
		{1, 2, 0.003, "1.01 µs 2.01 µs +99.4 % 17 look"},
	} {
		stdout, _ := mustRun(t, statusNotJudged, write(c.base, c.fine), write(c.cand, c.fine))
		if text := strings.Join(strings.Fields(strings.ReplaceAll(stdout, "\u00a0", " ")), " "); !strings.Contains(text, c.want) {
			t.Errorf("%v: got %s, want %s", c, stdout, c.want)
		}
	}
}

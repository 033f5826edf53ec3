package steplog

import (
	"fmt"
	"strings"
	"testing"
)

// TestStampForms: the time stamps and step numbers of trainers that log no time of a step stand in for one where they
// are asked for.
func TestStampForms(t *testing.T) {
	for _, form := range []string{
		"2026/03/01 %s - mmengine - INFO - Epoch(train)  [1][%d/4000] loss: 0.5\n",
		"[03/01 %s d2.utils.events]: eta: 0:10:00  iter: %d  total_loss: 0.5  lr: 0.001\n",
		"[%s.000] train step %d loss 0.5\n",
		"2026-03-01 %s | INFO | train_inner | epoch 001 loss=3.1, num_updates=%d, lr=0.001\n",
		"I0301 %s.000000 4242 train.py:88] step = %d, loss = 0.5\n",
	} {
		var text strings.Builder
		for i := range 41 { // 100 steps in 60 s
			fmt.Fprintf(&text, form, fmt.Sprintf("%02d:%02d:13", 10+i/60, i%60), 100*(i+1))
		}
		tr, err := read(t, "a.log", []byte(text.String()), Timestamps)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		l := tr.Logged
		if len(l.Steps) != 40 || l.Every != 100 || l.Steps[7].Time != 600e6 || l.Steps[7].Number != 900 {
			t.Errorf("%s: got %d steps of %d, the 8th %+v; want 40 of 100, 600 ms", form, len(l.Steps), l.Every, l.Steps[7])
		}
	}
}

package steplog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"

	"perfdiff/analyze/trace"
)

// largestState bounds the bytes of a trainer's state, whose entries are held one by one. Chosen, not measured.
const largestState = 256 << 20

// IsState reports whether a file that begins with head is the state of a trainer of Hugging Face
// (transformers/trainer_callback.py, TrainerState).
func IsState(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) && bytes.Contains(head, []byte(`"log_history"`))
}

// ReadState reads a trainer's state as Read reads a log. Its entries are mostly without a time: then the run as a whole
// is one number, if the state is of its end.
func ReadState(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return readAs(ctx, path, opt, "entries", func(r io.Reader, g *gathering) error {
		d := json.NewDecoder(io.LimitReader(r, largestState))
		d.UseNumber()
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			return errNoState
		}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if name == "log_history" {
				if err := g.history(d); err != nil {
					return err
				}
				continue
			}
			var other json.RawMessage
			if err := d.Decode(&other); err != nil {
				return err
			}
		}
		return nil
	})
}

var errNoState = errors.New("the text is no object")

// history takes the entries of a state.
func (g *gathering) history(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errNoState
	}
	for d.More() {
		var members map[string]any
		if err := d.Decode(&members); err != nil {
			return err
		}
		g.lines++
		o := object{values: map[string]any{}}
		o.add("", members, 1)
		o.names = slices.Sorted(maps.Keys(o.values))
		if runtime, ok := o.number("train_runtime"); ok && o.step() > 0 {
			g.runtime, g.runSteps = runtime, o.step()
			continue
		}
		g.object(&o, line{rank: -1}, false)
	}
	_, err := d.Token()
	return err
}

// asWhole is a run of which only its length is known: one number.
func (g *gathering) asWhole() *trace.Logged {
	ns, ok := nanoseconds(g.runtime/float64(max(1, g.runSteps)), 1e9)
	if g.runSteps == 0 || !ok || g.asked != nil || g.answer.question != "" {
		return nil
	}
	g.answer.warnings = append(g.answer.warnings, "its entries say no time: what is compared is train_runtime over all steps, one number a run, "+
		"with evaluations and checkpoints in it (of a run that was resumed it holds only the last part, and means nothing)")
	return &trace.Logged{Name: "train_runtime / steps", Every: int(g.runSteps), Steps: []trace.LoggedStep{{Number: g.runSteps, Time: ns}}}
}

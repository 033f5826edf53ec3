package shard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// planVersion is the version of the form of plans.
const planVersion = 1

// planLimit is the most bytes of a plan that are read: some 400,000 files, at 150 bytes each.
const planLimit = 64 << 20

// errNoPlan is the cause when a file is no plan.
var errNoPlan = errors.New("is no plan that perfdiff plan writes")

// planFile is a plan as it is written.
type planFile struct {
	Version int    `json:"perfdiff_plan"`
	ID      string `json:"plan_id"`
	Shards  int    `json:"shards"`
	Files   []File `json:"files"`
}

// Write writes a plan as JSON, a line for each file.
func (p Plan) Write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"perfdiff_plan\": %d,\n\"plan_id\": %q,\n\"shards\": %d,\n\"files\": [", planVersion, p.ID, p.Shards)
	for i, f := range p.Files {
		line, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// ReadPlan reads a plan. The error names the file and the remedy. A plan that was changed after it was made is
// refused: its shards would not fit those of the others.
func ReadPlan(path string) (Plan, error) {
	p, err := readPlan(path)
	if err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		return Plan{}, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func readPlan(path string) (Plan, error) {
	switch st, err := os.Stat(path); {
	case err != nil:
		return Plan{}, err
	case !st.Mode().IsRegular(): // a pipe may wait for ever
		return Plan{}, errors.New("is no file (make a plan with perfdiff plan RUNSET --shards N -o plan.json)")
	}
	f, err := os.Open(path)
	if err != nil {
		return Plan{}, err
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: planLimit}
	read := json.NewDecoder(limited)
	read.DisallowUnknownFields()
	var in planFile
	err = read.Decode(&in)
	p := Plan{ID: in.ID, Shards: in.Shards, Files: in.Files}
	switch {
	case limited.N <= 0:
		return Plan{}, fmt.Errorf("more than %d MB: %w", planLimit>>20, errNoPlan)
	case in.Version > planVersion:
		return Plan{}, fmt.Errorf("is a plan of version %d, and this perfdiff knows %d: use one perfdiff for the plan and all shards",
			in.Version, planVersion)
	case err != nil:
		return Plan{}, fmt.Errorf("%w: %w", errNoPlan, err)
	case in.Version != planVersion || read.More():
		return Plan{}, errNoPlan
	case p.ID != p.digest():
		return Plan{}, errors.New("was edited, or cut and pasted: its plan_id is of other content (make it anew with perfdiff plan)")
	}
	return p, p.check()
}

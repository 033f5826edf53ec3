package analyze

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/part"
	"perfdiff/analyze/shard"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

const (
	// mostOfProfile is the share of its profile that the part of a rank has at most, of a profile that is
	// not compressed.
	mostOfProfile = 0.05
	// tinyProfile is how large a profile is of which that is asked, in bytes. A part has the names of
	// kernels and the excerpts of some steps however few steps there are, so that of a smaller profile
	// it has more than the share, and never more than that of this one: 120 kB.
	tinyProfile = 2.4e6
	// ordinaryProfile is about how large a profile of more steps is made, in bytes.
	ordinaryProfile = 6e6
)

// sizesOfParts are the bytes of the profiles of a run set, and of the records that their parts have.
func sizesOfParts(t *testing.T, set string) (sizes [][2]float64) {
	t.Helper()
	done, err := SummarizeShard(context.Background(), set, ShardRequest{Shard: shard.Shard{Count: 1}, Tool: "perfdiff", Dir: t.TempDir()}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := part.Open(done.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.Entries {
		sizes = append(sizes, [2]float64{float64(e.Bytes), float64(e.Packed)})
	}
	return sizes
}

func checkPartSizes(t *testing.T, name string, sizes [][2]float64) {
	t.Helper()
	for i, x := range sizes {
		if x[1] > mostOfProfile*max(x[0], tinyProfile) {
			t.Errorf("%s: a profile of %.0f bytes has a part of %.0f: %.2f %%", name, x[0], x[1], 100*x[1]/x[0])
		} else if i == 0 && x[1] > mostOfProfile*x[0] {
			t.Logf("%s: tiny, %.0f bytes: the part has %.0f, %.1f %%", name, x[0], x[1], 100*x[1]/x[0])
		}
	}
}

// TestPartSizes: the part of a rank has at most 5 % of its profile, or 120 kB where the profile is
// tiny, of every story, as it is and with so many steps that its profile is an ordinary one.
func TestPartSizes(t *testing.T) {
	for i, name := range testdata.Names() {
		if testing.Short() && i%6 > 0 {
			continue
		}
		checkPartSizes(t, name, sizesOfParts(t, filepath.Join(storyIn(t, name, synth.Nsight), "baseline")))
	}
	if testing.Short() {
		return
	}
	for name, steps := range map[string]int{"aa": 1250, "slow-allreduce": 1150, "lost-overlap": 1150, "pipeline-bubble": 300, "tensor-parallel-slow": 475} {
		text, err := testdata.Story(name)
		if err != nil {
			t.Fatal(err)
		}
		text = regexp.MustCompile(`(?m)^steps:.*$`).ReplaceAll(text, fmt.Appendf(nil, "steps: %d", steps))
		text = regexp.MustCompile(`(?m)^(nodes|ranks):.*$`).ReplaceAllFunc(text, func(line []byte) []byte {
			if strings.HasPrefix(string(line), "nodes") {
				return []byte("nodes: 1")
			}
			return []byte("ranks: 4")
		})
		story, err := synth.Parse(name, text)
		dir := t.TempDir()
		if err == nil {
			_, err = story.Write(context.Background(), dir, synth.Nsight)
		}
		if err != nil {
			t.Fatal(err)
		}
		sizes := sizesOfParts(t, filepath.Join(dir, "baseline"))
		if sizes[0][0] < ordinaryProfile*0.9 {
			t.Errorf("%s: %d steps make a profile of %.0f bytes, which is no ordinary one", name, steps, sizes[0][0])
		}
		t.Logf("%s: %.2f %% of %.1f MB", name, 100*sizes[0][1]/sizes[0][0], sizes[0][0]/1e6)
		checkPartSizes(t, name, sizes)
	}
}

// TestPartSizesOfData: the same holds of the profiles that real jobs left, all of which are tiny: few
// steps were recorded, or they are gzipped.
func TestPartSizesOfData(t *testing.T) {
	const data = "../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("no real profiles: ", err)
	}
	for _, folder := range []string{"nsys", "kineto"} {
		root := filepath.Join(data, folder)
		do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".sqlite") && !strings.HasSuffix(path, ".json.gz") {
				return err
			}
			checkPartSizes(t, d.Name(), sizesOfParts(t, path))
			return nil
		}))
	}
}

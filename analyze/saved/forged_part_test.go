package saved_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze"
	"perfdiff/analyze/part"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/shard"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// onePart writes the part of a story's only shard, with point-to-point calls and groups in it.
func onePart(t *testing.T) (path string) {
	t.Helper()
	text, err := testdata.Story("pipeline-bubble")
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse("pipeline-bubble", text)
	dir := t.TempDir()
	if err == nil {
		_, err = story.Write(context.Background(), dir, synth.Kineto)
	}
	if err != nil {
		t.Fatal(err)
	}
	done, err := analyze.SummarizeShard(context.Background(), filepath.Join(dir, "baseline"),
		analyze.ShardRequest{Shard: shard.Shard{Count: 1}, Tool: "perfdiff", Dir: filepath.Join(dir, "parts")}, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return done.Path
}

// forge changes record n of a part, which is compressed, and makes its header and checksum fit again.
func forge(t *testing.T, good []byte, n int, change func(body []byte) []byte) []byte {
	t.Helper()
	lines := bytes.SplitN(good, []byte("\n"), 3)
	var h part.Header
	if err := json.Unmarshal(lines[1], &h); err != nil {
		t.Fatal(err)
	}
	from := h.Beside
	for i := range n - 1 {
		from += h.Entries[i].Packed
	}
	packed := &h.Entries[n-1].Packed
	unzip, _ := zstd.NewReader(nil)
	defer unzip.Close()
	body, err := unzip.DecodeAll(lines[2][from:from+*packed], nil)
	if err != nil {
		t.Fatal(err)
	}
	zip, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	defer zip.Close()
	record := zip.EncodeAll(change(body), nil)
	rest := lines[2][from+*packed : len(lines[2])-sha256.Size]
	*packed = len(record)
	line, _ := json.Marshal(&h)
	out := bytes.Join([][]byte{lines[0], line, lines[2][:from]}, []byte("\n"))
	out = append(append(out, record...), rest...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// TestForgedParts: a part whose checksum fits, with a record that was changed, is refused or merged,
// and neither crashes nor takes more memory than is allowed.
func TestForgedParts(t *testing.T) {
	path := onePart(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	merge := func(data []byte, memory int64) error {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := analyze.MergeParts(context.Background(), []string{path}, "perfdiff", false, analyze.Options{Memory: memory})
		return err
	}
	same := func(body []byte) []byte { return body }
	if err := merge(forge(t, good, 1, same), 1<<30); err != nil {
		t.Fatal(err) // the forger can do it
	}
	random, refused := rand.New(rand.NewPCG(1, 2)), 0
	for range 150 {
		data := forge(t, good, 1, func(body []byte) []byte {
			for range 1 + random.IntN(3) {
				body[random.IntN(len(body))] = byte(random.Uint32())
			}
			return body
		})
		if merge(data, 1<<30) != nil {
			refused++
		}
	}
	t.Logf("%d of 150 forged parts were refused", refused)
	if refused < 40 {
		t.Errorf("%d of 150 forged parts were refused, want most that make a difference", refused)
	}
	cutParts(t, good, merge)
	if err := merge(good, 200_000); !errors.Is(err, saved.ErrMemory) {
		t.Errorf("with 150 kB for parts: got %v", err)
	}
	for cut := 0; cut < len(good); cut += 1 + len(good)/200 {
		if err := merge(good[:cut], 1<<30); err == nil {
			t.Errorf("a part cut to %d of %d bytes was merged", cut, len(good))
		}
	}
}

// cutParts merges parts that have a record which is cut, or has more than it should.
func cutParts(t *testing.T, good []byte, merge func(data []byte, memory int64) error) {
	t.Helper()
	for cut := 0; cut < 40; cut += 3 {
		for _, of := range []func(body []byte) []byte{
			func(body []byte) []byte { return body[:len(body)*cut/40] },
			func(body []byte) []byte { return append(body, make([]byte, cut+1)...) },
		} {
			if err := merge(forge(t, good, 2, of), 1<<30); !errors.Is(err, analyze.ErrIncomplete) {
				t.Errorf("a record cut to %d of 40: got %v", cut, err)
			}
		}
	}
}

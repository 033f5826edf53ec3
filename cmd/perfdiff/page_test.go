package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPageSize: the page of 16 ranks and 100 steps, from profiles on, is small enough to be
// sent around. Larger jobs are held to their bytes in render/html.
func TestPageSize(t *testing.T) {
	dir, _ := writeEdited(t, "o-direct", synth.Nsight, strings.NewReplacer("steps: 19", "steps: 100"))
	page := filepath.Join(t.TempDir(), "report.html")
	mustRun(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-q", "-o", page)
	info, err := os.Stat(page)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := info.Size(), int64(900_000); got > want {
		t.Errorf("got a page of %d bytes, want at most %d", got, want)
	}
}

var dataBlock = regexp.MustCompile(`(<script type="text/plain" id="data">)([A-Za-z0-9+/=]+)(</script>)`)

// opened is a page with its data as the script gets them: whoever looks for what must not
// be in a page has to look there too. Other outputs are as they are.
func opened(t *testing.T, page []byte) []byte {
	t.Helper()
	if !bytes.HasPrefix(page, []byte("<!doctype html>")) {
		return page
	}
	at := dataBlock.FindSubmatchIndex(page)
	if at == nil {
		t.Fatal("the page has no data block")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(page[at[4]:at[5]])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n")) // matrices are behind it
	return bytes.Join([][]byte{page[:at[4]], line, page[at[5]:]}, nil)
}

// TestOpened: names that stand in the data of a page are found there.
func TestOpened(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	page, _ := mustRun(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "--warn-only", "-o", "-", "--format", "html")
	for _, want := range []string{`"verdict":`, `"timeline":`, `"name":"Step time"`} {
		if !strings.Contains(string(opened(t, []byte(page))), want) {
			t.Errorf("the opened page does not hold %s", want)
		}
	}
}

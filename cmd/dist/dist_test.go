package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

var sample = []file{{name: "p/perfdiff", text: []byte("program"), runs: true}, {name: "p/LICENSES", text: []byte("terms\n")}}

// TestArchives: an archive is the same each time, names nobody, and gives back what was put in.
func TestArchives(t *testing.T) {
	for name, write := range map[string]func(io.Writer, []file) error{"tar.gz": writeTarGz, "zip": writeZip} {
		var once, again bytes.Buffer
		if err := write(&once, sample); err != nil {
			t.Fatal(err)
		}
		if err := write(&again, sample); err != nil || !bytes.Equal(once.Bytes(), again.Bytes()) {
			t.Errorf("%s: differs the second time (%v)", name, err)
		}
	}
	var out bytes.Buffer
	if err := writeTarGz(&out, sample); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, want := range sample {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || h.Name != want.name || h.Mode != want.mode() || h.Uname+h.Gname != "" || h.Uid+h.Gid != 0 || !h.ModTime.Equal(made) || !bytes.Equal(text, want.text) {
			t.Errorf("got %+v with %q (%v), want %s", h, text, err, want.name)
		}
	}
	out.Reset()
	if err := writeZip(&out, sample); err != nil {
		t.Fatal(err)
	}
	zipped, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(zipped.File) != len(sample) {
		t.Fatalf("got %v (%v), want %d files", zipped, err, len(sample))
	}
}

// TestChecksums: they are in order of names, as sha256sum writes them.
func TestChecksums(t *testing.T) {
	got := string(checksums([]file{{name: "b"}, {name: "a", text: []byte("abc")}}).text)
	want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBillOfMaterials: it names what a program is linked with, Go, and the parts of the charts. The
// program here is this test.
func TestBillOfMaterials(t *testing.T) {
	t.Chdir("../..")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := billOfMaterials(program, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil || b.Format != "CycloneDX" || b.Metadata.Component.Version != "1.2.3" {
		t.Errorf("got %s (%v)", text, err)
	}
	for _, want := range []string{"pkg:golang/std@1.", "pkg:npm/echarts@", "pkg:npm/zrender@", "pkg:npm/tslib@"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the bill lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "esbuild") {
		t.Error("the bill names what is not carried")
	}
}

// TestDistRefuses: nothing that is there is written over.
func TestDistRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/mine", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dist(dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v, want that the directory is not empty", err)
	}
}

package kineto

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"

	"perfdiff/analyze/synth/kinetotest"
)

// writeTrace writes a generated trace of rank 3 into memory or a file that
// takes it, and returns its number of kernels.
func writeTrace(w io.Writer, size int) int {
	kernels, err := kinetotest.Write(w, size, 3)
	if err != nil {
		panic(err)
	}
	return kernels
}

// gzipFile writes a file once more, compressed, and returns where.
func gzipFile(tb testing.TB, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(text)
	w.Close()
	if err := os.WriteFile(path+".gz", z.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path + ".gz"
}

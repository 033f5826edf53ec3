package diff_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// kept is the file of a cell of so many pairs; "" where nothing is kept.
func kept(name string, pairs int) string {
	dir := os.Getenv("PERFDIFF_RATES_KEEP")
	if dir == "" || build() == "" {
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("%x.json", sha256.Sum256(fmt.Appendf(nil, "%s %s %d", build(), name, pairs))))
}

// build is the digest of the running program, "" where it cannot be read.
var build = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
})

// load are the rates that are kept in a file, nil where there are none.
func load(path string) (rates map[string]float64) {
	if text, err := os.ReadFile(path); path == "" || err != nil || json.Unmarshal(text, &rates) != nil {
		return nil
	}
	return rates
}

// keep writes the rates of a cell. A cell that cannot be kept is simulated again.
func keep(path string, rates map[string]float64) {
	if text, err := json.Marshal(rates); path != "" && err == nil {
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		_ = os.WriteFile(path, text, 0o644)
	}
}

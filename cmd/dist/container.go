package main

import (
	"os"
	"path/filepath"
	"strings"
)

// containerDir holds what .container/Containerfile copies: the program of each platform that
// containers run on, under the name that BuildKit gives the platform, and the licences.
const containerDir = "container"

// containerFiles returns the files of containerDir. The programs come from the archives, which were built below work.
func containerFiles(version, work string, shared []file) ([]file, error) {
	var out []file
	for _, platform := range platforms {
		if !strings.HasPrefix(platform, "linux/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(work, archiveName(platform, version), "perfdiff"))
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: containerDir + "/" + platform + "/perfdiff", text: text, runs: true})
	}
	for _, f := range shared {
		if f.name == "LICENSES" {
			out = append(out, file{name: containerDir + "/" + f.name, text: f.text})
		}
	}
	return out, nil
}

package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// charts names the file that says what the page's charts are made of; dist runs where the project is.
const charts = "render/html/bundle/package-lock.json"

// bill is a bill of materials in the JSON of CycloneDX 1.6 (cyclonedx.org/docs/1.6/json), without
// the number and the time that would make each one another.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl,omitempty"` // package URL (github.com/package-url/purl-spec)
}

// billOfMaterials lists what a program is linked with, as the linker recorded it, Go itself, and
// what its pages carry.
func billOfMaterials(program, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{component{Type: "application", Ref: "perfdiff", Name: "perfdiff", Version: version}}}
	add := func(kind, name, version string) {
		url := "pkg:" + kind + "/" + name + "@" + version
		b.Components = append(b.Components, component{Type: "library", Ref: url, Name: name, Version: version, URL: url})
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		add("golang", m.Path, m.Version)
	}
	add("golang", "std", strings.TrimPrefix(info.GoVersion, "go"))
	carried, err := chartParts()
	if err != nil {
		return nil, err
	}
	for _, part := range carried {
		add("npm", part[0], part[1])
	}
	return json.MarshalIndent(b, "", "  ")
}

// chartParts returns the packages that are bundled into the charts' library, each with its version: all that are
// locked except the bundler.
func chartParts() (out [][2]string, err error) {
	text, err := os.ReadFile(charts)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", charts, err)
	}
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		if name, ok := strings.CutPrefix(path, "node_modules/"); ok && !strings.Contains(name, "esbuild") {
			out = append(out, [2]string{name, lock.Packages[path].Version})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no packages are locked", charts)
	}
	return out, nil
}

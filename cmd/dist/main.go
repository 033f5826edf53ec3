// Dist builds perfdiff for the platforms that people have, and writes what they download: an
// archive for each, with the man page, completions and licences, what the container file copies, a
// bill of materials and the checksums of all. The same commit gives the same bytes, wherever it is
// built.
//
// Usage:
//
//	dist DIR
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// platforms are the platforms to build for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "dist: error: expected one argument: dist DIR")
		os.Exit(2)
	}
	if err := dist(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "dist: error:", err)
		os.Exit(1)
	}
}

// file is one of an archive, or of the directory that is written.
type file struct {
	name string
	text []byte
	runs bool // it is a program
}

// dist writes everything into a directory, which must be new or empty.
func dist(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: the directory is not empty: name a new one, or delete this one", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	own := filepath.Join(work, "perfdiff")
	if err := build(runtime.GOOS+"/"+runtime.GOARCH, own); err != nil {
		return err
	}
	shared, version, err := texts(own)
	if err != nil {
		return err
	}
	materials, err := billOfMaterials(own, version)
	if err != nil {
		return err
	}
	out := []file{{name: "perfdiff-" + version + ".cdx.json", text: materials}}
	for _, platform := range platforms {
		archive, err := archiveOf(platform, version, work, shared)
		if err != nil {
			return err
		}
		out = append(out, archive)
	}
	inContainer, err := containerFiles(version, work, shared)
	if err != nil {
		return err
	}
	out = append(out, inContainer...)
	return writeAll(dir, append(out, checksums(out)))
}

// build builds the program for a platform. It knows its commit, whatever the environment says.
func build(platform, path string) error {
	system, arch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "build", "-buildvcs=true", "-pgo=auto", "-trimpath", "-ldflags=-s -w -buildid=", "-o", path, "perfdiff/cmd/perfdiff")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", platform, err, out)
	}
	return nil
}

// texts returns the files that every archive holds, as the program prints them, and its version.
func texts(program string) (shared []file, version string, err error) {
	ask := func(args ...string) []byte {
		text, failed := exec.Command(program, args...).Output()
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("perfdiff %s: %w", strings.Join(args, " "), failed))
		}
		return text
	}
	shared = []file{
		{name: "LICENSES", text: ask("--licenses")}, {name: "perfdiff.1", text: ask("man")},
		{name: "completions/perfdiff.bash", text: ask("completion", "bash")}, {name: "completions/_perfdiff", text: ask("completion", "zsh")},
		{name: "completions/perfdiff.fish", text: ask("completion", "fish")},
	}
	version, _, _ = strings.Cut(string(ask("--version")), "\n") // the commit follows
	version = strings.TrimPrefix(version, "perfdiff ")
	return shared, strings.Trim(version, "()"), err
}

func archiveName(platform, version string) string {
	return "perfdiff-" + version + "-" + strings.ReplaceAll(platform, "/", "-")
}

// archiveOf returns the archive for a platform: .zip for Windows, .tar.gz for others.
func archiveOf(platform, version, work string, shared []file) (file, error) {
	name := archiveName(platform, version)
	program := "perfdiff"
	windows := strings.HasPrefix(platform, "windows/")
	if windows {
		program += ".exe"
	}
	path := filepath.Join(work, name, program)
	if err := build(platform, path); err != nil {
		return file{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	files := append([]file{{name: program, text: text, runs: true}}, shared...)
	for i := range files {
		files[i].name = name + "/" + files[i].name
	}
	var out bytes.Buffer
	if windows {
		err = writeZip(&out, files)
		return file{name: name + ".zip", text: out.Bytes()}, err
	}
	err = writeTarGz(&out, files)
	return file{name: name + ".tar.gz", text: out.Bytes()}, err
}

// checksums returns the SHA-256 of files, as sha256sum -c reads them.
func checksums(all []file) file {
	var b bytes.Buffer
	all = slices.SortedFunc(slices.Values(all), func(a, b file) int { return strings.Compare(a.name, b.name) })
	for _, f := range all {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.text), f.name)
	}
	return file{name: "SHA256SUMS", text: b.Bytes()}
}

// writeAll writes the files, and prints their checksums.
func writeAll(dir string, all []file) error {
	for _, f := range all {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.text, os.FileMode(f.mode())); err != nil {
			return err
		}
	}
	_, err := os.Stdout.Write(all[len(all)-1].text)
	return err
}

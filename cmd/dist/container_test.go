package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one instruction of a container file.
type instruction struct{ name, rest string }

var instructionLine = regexp.MustCompile(`^([A-Z]+)\s+(\S.*)$`)

// instructions reads a container file; ok is false where a line is none.
func instructions(text string) (all []instruction, ok bool) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := instructionLine.FindStringSubmatch(line)
		if m == nil {
			return nil, false
		}
		all = append(all, instruction{m[1], m[2]})
	}
	return all, true
}

var (
	numericUser = regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`)
	copies      = regexp.MustCompile(`^--chmod=0?[0-7]{3} ([^\s]+) (/[^\s]*)$`)
	labels      = regexp.MustCompile(`org\.opencontainers\.image\.(?:title|description)="[^"]+"`)
)

// complaints are what is wrong with a container file that copies from a directory with files: it
// must begin with nothing, copy files that are there and fetch none, run no command, and start
// the program without a shell and as a user without rights.
func complaints(text string, files []string) (out []string) {
	all, ok := instructions(text)
	if !ok || len(all) == 0 {
		return []string{"a line is no instruction"}
	}
	say := func(ok bool, what string) {
		if !ok {
			out = append(out, what)
		}
	}
	say(all[0] == instruction{"FROM", "scratch"}, "does not begin FROM scratch")
	user, target, started := "", map[string]bool{}, ""
	for i, x := range all {
		switch x.name {
		case "FROM":
			say(i == 0, "has a second stage")
		case "ARG":
			say(x.rest == "TARGETPLATFORM=linux/amd64", "asks for "+x.rest)
		case "LABEL":
			say(len(labels.FindAllString(x.rest, -1)) == 2, "lacks title or description")
		case "COPY":
			m := copies.FindStringSubmatch(x.rest)
			if m == nil {
				out = append(out, "copies without a mode: "+x.rest)
				continue
			}
			target[m[2]] = true
			for _, platform := range []string{"linux/amd64", "linux/arm64"} {
				say(slices.Contains(files, strings.ReplaceAll(m[1], "${TARGETPLATFORM}", platform)), "copies what is not made: "+m[1])
			}
		case "USER":
			user = x.rest
		case "WORKDIR":
			say(strings.HasPrefix(x.rest, "/"), "works in a directory that is relative: "+x.rest)
		case "ENTRYPOINT", "CMD":
			var words []string
			say(json.Unmarshal([]byte(x.rest), &words) == nil && len(words) > 0, x.name+" needs a shell")
			if x.name == "ENTRYPOINT" && len(words) > 0 {
				started = words[0]
			}
		default: // ADD fetches and unpacks, RUN needs a shell, ENV and EXPOSE serve nothing here
			out = append(out, "has "+x.name)
		}
	}
	say(numericUser.MatchString(user), "runs as "+user)
	say(target[started], "starts "+started+", which is not copied")
	return out
}

// TestContainerfile: the container file keeps its rules, and copies what make dist makes.
func TestContainerfile(t *testing.T) {
	const version = "v1.2.3"
	work := t.TempDir()
	for _, platform := range platforms {
		name := "perfdiff"
		if strings.HasPrefix(platform, "windows/") {
			name += ".exe"
		}
		path := filepath.Join(work, archiveName(platform, version), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("for "+platform), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	all, err := containerFiles(version, work, []file{{name: "LICENSES", text: []byte("terms")}, {name: "perfdiff.1"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range all {
		names = append(names, f.name)
		if platform, ok := strings.CutSuffix(strings.TrimPrefix(f.name, containerDir+"/"), "/perfdiff"); ok && (string(f.text) != "for "+platform || !f.runs) {
			t.Errorf("%s holds %q", f.name, f.text)
		}
	}
	slices.Sort(names)
	if want := []string{"container/LICENSES", "container/linux/amd64/perfdiff", "container/linux/arm64/perfdiff"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	text, err := os.ReadFile("../../.container/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range complaints(string(text), names) {
		t.Error("it " + c)
	}
}

// TestComplaints: each rule is seen where it is broken.
func TestComplaints(t *testing.T) {
	text, err := os.ReadFile("../../.container/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"container/LICENSES", "container/linux/amd64/perfdiff", "container/linux/arm64/perfdiff"}
	for want, edit := range map[string][2]string{
		"does not begin FROM scratch":       {"FROM scratch", "FROM debian:latest"},
		"has a second stage":                {"WORKDIR /work", "FROM scratch"},
		"has ADD":                           {"COPY --chmod=0444", "ADD --chmod=0444"},
		"has RUN":                           {"WORKDIR /work", "RUN true"},
		"copies what is not made: LICENSES": {"container/LICENSES", "LICENSES"},
		"copies without a mode: container/LICENSES /": {"--chmod=0444 ", ""},
		"runs as root":             {"USER 65532:65532", "USER root"},
		"runs as 0:0":              {"USER 65532:65532", "USER 0:0"},
		"runs as ":                 {"USER 65532:65532\n", ""},
		"ENTRYPOINT needs a shell": {`["/perfdiff"]`, "/perfdiff"},
		"starts /bin/perfdiff, which is not copied": {`["/perfdiff"]`, `["/bin/perfdiff"]`},
		"lacks title or description":                {`title="perfdiff"`, `title=""`},
		"a line is no instruction":                  {"USER", "user"},
	} {
		if !strings.Contains(string(text), edit[0]) {
			t.Fatalf("there is no %q", edit[0])
		}
		got := complaints(strings.Replace(string(text), edit[0], edit[1], 1), names)
		if !slices.ContainsFunc(got, func(c string) bool { return strings.HasPrefix(c, want) }) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := complaints(string(text), names); len(got) > 0 {
		t.Errorf("without an error: %q", got)
	}
}

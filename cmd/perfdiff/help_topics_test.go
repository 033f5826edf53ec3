package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTopics: each topic is listed and printed, every text is a topic's, and nothing but lines
// to copy is wider than a terminal.
func TestTopics(t *testing.T) {
	list, _ := mustRun(t, statusOK, "help", "topics")
	for _, topic := range topics {
		if !strings.Contains(list, "  "+topic.name+" ") || !strings.Contains(list, topic.about) {
			t.Errorf("the list lacks %s:\n%s", topic.name, list)
		}
		out, _ := mustRun(t, statusOK, "help", topic.name)
		if len(out) < 500 || strings.Contains(out, "<!--") || strings.Contains(out, "**") || strings.HasPrefix(out, "\n") {
			t.Errorf("%s: got\n%.600s", topic.name, out)
		}
		for line := range strings.Lines(out) {
			if utf8.RuneCountInString(line) > 81 && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: a line is too wide: %s", topic.name, line)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join("topics", "*"))
	if err != nil || len(files) != len(topics)-1 { // the metrics are generated
		t.Errorf("got %d texts of %d topics, %v", len(files), len(topics), err)
	}
}

// TestTopicText: a topic prints what its text says, without marks.
func TestTopicText(t *testing.T) {
	for topic, wants := range map[string][]string{
		"words":    {"drift: how much the step time rises", "imbalance: ", "tail: ", "exposed: ", "point: ", "gate: ", "run: "},
		"ci":       {"  3: nothing could be judged: no steps", "Nothing passes unmeasured", "\n  exit $status\n"},
		"verdict":  {"runs", "fails unchanged", "  NOT SURE: "},
		"findings": {"- Why the GPU did nothing. Each moment"},
		"tools":    {"  nsys-ai 0.3.0   capture spans, "},
		"record":   {"  ./profile.sh --repeat 3 candidate ", "tried with Slurm", "range_pop()"},
	} {
		out, _ := mustRun(t, statusOK, "help", topic)
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: lacks %q:\n%s", topic, want, out)
			}
		}
	}
}

// TestNoTopic: what is neither a topic nor a command is an error that names the list.
func TestNoTopic(t *testing.T) {
	out, errors := mustRun(t, statusError, "help", "bogus")
	if out != "" || !strings.Contains(errors, `there is no topic and no command "bogus"`) || !strings.Contains(errors, "perfdiff help topics") {
		t.Errorf("got %q, %q", out, errors)
	}
	for _, name := range []string{"all", "gate", "policy"} {
		if out, _ := mustRun(t, statusOK, "help", name); !strings.Contains(out, "Usage:") {
			t.Errorf("%s: got %s", name, out)
		}
	}
}

// TestReadmeIsShort: three pages. What the program prints there has words of its own.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 200 {
		t.Errorf("got %d lines, want three pages", lines)
	}
	if own := readOwn(t, "README.md", string(text)); len(strings.Fields(own)) < 400 {
		t.Errorf("only %d words are its own", len(strings.Fields(own)))
	}
}

// TestTopicWords: what help prints keeps to the same words.
func TestTopicWords(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("topics", "*.md"))
	if err != nil || len(names) < 10 {
		t.Fatalf("got %d texts, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		readOwn(t, name, string(text))
	}
}

// readOwn holds a text to a few words, and returns what is its own: neither generated, nor code, nor
// tables.
func readOwn(t *testing.T, name, text string) string {
	t.Helper()
	own := regexp.MustCompile(`(?s)<!-- \w+ -->.*?<!-- end -->`).ReplaceAllString(text, "\n\n")
	own = regexp.MustCompile(`(?m)^(    |\||#|!|\[Start).*\n`).ReplaceAllString(own, "\n\n")
	for _, foreign := range []string{" a side", " a step."} {
		if strings.Contains(own, foreign) {
			t.Errorf("%s: says %q", name, foreign)
		}
	}
	return own
}

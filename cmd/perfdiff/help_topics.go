package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"perfdiff/render"
)

// topicTexts are the reference: what perfdiff help TOPIC prints, in Markdown.
//
//go:embed topics/*.md
var topicTexts embed.FS

// topics lists the topics of perfdiff help, and what each is about. Commands with a help of their own and the metrics
// are not in it.
var topics = []struct{ name, about string }{
	{"words", "what run, step, gate, drift, tail, exposed and other terms mean"},
	{"example", "a summary as it is printed"},
	{"verdict", "how perfdiff decides, and how often it is wrong"},
	{"findings", "what findings say, and how each is measured"},
	{metricsTopic, "what is measured, by which formulas; with a name, what it needs"},
	{"inputs", "run sets, runs, ranks, steps, summaries"},
	{"record", "how to record profiles"},
	{"kernels", "kernels recorded by Nsight Compute"},
	{"cluster", "profiles on many nodes: shards, launchers, recipes"},
	{"logs", "step times of runs without a profiler"},
	{"outputs", "the files it writes, and what they tell about you"},
	{"ci", "gates, stores, waivers, exit status"},
	{"speed", "processor time, memory, size of the page"},
	{"files", "broken, hostile and very large files"},
	{"tools", "other tools beside this one"},
	{"develop", "working on perfdiff"},
	{"changes", "what changed for users, the newest first"},
}

// topicText returns the text of a topic; "" if it has none.
func topicText(name string) string {
	for _, t := range topics {
		if t.name == name {
			text, err := topicTexts.ReadFile("topics/" + name + ".md")
			if err == nil {
				return string(text)
			}
		}
	}
	return ""
}

// explainTopic prints the text of a topic.
func explainTopic(name string, stdout, stderr io.Writer) int {
	return printedStatus(stderr, render.Topic(stdout, topicText(name), textOptions(stdout)))
}

// listTopics prints which topics there are.
func listTopics(stdout, stderr io.Writer) int {
	var b strings.Builder
	b.WriteString("perfdiff help TOPIC prints the reference:\n\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "  %-10s %s\n", t.name, t.about)
	}
	b.WriteString("\nperfdiff help COMMAND prints the help of a command,\nperfdiff help all commands and flags,\nperfdiff help schema the JSON Schema of report.json.\n")
	return printText(stdout, stderr, b.String())
}

// printSchema prints the JSON Schema of a report.
func printSchema(stdout, stderr io.Writer) int {
	return printedStatus(stderr, render.WriteReportSchema(forPrograms(stdout, render.JSON)))
}

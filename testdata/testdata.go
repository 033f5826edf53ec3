// Package testdata holds the stories: small texts that say what two runs of a
// training job do, from which package synth writes profiles. Their names say
// what is wrong, and the list of them is the table of contents of what
// perfdiff understands.
package testdata

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed *.yaml
var stories embed.FS

// Names are the names of all stories, in alphabetical order.
func Names() []string {
	entries, err := stories.ReadDir(".")
	if err != nil {
		panic(err) // the files are part of the program
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	slices.Sort(names) // the files' order has "graphs-vs-eager.yaml" before "graphs.yaml"
	return names
}

// Story is the text of the story called name.
func Story(name string) ([]byte, error) {
	text, err := stories.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there is no story %q: the stories are %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}

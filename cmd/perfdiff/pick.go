package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
	"perfdiff/render/words"
)

// pick names the few steps of one run set, or of two, that are worth a person's attention.
func pick(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("pick", args, stdout, stderr, func(c *command) error {
		if format := c.line.text("format"); format != "text" && format != "json" {
			return fmt.Errorf("--format %s: must be text or json", format)
		}
		return errors.Join(c.takeRules(), c.takeReading())
	})
	if c == nil {
		return status
	}
	asJSON := c.line.text("format") == "json"
	base, cand, status := c.loadOneOrTwo(ctx, c.line.Args(), stderr)
	if base == nil {
		return status
	}
	picks, warnings := diff.Picks(base, cand, c.Policy)
	if cand != nil && diff.SameSides(base, cand) {
		printMessage(stderr, words.NotJudged, "both run sets are the same files, or one recording: no rank of one differs from the other (pick of one run set: perfdiff pick RUNSET)")
		if asJSON {
			if err := render.Picks(stdout, []render.PickedStep{}, true, render.Options{}); err != nil {
				return printedStatus(stderr, err)
			}
		}
		return statusNotJudged
	}
	list := render.PickList(picks, c.pathsOf(picks, c.line.Args()), cand != nil)
	if err := render.Picks(stdout, list, asJSON, textOptions(stdout)); err != nil {
		return printedStatus(stderr, err)
	}
	printWarnings(stderr, warnings)
	if len(picks) == 0 {
		return statusNotJudged
	}
	return statusOK
}

// loadOneOrTwo reads one run set or two; base is nil where it could not, and status says why.
func (c *command) loadOneOrTwo(
	ctx context.Context, args []string, stderr io.Writer,
) (base, cand *analyze.Set, status int) {
	if len(args) == 1 {
		base, status = c.loadOne(ctx, args[0], stderr)
		return base, nil, status
	}
	base, cand, err := c.loadPair(ctx, args[0], args[1], stderr)
	if err != nil || ctx.Err() != nil {
		return nil, nil, failed(ctx, err, "", stderr)
	}
	c.takeSets(stderr, nil, namedSides(base, cand)...)
	return base, cand, statusOK
}

// pathsOf returns the paths of the files of picks, "" where they are not found: a saved summary only holds their
// names. Names that were replaced are not looked for.
func (c *command) pathsOf(picks []diff.Pick, args []string) []string {
	out := make([]string, len(picks))
	for i := range picks {
		dir := args[len(args)-1]
		if picks[i].OfBaseline {
			dir = args[0]
		}
		if !c.anonymize && picks[i].File != "" {
			out[i] = pathBelow(dir, picks[i].File)
		}
	}
	return out
}

// pathBelow returns the path of a file of a run set, "" if it is not there. A run set can be the file.
func pathBelow(set, file string) string {
	below := filepath.Join(set, filepath.FromSlash(file))
	if _, err := os.Stat(below); err == nil {
		return below
	}
	if filepath.Base(set) == file {
		return set
	}
	return ""
}

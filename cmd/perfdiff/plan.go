package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/analyze/shard"
	"perfdiff/render"
)

// plan divides the profiles of a run set among processes that will read them.
func plan(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("plan", args, stdout, stderr, func(c *command) error {
		l := c.line
		switch n, out := l.count("shards"), l.text("output"); {
		case !l.given("shards"):
			return errors.New("--shards N is missing: how many processes are to read, as in: perfdiff plan candidate/ --shards 64 -o plan.json")
		case n < 1 || n > shard.MaxCount:
			return fmt.Errorf("--shards %d: must be 1 to %d", n, shard.MaxCount)
		case out == "":
			return errors.New("-o FILE is missing: name the file to write, as in: perfdiff plan candidate/ --shards 64 -o plan.json")
		case out != "-":
			return errors.Join(checkEnding(out, ".json"), checkWritable(out), l.checkOutputs(l.Args(), nil))
		}
		return nil
	})
	if c == nil {
		return status
	}
	set, out := c.line.Arg(0), c.line.text("output")
	files, warnings, err := analyze.Files(ctx, set)
	var p shard.Plan
	if err == nil {
		p, err = shard.MakePlan(files, c.line.count("shards"))
	}
	if err == nil && ctx.Err() == nil && out != "-" {
		err = replaceFile(out, p.Write)
	}
	if err != nil || ctx.Err() != nil {
		return failed(ctx, err, "", stderr)
	}
	for _, text := range warnings {
		printMessage(stderr, "warning", text)
	}
	switch {
	case out == "-":
		return printedStatus(stderr, p.Write(forPrograms(stdout, render.JSON)))
	case c.line.yes("quiet"):
		return statusOK
	}
	return printText(stdout, stderr, render.Plan(p, set, out))
}

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
	f := newFlags()
	n := f.Int("shards", 0, "")
	var out string
	onceFlag(f, &out, "output", "o")
	quiet := f.BoolP("quiet", "q", false, "")
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("plan"))
	case err != nil:
	case f.NArg() != 1:
		err = fmt.Errorf("expected one RUNSET, got %s", countText(f.NArg(), "argument"))
	case !f.Changed("shards"):
		err = errors.New("--shards N is missing: how many processes are to read, as in: perfdiff plan candidate/ --shards 64 -o plan.json")
	case *n < 1 || *n > shard.MaxCount:
		err = fmt.Errorf("--shards %d: must be 1 to %d", *n, shard.MaxCount)
	case out == "":
		err = errors.New("-o FILE is missing: name the file to write, as in: perfdiff plan candidate/ --shards 64 -o plan.json")
	case out != "-":
		err = errors.Join(checkEnding(out, ".json"), checkWritable(out), checkOutputs(f, f.Args(), nil))
	}
	if err != nil {
		return printError(stderr, err, "perfdiff plan --help shows usage and examples")
	}
	files, warnings, err := analyze.Files(ctx, f.Arg(0))
	var p shard.Plan
	if err == nil {
		p, err = shard.MakePlan(files, *n)
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
		if err := p.Write(forPrograms(stdout, render.JSON)); err != nil {
			return printError(stderr, writeError("standard output", err), "")
		}
		return statusOK
	case *quiet:
		return statusOK
	}
	return printText(stdout, stderr, render.Plan(p, f.Arg(0), out))
}

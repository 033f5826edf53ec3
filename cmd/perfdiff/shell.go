package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"perfdiff/cmd/perfdiff/manual"
)

// complete prints a completion script.
func complete(_ context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("completion", args, stdout, stderr, func(*command) error { return nil })
	if c == nil {
		return status
	}
	name := c.line.Arg(0)
	script, ok := manual.Complete(name, commands())
	if !ok {
		return printError(stderr, fmt.Errorf("%s: no such shell is known: must be %s", name, strings.Join(manual.Shells, ", ")), "perfdiff completion --help shows where scripts go")
	}
	return printText(stdout, stderr, script)
}

// man prints the man page.
func man(_ context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("man", args, stdout, stderr, func(*command) error { return nil })
	if c == nil {
		return status
	}
	return printText(stdout, stderr, manual.Man(strings.TrimPrefix(version(), "perfdiff "), commands()))
}

// Perfdiff compares two run sets of per-rank GPU profiles and says what
// changed, by how much, why, and how sure that is.
//
// Its manual is what it prints: perfdiff --help, perfdiff help COMMAND, perfdiff help topics and
// perfdiff man. Their texts stand in the folders help and topics, flags in flags_table.go and
// commands in commands.go.
package main

import (
	"context"
	"os"
)

func main() {
	if os.Getenv("GOGC") == "" {
		paceGarbage()
	}
	keepWithin = collectWithin
	ctx, stop := interruptible(context.Background())
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

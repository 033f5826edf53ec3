//go:build !unix

package main

import (
	"testing"
	"time"
)

// processorTime is known on Unix alone: speed is measured there.
func processorTime(b *testing.B) time.Duration {
	b.Skip("processor time is measured on Unix")
	return 0
}

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endTimeout is how long the program may take to end after a signal. Some reads cannot be interrupted, such as of a
// file on a server that does not answer. Without a limit they would hang for ever where nobody sends a second signal.
const endTimeout = 10 * time.Second

// interruptible returns a context that ends with the first signal that asks the program to end:
// an interrupt, a termination, or the loss of the terminal unless nohup ignores that. A second
// signal ends the program at once. A quit signal does so immediately, and prints Go's stacks.
// No half-written file is left in any case.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	caught := make(chan os.Signal, 1)
	asked := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		asked = append(asked, syscall.SIGHUP)
	}
	signal.Notify(caught, asked...)
	go func() {
		for s := range caught {
			if s == syscall.SIGQUIT || ctx.Err() != nil {
				endBySignal(s)
			}
			cancel()
			time.AfterFunc(endTimeout, func() { endBySignal(s) })
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		cancel()
	}
}

// endBySignal ends the program as if the signal had not been caught.
func endBySignal(s os.Signal) {
	unfinishedFiles.remove()
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second) // until it arrives
	}
	os.Exit(statusInterrupted)
}

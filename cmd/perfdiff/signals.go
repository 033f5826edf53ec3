package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long the program may take to end after a signal. What cannot be
// interrupted, such as a file on a server that does not answer, would else hang for
// ever where nobody sends a second one.
const grace = 10 * time.Second

// interruptible returns a context that ends with the first signal that asks the program
// to end: an interrupt, a termination, or the loss of the terminal, unless that is
// ignored as nohup does. The second ends the program at once. A quit does so the first
// time, with the stacks that Go prints. In any case nothing half-written stays.
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
				end(s)
			}
			cancel()
			time.AfterFunc(grace, func() { end(s) })
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		cancel()
	}
}

// end ends the program as the signal would have without being caught.
func end(s os.Signal) {
	unfinished.remove()
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second) // until it arrives
	}
	os.Exit(statusInterrupted)
}

// Command git-provenance finds the regions of your code that match known
// external code. On PATH it is also "git provenance". See package cmd.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/git-provenance/git-provenance/cmd"
)

func main() {
	easeCollector()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	// With somebody who is notified, a write to a pipe that nobody reads, as in "| head", is an error and not the end of the process:
	// temporary files are removed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(cmd.Main(ctx, os.Args[1:], os.LookupEnv, cmd.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// tool is one of the things the command does.
type tool struct {
	name, does string
	run        func(ctx context.Context, args []string, out io.Writer) error
}

var tools = []tool{
	{"measure", "prints the tables of docs/EVALUATION.md: recall, false findings, curves", measure},
	{"readings", "writes the readings of every match of a set of packages to a file", readings},
	{"refit", "searches weights on the training set and chooses on the validation set", refit},
	{"effects", "prints what moving each weight by a fifth does", effects},
	{"judge", "measures weights on the sealed set, once", judgeSealed},
	{"sum", "prints the bits of the findings in PATH line by line", sum},
	{"licences", "holds the licences of files to the labels of docs/eval/licences.tsv", licences},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := dispatch(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func dispatch(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 {
		for _, t := range tools {
			if t.name == args[0] {
				return t.run(ctx, args[1:], out)
			}
		}
	}
	var usage strings.Builder
	for _, t := range tools {
		fmt.Fprintf(&usage, "\n  %-9s %s", t.name, t.does)
	}
	return fmt.Errorf("usage: go run ./scanner/eval COMMAND [FLAG...], where COMMAND is one of%s", usage.String())
}

// say tells on standard error how far a long run has come.
func say(format string, a ...any) { fmt.Fprintf(os.Stderr, format+"\n", a...) }

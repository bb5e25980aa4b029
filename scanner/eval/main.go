package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/calibrate"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/evolution"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/licences"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/measure"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/papers"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/plagiarism"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/refit"
)

// tool is a subcommand.
type tool struct {
	name, does string
	run        func(ctx context.Context, args []string, out io.Writer) error
}

var tools = []tool{
	{"measure", "prints the tables of docs/EVALUATION.md: recall, false findings, curves", measure.Tables},
	{"readings", "writes the readings of every match of a set of packages to a file", refit.Readings},
	{"refit", "searches weights on the training set and chooses on the validation set", refit.Fit},
	{"effects", "prints what moving each weight by a fifth does", refit.Effects},
	{"judge", "measures weights on the sealed set, once", refit.Judge},
	{"sum", "prints the bits of the findings in PATH line by line", refit.Sum},
	{"unknown", "lists the findings in unknown files for a person to label", calibrate.List},
	{"calibrate", "fits the score to a table of labels, and tells how often findings are true", calibrate.Calibrate},
	{"evolution", "prints how many real edits are found, by how much of them still agrees", evolution.Tables},
	{"papers", "repeats the experiments of the papers behind the program", papers.Run},
	{"licences", "holds the licences of files to the labels of docs/eval/licences.tsv", licences.Check},
	{"plagiarism", "makes labelled pairs of programs, and measures how tools rank them", plagiarism.Main},
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
		fmt.Fprintf(&usage, "\n  %-10s %s", t.name, t.does)
	}
	return fmt.Errorf("usage: go run ./scanner/eval COMMAND [FLAG...], where COMMAND is one of%s", usage.String())
}

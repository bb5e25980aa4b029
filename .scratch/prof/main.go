package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
func main() {
	b, err := baseline.Open(context.Background(), os.Args[1])
	if err != nil {
		panic(err)
	}
	s, err := scanner.New([]*baseline.Baseline{b}, scanner.Options{})
	if err != nil {
		panic(err)
	}
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	for range 3 {
		t := cpu()
		r, err := s.Tree(context.Background(), nil, os.Args[2], nil)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, len(r.Findings), cpu()-t)
	}
}

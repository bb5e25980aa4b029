package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

var last float64

func lap(s string) {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	c := float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
	fmt.Printf("%-12s %.1f ms\n", s, c-last)
	last = c
}
func main() {
	lap("start")
	b, _ := baseline.Open(context.Background(), os.Args[1])
	lap("open")
	b.Model()
	lap("model")
	model.Prior()
	lap("prior")
	model.Prior().Of("java")
	lap("prior java")
	src, _ := os.ReadFile(os.Args[2])
	lang.Detect(os.Args[2], src)
	lap("detect")
	z := lang.NewTokenizer(lang.Limits{})
	z.Tokenize(lang.ByName("java"), src)
	lap("tokenize")
	s, _ := scanner.New([]*baseline.Baseline{b}, scanner.Options{})
	lap("new")
	runtime.SetCPUProfileRate(1000)
	f, _ := os.Create("/tmp/me-start.prof")
	pprof.StartCPUProfile(f)
	s.Snippet(context.Background(), src, "java")
	pprof.StopCPUProfile()
	lap("snippet")
	s.Snippet(context.Background(), src, "java")
	lap("snippet again")
	s.Tree(context.Background(), nil, os.Args[3], nil)
	lap("tree")
}

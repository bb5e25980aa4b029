//go:build cgo && unix

package lang

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// The benchmarks take the directory named by the environment variable CORPUS:
//
//	CORPUS=dir go test -run - -bench . -benchtime 3x ./lang

type document struct {
	lang *Language
	src  []byte
}

func corpus(b *testing.B) (docs []document, bytes int64) {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		b.Skip("set CORPUS to a directory of source files")
	}
	grammars(b)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if d := Detect(path, src); d.Language.grammar != nil && d.Skip == "" {
			docs, bytes = append(docs, document{d.Language, src}), bytes+int64(len(src))
		}
		return err
	})
	if err != nil || len(docs) == 0 {
		b.Fatalf("corpus %q: %d documents, %v", dir, len(docs), err)
	}
	return docs, bytes
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bareParse parses all documents with one plain parser per language.
func bareParse(b *testing.B, docs []document) time.Duration {
	parsers := map[*Language]*sitter.Bare{}
	for _, d := range docs {
		if parsers[d.lang] == nil {
			p := sitter.NewBare(d.lang.grammar())
			defer p.Close()
			parsers[d.lang] = p
		}
	}
	start := cpu()
	for _, d := range docs {
		if !parsers[d.lang].Parse(d.src) {
			b.Fatal("bare parse failed")
		}
	}
	return cpu() - start
}

func tokenizeAll(b *testing.B, docs []document) (time.Duration, int) {
	z := NewTokenizer(Limits{})
	defer z.Close()
	tokens := 0
	start := cpu()
	for _, d := range docs {
		s, err := z.Tokenize(d.lang, d.src)
		if err != nil {
			b.Log(err)
		}
		tokens += len(s.Tokens)
	}
	return cpu() - start, tokens
}

func BenchmarkBareParse(b *testing.B) {
	docs, bytes := corpus(b)
	b.SetBytes(bytes)
	var used time.Duration
	for b.Loop() {
		used += bareParse(b, docs)
	}
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
}

// BenchmarkTokenize reports the CPU time as a share of the bare parse of the
// same files, taken in turns.
func BenchmarkTokenize(b *testing.B) {
	docs, bytes := corpus(b)
	b.SetBytes(bytes)
	var used, bare time.Duration
	var tokens int
	for b.Loop() {
		b.StopTimer()
		bare += bareParse(b, docs)
		b.StartTimer()
		u, n := tokenizeAll(b, docs)
		used, tokens = used+u, tokens+n
	}
	b.ReportMetric(used.Seconds()/bare.Seconds(), "x-bare")
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(tokens)/1e6/used.Seconds(), "Mtok/cpu-s")
}

// BenchmarkLexers reports the CPU time of the lexers alone, as a share of the
// bare parse of the same files, taken in turns. Files a lexer refuses are left out.
func BenchmarkLexers(b *testing.B) {
	docs, _ := corpus(b)
	var bytes int64
	docs = slices.DeleteFunc(docs, func(d document) bool {
		if d.lang.spec.lexer == nil {
			return true
		}
		_, ok := d.lang.spec.lexer(nil, d.src)
		if ok {
			bytes += int64(len(d.src))
		}
		return !ok
	})
	b.SetBytes(bytes)
	var used, bare time.Duration
	var buffer []Token
	var tokens int
	for b.Loop() {
		b.StopTimer()
		bare += bareParse(b, docs)
		b.StartTimer()
		start := cpu()
		for _, d := range docs {
			buffer, _ = d.lang.spec.lexer(buffer[:0], d.src)
			tokens += len(buffer)
		}
		used += cpu() - start
	}
	b.ReportMetric(used.Seconds()/bare.Seconds(), "x-bare")
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(tokens)/1e6/used.Seconds(), "Mtok/cpu-s")
}

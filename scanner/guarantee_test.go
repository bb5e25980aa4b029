package scanner_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// oracle knows every run of t tokens of some documents.
type oracle struct {
	t    int
	runs map[string]bool
}

func run(toks []lang.Token) string {
	b := make([]byte, 0, 5*len(toks))
	for _, k := range toks {
		b = append(b, byte(k.Kind), byte(k.Kind>>8), byte(k.Kind>>16), byte(k.Kind>>24), byte(k.Class))
	}
	return string(b)
}

func newOracle(t testing.TB, n int, f files) *oracle {
	o := &oracle{n, make(map[string]bool)}
	for _, text := range f {
		toks := tokens(t, text)
		for i := 0; i+n <= len(toks); i++ {
			o.runs[run(toks[i:i+n])] = true
		}
	}
	return o
}

// shared returns the first tokens of the runs that a target shares with a document.
func (o *oracle) shared(toks []lang.Token) []int {
	var at []int
	for i := 0; i+o.t <= len(toks); i++ {
		if o.runs[run(toks[i:i+o.t])] {
			at = append(at, i)
		}
	}
	return at
}

// TestGuarantee compares the scan with brute force: every run of t tokens shared with a document is in the findings, unless the
// ledger names a reason. Half of the run is enough, because findings do not overlap and a neighbour can get its end. The runs are
// put into other real code at token boundaries. The parser may change some of them, but the scan sees the same tokens as the
// oracle.
func TestGuarantee(t *testing.T) {
	names := []string{"strings/replace.go", "compress/flate/huffman_code.go", "compress/flate/inflate.go", "encoding/base64/base64.go", "container/list/list.go"}
	hosts := []string{"encoding/csv/reader.go", "net/url/url.go", "text/tabwriter/tabwriter.go", "container/ring/ring.go", "bufio/scan.go"}
	origins := stdFiles(t, names...)
	secret := fingerprint.NewKey([]byte("a secret of enough bytes"))
	for _, c := range []struct {
		p   fingerprint.Params
		key fingerprint.Key
	}{{p: baseline.Defaults}, {p: fingerprint.Params{K: 12, W: 8}}, {p: fingerprint.Params{K: 25, W: 1}}, {baseline.Defaults, secret}} {
		p := c.p
		t.Run(fmt.Sprintf("k%d w%d key%s", p.K, p.W, c.key.Check()), func(t *testing.T) {
			b := open(t, buildKeyed(t, t.TempDir(), p, c.key, pack{stdPURL, "BSD-3-Clause", "2023-02-01", origins}), c.key)
			n := p.T()
			o := newOracle(t, n, origins)
			s := scan(t, scanner.Options{Options: examine.Options{MinTokens: n, MinScore: 1e-300}}, b)
			rnd := rand.New(rand.NewPCG(uint64(p.K), uint64(p.W)))
			whole, survived := 0, 0
			for round := range 60 {
				from, host := origins[names[rnd.IntN(len(names))]], std(t, hosts[rnd.IntN(len(hosts))])
				size := n + rnd.IntN(200-n+1)
				if round%3 == 0 {
					size = n
				}
				src, at := inject(t, rnd, host, from, size)
				toks := tokens(t, src)
				shared := o.shared(toks)
				if slices.ContainsFunc(shared, func(i int) bool { return int(toks[i].Start) >= at }) {
					survived++
				}
				r := tree(t, s, files{"x.go": src}.dir(t))
				if excused(r) {
					continue
				}
				whole++
				lines := lang.Lines([]byte(src))
				for _, i := range shared {
					if c := covered(r, lines, toks[i:i+n]); c < n/2 {
						t.Errorf("round %d: %d of the %d tokens of the shared run at token %d, line %d, are in a finding:%s\nledger %v\n%s",
							round, c, n, i, lines.Line(toks[i].Start), list(r), r.Ledger, src[toks[i].Start:toks[i+n-1].End])
					}
				}
			}
			if whole < 40 || survived < 40 {
				t.Errorf("only %d of 60 targets were examined wholly, %d runs survived", whole, survived)
			}
		})
	}
}

// inject puts size tokens of a text between two tokens of another, with the layout between them.
func inject(t testing.TB, rnd *rand.Rand, host, from string, size int) (src string, at int) {
	ht, ft := tokens(t, host), tokens(t, from)
	size = min(size, len(ft))
	i, j := rnd.IntN(len(ft)-size+1), rnd.IntN(len(ht))
	at = int(ht[j].Start)
	return host[:at] + "\n" + from[ft[i].Start:ft[i+size-1].End] + "\n" + host[at:], at
}

// covered counts the tokens on lines of matched runs. The lines of a finding leave out accidental tokens at its ends.
func covered(r *finding.Report, lines lang.LineIndex, toks []lang.Token) int {
	n := 0
	for _, k := range toks {
		l := lines.Line(k.Start)
		on := func(r finding.Run) bool { return r.StartLine <= l && l <= r.EndLine }
		if slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return slices.ContainsFunc(f.Runs, on) }) {
			n++
		}
	}
	return n
}

// excused reports whether the ledger says that not everything was followed.
func excused(r *finding.Report) bool {
	return slices.ContainsFunc(r.Ledger, func(e finding.Entry) bool {
		return e.Reason == finding.ReasonCommon || e.Reason == finding.ReasonRepetitive
	})
}

package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

const (
	ledgerOwn = `func (l *Ledger) Close(day time.Time) error {
	for name, account := range l.accounts {
		if account.balance < account.limit {
			return fmt.Errorf("close %s at %v: balance %d", name, day, account.balance)
		}
		account.closed = day
		l.closed = append(l.closed, account)
	}
	return l.store.Save(day)
}

`
	ledgerCopied = `func (q *Quorum) Elect(voters []Voter, term uint64) (Voter, error) {
	tally := make(map[string]int, len(voters))
	for _, voter := range voters {
		if voter.term > term {
			return Voter{}, errStaleTerm
		}
		if choice := voter.Choose(q.candidates); choice != "" {
			tally[choice]++
		}
		if tally[voter.name] > len(voters)/2 {
			return voter, nil
		}
	}
	return Voter{}, errNoMajority
}
`
)

// alike returns the tokens of a text with only two names, in turns, so that no one-to-one map of names exists.
func alike(t *testing.T, text string) string {
	var b strings.Builder
	at, n := uint32(0), 0
	for _, k := range tokens(t, text) {
		if k.Class == lang.Identifier {
			b.WriteString(text[at:k.Start] + []string{"account", "balance"}[n%2])
			at, n = k.End, n+1
		}
	}
	return b.String() + text[at:]
}

// TestSecondRegion: a long match with one document that has too few bits, since its names disagree, does not hide a shorter copy
// from another document inside it.
func TestSecondRegion(t *testing.T) {
	const pkg = "package ledger\n\n"
	long := pack{"pkg:generic/lookalike@1", "MIT", "2020-01-01", files{"alike.go": alike(t, pkg+ledgerOwn+ledgerCopied)}}
	short := pack{"pkg:generic/quorum@1", "MIT", "2020-01-01", files{"elect.go": "package quorum\n\n" + ledgerCopied}}
	target := files{"ledger.go": pkg + ledgerOwn + ledgerCopied}.dir(t)
	rest := pack{"pkg:generic/rest@1", "MIT", "2020-01-01", stdPackages(t, "net/http", "go/types", "reflect")} // in one file alone anything is a copy
	if r := tree(t, scan(t, scanner.Options{}, based(t, long, rest)), target); len(r.Findings) > 0 {
		t.Fatalf("the lookalike is a finding:%s", list(r))
	}
	r := tree(t, scan(t, scanner.Options{}, based(t, long, short, rest)), target)
	if len(r.Findings) != 1 || r.Findings[0].Origins[0].Path != "elect.go" || r.Findings[0].StartLine != 14 {
		t.Errorf("findings:%s\nledger %v", list(r), r.Ledger)
	}
}

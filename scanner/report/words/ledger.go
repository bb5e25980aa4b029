package words

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// Suppression tells on one line what a suppression is and what became of it.
func Suppression(s *finding.Suppression) string {
	place := escape.Line(s.Path)
	if s.Line > 0 {
		place += fmt.Sprintf(":%d", s.Line)
	}
	if s.State == finding.Changed {
		return place + ": " + escape.Line(s.Detail)
	}
	out := place + ": " + escape.Line(s.State) + " allowance"
	if s.By == "known" {
		out = place + ": earlier report"
	}
	if s.Added {
		out += ", added by this very change"
	}
	switch {
	case s.Detail != "":
		out += ": " + escape.Line(s.Detail)
	case s.State == finding.Expired:
		out += ": it held until " + escape.Line(s.Expires)
	case s.Findings > 0:
		out += ": " + Plural(s.Findings, "finding")
	}
	if s.Reason != "" {
		out += fmt.Sprintf(" (\"%s\")", escape.Line(s.Reason))
	}
	return out
}

// ReasonCount counts the entries of the ledger with one reason.
type ReasonCount struct {
	Reason lang.Reason
	N      int
}

// CountReasons counts entries by reason, the commonest first.
func CountReasons(es []finding.Entry) []ReasonCount {
	at := make(map[lang.Reason]int)
	var out []ReasonCount
	for _, e := range es {
		i, ok := at[e.Reason]
		if !ok {
			i = len(out)
			at[e.Reason] = i
			out = append(out, ReasonCount{Reason: e.Reason})
		}
		out[i].N++
	}
	slices.SortFunc(out, func(a, b ReasonCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// ReasonMeaning says what a reason of the ledger means to whoever reads it for the
// first time.
func ReasonMeaning(r lang.Reason) string {
	switch r {
	case finding.ReasonConfigured:
		return "the configuration of the repository makes the scan see less"
	case finding.ReasonExcluded:
		return "left out by a pattern of the configuration"
	case finding.ReasonVendored:
		return "in a directory that a package manager fills"
	case finding.ReasonUnreadable:
		return "could not be read"
	case finding.ReasonParseErrors:
		return "examined, with syntax errors"
	case finding.ReasonCommon:
		return "some token sequences occur more often than the 64 positions that the index stores"
	case finding.ReasonSanctioned:
		return "the match is with code that was named as permitted"
	case finding.ReasonToolWritten:
		return "functions that a transpiler, a bundler or an IDE writes for everybody"
	case finding.ReasonRepetitive:
		return "too many equal token sequences to follow all of them"
	case finding.ReasonOwnPackage:
		return "the match is with the repository's own package"
	case finding.ReasonWithin:
		return "matches that are a small part of a verified one"
	case finding.ReasonOutranked:
		return "pairs that were not compared, since others have more fingerprints in common"
	case finding.ReasonOutdated:
		return "documents of the baseline whose language has changed since they were indexed"
	case finding.ReasonBelowThreshold:
		return "matches with too little information to be a finding"
	case lang.Binary, lang.Data, lang.Empty:
		return "no source code"
	case lang.NULBytes, lang.InvalidUTF8:
		return "examined, with bytes that are no text"
	case lang.Minified:
		return "minified"
	case lang.LicenceText:
		return "texts of licences, and notices"
	case lang.TooLarge, lang.TooManyTokens, lang.Budget, lang.Memory, lang.Timeout:
		return "examined in part or not at all, to bound time and memory"
	case lang.ParserFailed:
		return "the parser could not read it"
	}
	return ""
}

package words

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// Suppression describes a suppression and its effect on one line.
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

// CountReasons counts entries by reason, the most frequent first.
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

// ReasonMeaning explains a reason of the ledger to a new reader; docs/LEDGER.md lists all reasons.
func ReasonMeaning(r lang.Reason) string { return meanings[r] }

var meanings = map[lang.Reason]string{
	lang.Empty:         "no bytes",
	lang.Binary:        "no text: a NUL byte or a tenth of control characters near the start, or the start of a known format",
	lang.Data:          "data or settings by name, such as JSON, lock files, .eslintrc.js, eslint.config.js, Package.swift, MODULE.bazel",
	lang.LicenceText:   "a licence text, a notice, a list of credits, by name; a text that begins as a long licence does; the Contributor Covenant",
	lang.Minified:      "minified: lines longer than 200 bytes on average",
	lang.Notebook:      "a Jupyter notebook: only its code is read, in the language of its kernel",
	lang.Scripts:       "examined as words, with its scripts: they are less than a tenth of the page",
	lang.NULBytes:      "examined as words: there are NUL bytes in it",
	lang.InvalidUTF8:   "examined: each byte that is not UTF-8 is read as a letter",
	lang.TooLarge:      "larger than --max-file-size",
	lang.TooManyTokens: "more tokens than are examined",
	lang.Budget:        "more steps of work than one file may take",
	lang.Memory:        "more memory than one file may take",
	lang.Timeout:       "more time than one file may take",
	lang.ParserFailed:  "the parser could not read it",
	lang.NoGrammar:     "examined as words: only a grammar can read it, and a build without cgo has none",

	finding.ReasonExcluded:    "left out by a pattern of the user",
	finding.ReasonConfigured:  "the repository's configuration makes the scan see less",
	finding.ReasonVendored:    "in a directory that a package manager fills: its packages are listed instead",
	finding.ReasonUnreadable:  "the file system refused to read it",
	finding.ReasonMissing:     "the repository lacks the content: the scan is incomplete",
	finding.ReasonDamaged:     "the content is damaged: the scan is incomplete",
	finding.ReasonParseErrors: "examined, with syntax errors",

	lang.Reason(git.ReasonSymlink):       "a symbolic link, never followed",
	lang.Reason(git.ReasonSubmodule):     "a commit of another repository, or a repository in this one",
	lang.Reason(git.ReasonSpecial):       "a device, a socket, a pipe, or data of the repository itself",
	lang.Reason(git.ReasonConflict):      "an entry of the index that is not merged",
	lang.Reason(git.ReasonIntentToAdd):   "nothing is staged yet: git add -N",
	lang.Reason(git.ReasonNotCheckedOut): "not checked out: a sparse work tree",
	lang.Reason(git.ReasonLFS):           "a pointer: the content lies in a Git LFS store",
	lang.Reason(git.ReasonShallow):       "the history is cut off here: everything in this commit counts as older, and the scan is incomplete",
	lang.Reason(git.ReasonMalformed):     "objects that git would not have written",

	finding.ReasonCommon:         "some token sequences occur more often than the 64 positions that the index stores",
	finding.ReasonBaseCode:       "the match is with code that was named as permitted",
	finding.ReasonToolWritten:    "what a transpiler, a bundler, a build tool or an IDE writes for everybody",
	finding.ReasonRepetitive:     "too many equal token sequences to follow all of them",
	finding.ReasonCrowded:        "tables, comments or derived code in more documents than are compared",
	finding.ReasonOwnPackage:     "the match is with the repository's own package",
	finding.ReasonWithin:         "matches that are a small part of a verified one",
	finding.ReasonBelowThreshold: "matches with too little information to be a finding",
	finding.ReasonOutranked:      "pairs that are not listed, since others have more fingerprints in common",
	finding.ReasonWithoutText:    "comments of documents of which the baseline has no text",
	finding.ReasonOutdated:       "documents of the baseline whose language has changed since they were indexed",
	finding.ReasonUndated:        "a history or a list of versions could not be read, so that dates are missing",
}

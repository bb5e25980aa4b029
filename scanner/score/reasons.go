package score

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Account holds the data of a finding that Reasons explains.
type Account struct {
	Evidence
	Support  float64 // bits of the strongest other finding from the same document
	MinScore float64 // score that was asked for
	Score    float64
	ScoredBy Traits
	Tokens   int // matched
	Runs     int
	Rest     int     // tokens that agree in the rest of a function; they are no evidence
	File     int     // tokens of the file
	Baseline uint64  // tokens of all baselines
	Less     float64 // bits that it needs fewer than a match; see Derived
	Within   uint64  // tokens of the one origin file that it was compared with; 0: all baselines
	Packages int     // packages of the baseline that have the region
	Plain    bool    // the file is a document, a page or settings
	Table    bool    // the match is a table of numbers
}

// Reasons explains in words why a finding has its score: the total, then a sum of signed terms, then remarks on what they count.
func (w *Weights) Reasons(a Account) []string {
	total := w.Supported(a.Bits, a.Support)
	among, what := a.Baseline, "baseline"
	if a.Within > 0 {
		among, what = a.Within, "other regions are of one origin file"
	}
	asked := ""
	if a.MinScore < Enough {
		asked = fmt.Sprintf(" for score %g", a.MinScore)
	}
	out := []string{fmt.Sprintf("%.1f bits; %.1f bits needed%s (file: %s; %s: %s)",
		total, w.Needed(a.MinScore, among, a.File)-a.Less, asked, counted(uint64(a.File), "token"), what, counted(among, "token"))}
	if a.MinScore == 0 {
		out[0] = fmt.Sprintf("%.1f bits; none needed for score 0", total)
	}
	if a.Derived {
		out = append(out, w.derivedTerms(a)...)
	} else {
		out = append(out, w.terms(a)...)
	}
	if a.Support > 0 {
		out = append(out, fmt.Sprintf("= %.1f bits in this region", a.Bits),
			fmt.Sprintf("%+.1f bits: another region (%.1f bits) matches the same origin file; %.0f%% of the smaller is added", total-a.Bits, a.Support, 100*w.Support))
	}
	out = append(out, fmt.Sprintf("= %.1f bits", total), scored(a))
	if len(a.Rare) > 0 {
		out = append(out, "rare names and literals that are unchanged: "+strings.Join(shortened(a.Rare), ", "))
	}
	if a.Rest > 0 {
		out = append(out, counted(uint64(a.Rest), "token")+" more agree in the rest of the same function: shown, and no evidence")
	}
	if a.Fixed > 0 {
		out = append(out, counted(uint64(a.Fixed), "token")+" of signatures that a trait, an interface or an imported package fixes: no evidence")
	}
	if a.Words != "" {
		out = append(out, fmt.Sprintf("the rarest words: %q", cutTo(a.Words, 80)))
	}
	return append(out, fmt.Sprintf("%s of the baseline %s the region (all versions of a package count once)", counted(uint64(a.Packages), "package"), contain(a.Packages)))
}

// scored explains the score.
func scored(a Account) string {
	by := []string{fmt.Sprintf("%.1f bits above what is needed", a.ScoredBy.Above)}
	if a.ScoredBy.Above < 0 {
		by[0] = fmt.Sprintf("%.1f bits short of what is needed", -a.ScoredBy.Above)
	}
	if a.Plain {
		by = append(by, fmt.Sprintf("%.0f%% of the file agrees", 100*a.ScoredBy.Share))
	} else {
		by = append(by, fmt.Sprintf("%.0f%% of the evidence is the order of the tokens", 100*a.ScoredBy.Order))
	}
	if a.Identifiers > 0 {
		by = append(by, fmt.Sprintf("%.0f%% of the name occurrences are unchanged", 100*a.ScoredBy.Unchanged))
	}
	if a.ScoredBy.Supported {
		by = append(by, "another region supports it")
	}
	if a.Table && a.Score == mostOfTable {
		by = append(by, "the most that a table of numbers can have")
	}
	return fmt.Sprintf("score %.2f: %s", a.Score, strings.Join(by, ", "))
}

func contain(n int) string {
	if n == 1 {
		return "contains"
	}
	return "contain"
}

// part is a term of a sum and the words that explain it.
type part struct {
	bits  float64
	words string
}

// listedParts formats the parts that are not 0, with their signs.
func listedParts(ps []part) (out []string) {
	for _, p := range ps {
		if math.Abs(p.bits) >= 0.05 {
			out = append(out, fmt.Sprintf("%+.1f bits: %s", p.bits, p.words))
		}
	}
	return out
}

// terms lists the terms of a region's bits that are not 0, with their signs.
func (w *Weights) terms(a Account) []string {
	order := "the order of " + counted(uint64(a.Tokens), "token")
	if a.Runs > 1 {
		order += fmt.Sprintf(" in %d runs, less the cost of %s", a.Runs, counted(uint64(a.Runs-1), "gap"))
	}
	few := "few names differ"
	if a.Unchanged == a.Identifiers {
		few = "no name differs"
	}
	return listedParts([]part{
		{a.Structure, order},
		{a.Names, fmt.Sprintf("%d of %s unchanged", a.Unchanged, counted(uint64(a.Identifiers), "name occurrence"))},
		{a.Map, counted(uint64(len(a.Renames)), "name") + " renamed" + consistency(a.Renames)},
		{a.Verbatim, few + "; unrelated code has names of its own"},
		{a.Values, fmt.Sprintf("%d of %s equal", a.Equal, counted(uint64(a.Literals), "literal"))},
		a.comments(),
		{-a.Against, counted(uint64(a.Inconsistent), "name occurrence") + " renamed inconsistently"},
		{-a.Unequal, fmt.Sprintf("%d of %s not equal", a.Literals-a.Equal, counted(uint64(a.Literals), "literal"))},
		{-a.Edges, "boundary penalty: partial lines or unpaired brackets"},
		{-a.Brief, fmt.Sprintf("a match this short: %s fewer than %.0f", counted(uint64(math.Round(a.Brief/max(w.Brief, 1))), "token"), a.Below)},
		{-a.Frequency, w.frequency(a)},
	})
}

// Consistently reports whether renamed names show that one map was used. most is how often the most frequent renamed name occurs:
// if each occurs once, nothing shows it.
func Consistently(most int) bool { return most > 1 }

// consistency says whether renamed names show one map.
func consistency(renames []Rename) string {
	if len(renames) > 0 && Consistently(renames[0].Count) { // the most frequent
		return " consistently"
	}
	return " (each once)"
}

func (w *Weights) frequency(a Account) string {
	return fmt.Sprintf("document frequency: on average %.1f directories of the baseline contain a k-gram of it", math.Exp2(a.Frequency/w.Frequency))
}

// derivedTerms lists the terms of an alignment.
func (w *Weights) derivedTerms(a Account) []string {
	return append([]string{"edited throughout: the evidence of all runs is added up, along the best alignment of both sides"}, listedParts([]part{
		{a.Structure, fmt.Sprintf("the order of %s in %s", counted(uint64(a.Tokens), "token"), counted(uint64(a.Runs), "run"))},
		{a.Names, fmt.Sprintf("%d of %s unchanged; rare ones count more", a.Unchanged, counted(uint64(a.Identifiers), "name occurrence"))},
		{a.Values, fmt.Sprintf("%d of %s equal", a.Equal, counted(uint64(a.Literals), "literal"))},
		a.comments(),
		{-a.Against, counted(uint64(a.Identifiers-a.Unchanged), "name occurrence") + " that " + differ(a.Identifiers-a.Unchanged)},
		{-a.Unequal, "tokens of either side between the runs"},
		{-a.Brief, "an alignment this short"},
		{-a.Frequency, w.frequency(a)},
	})...)
}

func differ(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// counted returns a number with commas and its noun.
func counted(n uint64, noun string) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return s + " " + noun
}

// shortened cuts long names.
func shortened(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = cutTo(n, 32)
	}
	return out
}

func cutTo(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// Documentation explains in words why an equal comment is a finding.
func (w *Weights) Documentation(a Account) []string {
	r, bare := a.CommentRuns[0], ""
	if r.Bare > 0 {
		bare = fmt.Sprintf(" (%d of them numbers, which count nothing)", r.Bare)
	}
	return []string{
		fmt.Sprintf("%.1f bits; %.1f bits needed (file: %s; baseline: %s)", a.Bits, w.Needed(a.MinScore, a.Baseline, a.File),
			counted(uint64(a.File), "token"), counted(a.Baseline, "token")),
		fmt.Sprintf("%+.1f bits: documentation copied: %s%s of one comment agree in their order: %q", a.Bits, counted(uint64(r.Words), "word"), bare, cutTo(r.Text, 80)),
		"the code beside it was compared too, and is no finding with this package",
		fmt.Sprintf("%s of the baseline %s the comment (all versions of a package count once)", counted(uint64(a.Packages), "package"), contain(a.Packages)),
	}
}

// comments explains the bits of comments beside the match. It shows the longest run.
func (e Evidence) comments() part {
	if len(e.CommentRuns) == 0 {
		return part{}
	}
	r, all := e.CommentRuns[0], 0
	for _, o := range e.CommentRuns {
		if all += o.Words; o.Words > r.Words {
			r = o
		}
	}
	words := fmt.Sprintf("the comment at %s agrees with %s of the origin in %s: %q", lines(r.Line, r.Last), lines(r.Origin, r.Behind), counted(uint64(r.Words), "word"), cutTo(r.Text, 80))
	if n := len(e.CommentRuns); n > 1 {
		words += fmt.Sprintf("; with others beside it %s", counted(uint64(all), "word"))
	}
	return part{e.Comments, words}
}

func lines(from, to int) string {
	if from == to {
		return fmt.Sprintf("line %d", from)
	}
	return fmt.Sprintf("lines %d-%d", from, to)
}

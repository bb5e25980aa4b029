package evidence

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Bounds of the comments beside a match.
const (
	besideReach = 48   // tokens before a match whose comments belong to it
	besideWords = 12   // of a comment beside a match, at least
	besideMost  = 2048 // words beside a match that are compared
)

// beside adds the words that comments beside a match have in common to its evidence, if the match may not have enough bits
// without them.
func (j *Judge) beside(e score.Evidence, p Proof) score.Evidence {
	w := j.text.Rules.CommentWeights
	if j.text.Language == lang.Words() || e.Bits >= w.Full || e.Bits+w.Most < j.text.NeededBy(e, j.text.Rules.MinScore) || e.Bits == 0 {
		return e
	}
	from, to := p.Match.Origin()
	here := besideOf(j.text.Text, j.text.Tokens, p.From, p.To)
	if len(here.List) == 0 {
		return e
	}
	low := max(0, int(from)-besideReach-1)
	there := besideOf(p.Doc.Text(), p.Doc.Stream.AppendTokens(nil, uint32(low), to), from-uint32(low), to-uint32(low))
	withoutEqual(here, there)
	runs := comments.Shared(here, there, besideWords)
	if len(runs) == 0 {
		return e
	}
	lines := lang.Lines(p.Doc.Text())
	var shared []score.CommentRun
	for _, r := range runs {
		a, b := here.Words[r.Target:r.Target+r.Len], there.Words[r.Origin:r.Origin+r.Len]
		shared = append(shared, j.CommentRun(a, b, &lines))
	}
	return w.Beside(e, shared)
}

// Commented reports whether the text has comments beside a match, which may add bits to it.
func (j *Judge) Commented(p Proof) bool {
	return j.text.Language != lang.Words() && len(besideOf(j.text.Text, j.text.Tokens, p.From, p.To).List) > 0
}

// withoutEqual leaves out docstrings that are equal on both sides: they count as literals.
func withoutEqual(here, there *lang.Comments) {
	here.List = slices.DeleteFunc(here.List, func(a lang.Comment) bool {
		return a.Quoted && slices.ContainsFunc(there.List, func(b lang.Comment) bool {
			return b.Quoted && slices.EqualFunc(here.Words[a.From:a.To], there.Words[b.From:b.To], func(v, w lang.Token) bool { return v.Kind == w.Kind })
		})
	})
}

// CommentRun returns a shared run of words in the form that a report shows.
func (j *Judge) CommentRun(here, there []lang.Token, lines *lang.LineIndex) score.CommentRun {
	first, last := here[0], here[len(here)-1]
	return score.CommentRun{Words: len(here), Bare: bare(j.text.Text, here), Line: j.text.Lines.Line(first.Start), Last: j.text.Lines.Line(last.End - 1),
		Origin: lines.Line(there[0].Start), Behind: lines.Line(there[len(there)-1].End - 1), Text: wording(j.text.Text, here)}
}

// bare counts the words of a run that begin with a digit. They are no evidence: two tables in comments, such as matrices of zeros
// and ones, agree although nobody copied.
func bare(text []byte, words []lang.Token) (n int) {
	for _, w := range words {
		if c := text[w.Start]; '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// wording puts a run of words on one line.
func wording(text []byte, words []lang.Token) string {
	var b bytes.Buffer
	for i, w := range words[:min(len(words), 24)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(text[w.Start:w.End])
	}
	return string(bytes.ToValidUTF8(b.Bytes(), []byte("?")))
}

// besideOf reads the comments within the tokens [from, to) of a match, and those right before it. A docstring is a literal
// too. It counts as a literal if all of it agrees.
func besideOf(text []byte, toks []lang.Token, from, to uint32) *lang.Comments {
	low := max(0, int(from)-besideReach)
	begin := uint32(0)
	if low > 0 {
		begin = toks[low-1].End
	}
	c := new(lang.Comments)
	c.Read(text[:toks[to-1].End], int(begin), toks[low:to], besideWords)
	c.List = comments.Distinctive(text, c.Words, c.List)
	c.List = slices.DeleteFunc(c.List, func(of lang.Comment) bool { return of.To > besideMost })
	return c
}

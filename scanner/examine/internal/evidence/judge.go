package evidence

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// Judge computes the evidence of the matches of a text.
type Judge struct{ text *text.Examined }

// NewJudge returns a judge of the matches of the text that t currently holds.
func NewJudge(t *text.Examined) *Judge { return &Judge{t} }

// Weigh computes the evidence of a match: from names and literals of both sides, and from the comments beside it.
func (j *Judge) Weigh(p Proof) (score.Evidence, error) {
	_, e, err := j.weighCode(p)
	if err != nil {
		return score.Evidence{}, err
	}
	return j.beside(e, p), nil
}

// Readings returns the readings that a match is weighed by.
func (j *Judge) Readings(p Proof) (score.Readings, error) {
	r, _, err := j.weighCode(p)
	return r, err
}

// weighCode computes the evidence of a match without the comments beside it, and its readings. It reads the text of the document.
func (j *Judge) weighCode(p Proof) (r score.Readings, e score.Evidence, err error) {
	if _, err = p.Doc.Read(); err != nil {
		return r, e, err
	}
	r = j.readSides(p)
	e, used := j.text.Rules.Weights.Weigh(r), false
	if p.Derived || j.text.Rules.Weights.Reaches(e.Bits+j.text.Rules.CommentWeights.Most, j.text.Needed(score.Enough)) {
		if used, err = j.withoutImportedNames(&r, p); err != nil {
			return r, e, err
		}
	}
	switch {
	case p.Derived:
		e = j.text.Rules.Derived.Weigh(j.text.Rules.Weights, r)
		e.Whole, e.Named = j.ofFunction(p)
	case used:
		e = j.text.Rules.Weights.Weigh(r)
	}
	if j.ofGenerator(e, p) || j.ofLicence(e, p) {
		e.Bits = 0
	}
	return r, e, nil
}

// ofFunction looks for the function that most of a match is in. whole reports whether there is one on both sides, and the match has
// half of it. named reports whether both functions also have the same rare name, and both sides declare it. A method that is marked
// as an override does not declare its name.
func (j *Judge) ofFunction(p Proof) (whole, named bool) {
	f, g, ok := j.function(p)
	if !ok {
		return false, false
	}
	name, namesake := j.namesake(p, f, g)
	return true, namesake && j.text.Declared()[name] && len(p.Doc.Undeclares([]string{name})) == 0
}

// function returns the function of each side that most of a match is in, if the match has half of both functions.
func (j *Judge) function(p Proof) (here, there functions.Function, ok bool) {
	for _, f := range j.text.Functions() {
		if f.To <= int(p.From) || int(p.To) <= f.From {
			continue
		}
		here := match.Match{Runs: match.Clip(p.Runs, match.Interval{From: f.From, To: f.To})}
		if 2*here.Tokens() < max(f.To-f.From, p.Tokens()) {
			continue
		}
		for _, g := range p.Doc.Functions() {
			n := 0
			for _, r := range here.Runs {
				n += max(0, min(g.To, int(r.OriginEnd()))-max(g.From, int(r.Origin)))
			}
			if 2*n >= max(f.To-f.From, g.To-g.From, p.Tokens()) {
				return f, g, true
			}
		}
	}
	return here, there, false
}

// Namesake returns the name of the two functions that function finds. ok is false if it finds none, if their names differ, or if
// the name is common (score.OwnFunction).
func (j *Judge) Namesake(p Proof) (name string, ok bool) {
	f, g, ok := j.function(p)
	if !ok {
		return "", false
	}
	return j.namesake(p, f, g)
}

// namesake returns the name of two functions, if both have it and it is rare (score.OwnFunction).
func (j *Judge) namesake(p Proof, f, g functions.Function) (name string, ok bool) {
	if j.text.NameAt(f.Name) != p.Doc.NameAt(g.Name) {
		return "", false
	}
	_, bits := j.text.Costs().Name(f.Name)
	return j.text.NameAt(f.Name), bits >= score.OwnFunction
}

// readSides counts the tokens, names and literals of both sides of a match. It looks for fixed tokens only if the match and its
// comments may reach the default threshold. So the result does not depend on the threshold.
func (j *Judge) readSides(p Proof) score.Readings {
	t := j.text
	there := match.Side{Text: p.Doc.Text(), Blocks: p.Doc.Stream}
	r := score.Read(t.CountedSide(), there, p.Match, t.Costs())
	if !contract.Supports(t.Language) { // most languages have none, so one weighing is enough
		return r
	}
	if !p.Derived && !t.Rules.Weights.Reaches(t.Rules.Weights.Weigh(r).Bits+t.Rules.CommentWeights.Most, t.Needed(score.Enough)) {
		return r
	}
	if fixed := j.fixed(p); fixed != nil {
		r = score.ReadBeside(t.CountedSide(), there, p.Match, fixed, t.Costs())
	}
	return r
}

package score

import "math"

// Likelihood are the weights of the score: the share of findings like one that are true copies. They are fitted to findings that
// people read (docs/eval/reliability.tsv) by go run ./scanner/eval calibrate. None of them may be negative but Base,
// so that more evidence never lowers a score.
type Likelihood struct {
	Base      float64 // log odds of a finding that has what is needed and nothing more
	Above     float64 // Step bits above what is needed; it counts twice at four times as many
	Order     float64 // all of its bits are of the order of its tokens: names can be what an interface asks for
	Unchanged float64 // all of its names are unchanged
	Supported float64 // another region of the file is a finding with the same origin file
}

// Traits are what a score is made of.
type Traits struct {
	Above     float64 // bits above what is needed
	Order     float64 // share of the order of the tokens in the bits that speak for the match
	Unchanged float64 // share of unchanged names
	Supported bool
}

const (
	// Enough is the score of a match that has just what is needed, at least. What is below it is listed only where a user
	// asks for it.
	Enough = 0.05
	// Step are the bits above what is needed at which Likelihood.Above counts once.
	Step = 25
	// halving are the bits short of what is needed that halve a score.
	halving = 5
)

// StandingLikelihood returns the weights of the score in use.
func StandingLikelihood() *Likelihood {
	return &Likelihood{Base: -5.64, Above: 1.28, Order: 5.16, Unchanged: 2.59, Supported: 2.94}
}

// Score is the share of findings with such traits that are true copies, to three decimals so that it is equal on every
// machine. A match short of what is needed has less than Enough, the less the more it lacks.
func (l *Likelihood) Score(t Traits) float64 {
	p := l.share(t)
	if t.Above < 0 {
		p = min(p, Enough) * math.Exp2(t.Above/halving)
	} else {
		p = max(p, Enough)
	}
	return math.Round(p*1000) / 1000
}

// share is the share without bounds.
func (l *Likelihood) share(t Traits) float64 {
	odds := l.Base + l.Above*math.Sqrt(max(0, t.Above)/Step) + l.Order*t.Order + l.Unchanged*t.Unchanged
	if t.Supported {
		odds += l.Supported
	}
	return 1 / (1 + math.Exp(-odds))
}

// Traits are those of a match with so many bits above what is needed.
func (e Evidence) Traits(above float64, supported bool) Traits {
	t := Traits{Above: above, Unchanged: e.Share(), Supported: supported}
	if all := e.Order + e.Names + e.Map + e.Verbatim + e.Values; all > 0 {
		t.Order = e.Order / all
	}
	return t
}

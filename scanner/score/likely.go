package score

import "math"

// Likelihood holds the weights of the score, a logistic regression. They are fitted to findings that people read (docs/eval/reliability.tsv) by go run
// ./scanner/eval calibrate. Only Constant may be negative, so that more evidence never lowers a score.
type Likelihood struct {
	Constant  float64 // log odds of a finding that has just the bits it needs
	Above     float64 // at Step bits above the needed ones; doubles at four times as many
	Order     float64 // if all bits are of the order of the tokens: an interface can prescribe names
	Unchanged float64 // if all names are unchanged; nothing if there are none
	Supported float64 // another region of the file is a finding with the same origin file
	Share     float64 // if all of the file agrees
}

// Traits are the inputs of a score.
type Traits struct {
	Above     float64 // bits above the needed ones
	Order     float64 // share of the order of the tokens in the bits that support the match
	Unchanged float64 // share of unchanged names, 0 if there are no names
	Supported bool
	Share     float64 // of the file's tokens that agree
}

const (
	// Enough is the least score of a match that has the bits it needs. Matches below it are listed only on request.
	Enough = 0.05
	// doubtful is the score below which a finding is doubted if more than the share disguised of its names is unchanged.
	doubtful  = 0.2
	disguised = 0.4
	// unlikely is the score below which a finding in plain text is doubted.
	unlikely = 0.3
	// mostOfTable is the highest score of a table of numbers. Standards fix most tables, so no number of equal values shows a copy: of 25
	// that people read, one was copied, beside code.
	mostOfTable = 0.4
	// fileOfTable is the least share of its file that a table needs to count as the file's content, which somebody may have copied as
	// a whole. Of 29 tables with a smaller share that people read, two were copied.
	fileOfTable = 0.5
	// Credible is the lowest score of a finding that is never doubted for the names of others.
	Credible = 0.75
	// Certain is the lowest score of a finding that is never doubted for the names that both sides import.
	Certain = 0.95
	// Step is the number of bits above the needed ones at which Likelihood.Above counts once.
	Step = 25
	// halving is the number of missing bits that halve a score.
	halving = 5
)

// DefaultLikelihood returns the default weights of the score.
func DefaultLikelihood() *Likelihood {
	return &Likelihood{Constant: -5.64, Above: 1.28, Order: 5.16, Unchanged: 2.59, Supported: 2.94}
}

// PlainLikelihood returns the weights for plain text: documents, pages and settings. It has neither names nor an order that anybody
// could change, and tools, manuals and services give pieces of it to everybody. So bits say less than in code, and it says more if most of
// the file agrees. The weights are fitted to findings that people read (docs/eval/reliability-plain.tsv) by go run ./scanner/eval
// calibrate -plain.
func PlainLikelihood() *Likelihood {
	return &Likelihood{Constant: -1.84, Above: 0.57, Share: 1.5, Supported: 1.21}
}

// Score estimates the share of findings with such traits that are true copies. It has three decimals, so that it is equal on
// every machine. A match with too few bits scores below Enough, and lower the more bits it lacks.
func (l *Likelihood) Score(t Traits) float64 {
	p := l.share(t)
	if t.Above < 0 {
		p = min(p, Enough) * math.Exp2(t.Above/halving)
	} else {
		p = max(p, Enough)
	}
	return math.Round(p*1000) / 1000
}

// share returns the estimate without limits.
func (l *Likelihood) share(t Traits) float64 {
	odds := l.Constant + l.Above*math.Sqrt(max(0, t.Above)/Step) + l.Order*t.Order + l.Unchanged*t.Unchanged + l.Share*t.Share
	if t.Supported {
		odds += l.Supported
	}
	return 1 / (1 + math.Exp(-odds))
}

// Doubted reports whether a finding with such a score and share of unchanged names (Evidence.Share) is seldom a copy: both sides call
// one library, or follow one standard. Code that was renamed throughout has a low score too, but because such copies are rare; it is not doubted.
func Doubted(score, unchanged float64) bool { return score < doubtful && unchanged > disguised }

// DoubtedImports reports whether a finding with such a score is seldom a copy. above is its bits above the needed ones if the names
// that both sides import are left out.
func DoubtedImports(score, above float64) bool { return score < Certain && above < 0 }

// OfTable limits the score of a table of numbers. score is the one that its traits give.
func OfTable(score float64) float64 { return min(score, mostOfTable) }

// DoubtedTable reports whether a table of numbers that is such a share of its file is seldom a copy: a standard fixes it.
func DoubtedTable(share float64) bool { return share < fileOfTable }

// DoubtedPlain reports whether a finding in plain text with such a score is seldom a copy.
func DoubtedPlain(score float64) bool { return score < unlikely }

// Traits returns the traits of a match, from its evidence, its bits above the needed ones and its bits of support. If the match has
// no names, as in a table of numbers, Unchanged is 0: no name speaks for a copy.
func (e Evidence) Traits(above, support float64) Traits {
	t := Traits{Above: above, Supported: support > 0}
	if e.Identifiers > 0 {
		t.Unchanged = e.Share()
	}
	if all := e.Order + e.Names + e.Map + e.Verbatim + e.Values; all > 0 {
		t.Order = e.Order / all
	}
	return t
}

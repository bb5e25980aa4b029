package similar

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Schema is the version of a result's shape. Names are fixed; fields may be added.
const Schema = "git-provenance-similar/1"

// Result is the result of a comparison. All output formats are made from it.
type Result struct {
	Schema     string       `json:"schema"`
	Tool       finding.Tool `json:"tool"`
	Parameters Parameters   `json:"parameters"`
	Units      []Unit       `json:"units"`
	Pairs      []UnitPair   `json:"pairs"`  // in the order asked for
	Groups     []Group      `json:"groups"` // of similar units, largest first
	// Distribution counts the pairs that were ranked by similarity, also those that are not listed: below 10%, from 10% on, and so on to
	// those from 90% on.
	Distribution []int           `json:"distribution,omitempty"`
	Common       []Common        `json:"common,omitempty"` // units that all share some code, if they were asked for
	Ledger       []finding.Entry `json:"ledger"`
	Query        string          `json:"query,omitempty"` // one against all: the unit of the query
	Sets         *Sets           `json:"sets,omitempty"`  // of two units compared
	// Parameterized holds the code that two units share except for names, if it was asked for.
	Parameterized *Parameterized `json:"parameterized,omitempty"`
	Maximal       *Maximal       `json:"maximal,omitempty"` // every run they share, if it was asked for

	order   string // of Pairs and Groups, if Filter has set one
	details *details
}

// Order returns the order of the pairs, which also says what links the units of a group. Pairs that were ranked by similarity can
// be filtered again in another order.
func (r *Result) Order() string { return cmp.Or(r.order, r.Parameters.Sort) }

// Close closes the file of matches that Each loads.
func (r *Result) Close() error {
	if r.details == nil {
		return nil
	}
	return r.details.Close()
}

// Each calls f with each pair and its matches. f may not keep the matches: those of a large collection do not fit into memory.
func (r *Result) Each(f func(*UnitPair) error) error { return r.First(len(r.Pairs), f) }

// First is Each for the first n pairs.
func (r *Result) First(n int, f func(*UnitPair) error) error {
	for i := range r.Pairs[:min(n, len(r.Pairs))] {
		p := r.Pairs[i]
		p.Files = slices.Clone(p.Files)
		for j := range p.Files {
			if err := r.load(&p.Files[j]); err != nil {
				return err
			}
		}
		if err := f(&p); err != nil {
			return err
		}
	}
	return nil
}

// load reads the matches of a pair unless they are in memory.
func (r *Result) load(p *Pair) (err error) {
	if p.Matches == nil && p.kept.size > 0 {
		p.Matches, err = r.details.load(p.kept)
	}
	return err
}

// Parameters are the parameters of the search.
type Parameters struct {
	K         int `json:"k"`
	W         int `json:"w"`
	MinTokens int `json:"minTokens"`
	// Sort is the order in which the pairs were ranked when they were compared. Only BySimilarity computes similarities.
	Sort string `json:"sort,omitempty"`
}

// Unit is a file or a submission that is compared as a whole.
type Unit struct {
	Name   string `json:"name"`
	Files  int    `json:"files"`
	Tokens int    `json:"tokens"`
}

// UnitPair is two units and all code that they share.
type UnitPair struct {
	A string `json:"a"`
	B string `json:"b"`
	// Similarity, from 0 to 1, says how alike the units are as programs of this collection; package likeness defines it. It
	// proves nothing. A pair can be similar without a match.
	Similarity float64 `json:"similarity,omitempty"`
	ShareA     float64 `json:"shareA"`  // share of the tokens of A that B has
	ShareB     float64 `json:"shareB"`  // share of the tokens of B that A has
	SharedA    int     `json:"sharedA"` // in tokens of A
	SharedB    int     `json:"sharedB"` // in tokens of B
	Bits       float64 `json:"bits"`    // sum of the bits of all matches
	// Alone counts the tokens of A that B has and no third unit has. Code that was handed out is also in other units. It is nil
	// if the units are single files.
	Alone *int `json:"alone,omitempty"`
	// Distinct counts the shared tokens that do not repeat each other, as those of a table do. It is 0 in results of older releases.
	Distinct int    `json:"distinct,omitempty"`
	Equal    bool   `json:"equal"` // same contents
	Files    []Pair `json:"files"` // by tokens divided by the units that have them, largest first
	// Beside is the source of a pair that is similar without a match, as far as it was asked for.
	Beside []Beside `json:"beside,omitempty"`

	a, b int // units
}

// Pair is two files and the code that they share.
type Pair struct {
	A       Side    `json:"a"`
	B       Side    `json:"b"`
	Tokens  int     `json:"tokens"` // of all matches
	Bits    float64 `json:"bits"`
	Equal   bool    `json:"equal"`            // same content, by checksum
	Others  int     `json:"others,omitempty"` // other units that have the shared code, on average over its tokens
	Matches []Match `json:"matches,omitempty"`

	a, b       int // units
	distinct   int // as UnitPair.Distinct
	docA, docB collection.ID
	kept       kept // position of the matches, unless they are in memory
}

// Side is one file of a pair.
type Side struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	Shared int    `json:"shared"` // tokens in a match
}

// Match is a verified match of two files.
type Match struct {
	Tokens      int              `json:"tokens"`
	Bits        float64          `json:"bits"`
	CloneType   int              `json:"cloneType"`
	Identifiers finding.Names    `json:"identifiers"`
	Literals    finding.Literals `json:"literals"`
	Renames     []finding.Rename `json:"renames,omitempty"` // from B to A
	Runs        []finding.Run    `json:"runs"`              // lines of A; origin lines are those of B
	Text        *finding.Sides   `json:"text,omitempty"`    // source of both sides, for as many pairs as asked for; origin is B
}

// Group is a set of units, each similar to another one of the group.
type Group struct {
	Units []string `json:"units"`
	Least float64  `json:"least"` // the lowest share that links a unit to the group
}

// maxRenames is how many renames of a match are kept.
const maxRenames = 20

func matchOf(j collection.Match) Match {
	ev := j.Evidence
	m := Match{Tokens: j.Tokens, Bits: finding.Round(ev.Bits), CloneType: ev.CloneType, Runs: j.Runs,
		Identifiers: finding.NamesOf(ev.Identifiers, ev.Unchanged, ev.Inconsistent),
		Literals:    finding.Literals{Total: ev.Literals, Equal: ev.Equal}}
	for _, r := range ev.Renames[:min(len(ev.Renames), maxRenames)] {
		m.Renames = append(m.Renames, finding.Rename{Origin: r.Origin, Target: r.Target, Count: r.Count})
	}
	return m
}

func (m Match) swapped() Match {
	m.Runs = slices.Clone(m.Runs)
	for i, r := range m.Runs {
		m.Runs[i] = finding.Run{Tokens: r.Tokens,
			StartLine: r.OriginStartLine, StartColumn: r.OriginStartColumn, EndLine: r.OriginEndLine, EndColumn: r.OriginEndColumn,
			OriginStartLine: r.StartLine, OriginStartColumn: r.StartColumn, OriginEndLine: r.EndLine, OriginEndColumn: r.EndColumn}
	}
	m.Renames = slices.Clone(m.Renames)
	for i, r := range m.Renames {
		m.Renames[i] = finding.Rename{Origin: r.Target, Target: r.Origin, Count: r.Count}
	}
	if m.Text != nil {
		m.Text = &finding.Sides{Target: m.Text.Origin, Origin: m.Text.Target}
	}
	return m
}

func (p Pair) swapped() Pair {
	p.A, p.B, p.a, p.b, p.docA, p.docB = p.B, p.A, p.b, p.a, p.docB, p.docA
	p.kept.swapped = !p.kept.swapped
	return p
}

// Share returns the larger of the two shares. A small unit that is wholly in a large one is a copy, even if it is a small part
// of the large one.
func (p UnitPair) Share() float64 { return max(p.ShareA, p.ShareB) }

// OfFolders reports whether some units are submissions, and not single files.
func (r *Result) OfFolders() bool {
	return slices.ContainsFunc(r.Units, func(u Unit) bool { return u.Files != 1 }) ||
		slices.ContainsFunc(r.Pairs, func(p UnitPair) bool { return len(p.Files) > 0 && p.Files[0].A.Path != p.A && p.A != r.Query })
}

// Only drops the units whose names end in none of the suffixes, and their pairs. The ledger lists them. The query stays, and so
// do sets.
func (r *Result) Only(suffixes []string) {
	out := make(map[string]bool)
	r.Units = slices.DeleteFunc(r.Units, func(u Unit) bool {
		if u.Name == r.Query || slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(u.Name, x) }) {
			return false
		}
		out[u.Name] = true
		r.Ledger = append(r.Ledger, finding.Entry{Path: u.Name, Reason: ReasonSuffix})
		return true
	})
	r.Pairs = slices.DeleteFunc(r.Pairs, func(p UnitPair) bool { return out[p.A] || out[p.B] })
}

// ReasonSuffix is the ledger's reason for files that were left out by the suffixes of their names.
const ReasonSuffix = "suffix"

// EmptyUnit is a submission without code to compare.
type EmptyUnit struct {
	Name    string
	Reasons []string // why its files count for nothing, as the ledger calls it: sorted, each once
}

// Empty lists the submissions without code to compare: their files have no code, were not read, or are all base code. If a unit
// is a single file, the ledger lists it instead.
func (r *Result) Empty() (out []EmptyUnit) {
	at := make(map[string]int)
	submissions := slices.ContainsFunc(r.Units, func(u Unit) bool { return u.Files != 1 })
	for _, u := range r.Units {
		if submissions && u.Tokens == 0 {
			at[u.Name] = len(out)
			out = append(out, EmptyUnit{Name: u.Name})
		}
	}
	for _, e := range r.Ledger {
		for name := e.Path; name != "." && name != "/"; name = path.Dir(name) {
			if i, ok := at[strings.TrimSuffix(name, "/")]; ok {
				out[i].Reasons = append(out[i].Reasons, string(e.Reason))
				break
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].Reasons)
		out[i].Reasons = slices.Compact(out[i].Reasons)
	}
	return out
}

package verdict

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Statements holds the statements of a text on where it comes from.
type Statements struct {
	text            []byte
	statements      []attribution.Statement
	head            []byte                 // text before the code
	wording         func() string          // licence texts of the text
	words           func() map[string]bool // all words of the text
	stated          func() license.Stated  // licence stated by its head; called seldom, as it searches for the patterns of all licences
	licenceComments func() map[int]full    // by the first line of a comment with a holder
}

// Reader reads the statements of texts. It remembers what comments say of licences. The zero value is ready.
type Reader struct{ heads license.Heads }

// Read reads the statements of a text; tokens are those of its code.
func (r *Reader) Read(text []byte, tokens []lang.Token, prose bool) *Statements {
	head := text
	if len(tokens) > 0 {
		head = text[:tokens[0].Start]
	}
	statements := attribution.Scan(text, prose)
	return &Statements{
		text: text, statements: statements, head: head,
		wording:         sync.OnceValue(func() string { return license.Wording(text) }),
		words:           sync.OnceValue(func() map[string]bool { return attribution.Words(text) }),
		stated:          sync.OnceValue(func() license.Stated { return r.heads.Read(text) }),
		licenceComments: sync.OnceValue(func() map[int]full { return licenceComments(text, statements) }),
	}
}

// noStatements is the Statements of a file that was not read.
var noStatements = &Statements{wording: func() string { return "" }, words: func() map[string]bool { return nil }, stated: func() license.Stated { return license.Stated{} }}

// OfModule reports whether a statement that names an origin is the head of a file or of a module of a bundle. "Copied from" above
// a function speaks of that function.
func OfModule(n finding.Notice) bool {
	head := n.Kind == string(attribution.Copyright) || n.Kind == string(attribution.License) || n.Kind == string(attribution.Title)
	return n.Path == "" && head && n.NamesOrigin()
}

// Between reports whether a holder, a licence or a source is named after one line and before another.
func (s *Statements) Between(from, to int) bool {
	return slices.ContainsFunc(s.statements, func(st attribution.Statement) bool { return from < st.Line && st.Line < to })
}

// HeadHolders lists the holders of the copyright that the head names.
func (s *Statements) HeadHolders() []string { return attribution.Holders(s.statements) }

// HeadLicence returns the licence that the head names, or "".
func (s *Statements) HeadLicence() string { return s.stated().Named() }

// headNamesHolder reports whether the head names a holder.
func (s *Statements) headNamesHolder() bool {
	return slices.ContainsFunc(s.statements, func(st attribution.Statement) bool { return st.Head && st.Holder != "" })
}

// namesNobody reports whether a file that was read names neither holder nor licence at its head, so that its licence is only that of
// its package.
func (s *Source) namesNobody() bool {
	return s.Statements != noStatements && len(s.Holders) == 0 && s.stated().License == ""
}

// statesTerms reports whether the head of a file states terms of any kind, or refers to a licence file.
func (s *Source) statesTerms() bool {
	return s.stated().License != "" || license.RefersToFile(s.head)
}

// longestLicence bounds a comment that is read as a licence, in bytes.
const longestLicence = 16 << 10

// full says of a comment with a holder whether it is a licence in full.
type full struct {
	keeps bool // it asks to keep the notice
	binds bool // it may bind a whole work
}

// licenceComments reads the comments that state a holder, by the lines at which they begin.
func licenceComments(text []byte, statements []attribution.Statement) map[int]full {
	out, lines := map[int]full{}, bytes.Split(text, []byte("\n"))
	for _, s := range statements {
		if _, met := out[s.From]; met || s.Kind != attribution.Copyright || s.From < 1 {
			continue
		}
		comment := bytes.Join(lines[s.From-1:min(max(s.From, s.To), len(lines))], []byte(" "))
		comment = comment[:min(len(comment), longestLicence)]
		out[s.From] = full{license.KeepsNotice(string(comment)), license.MayBind(string(comment))}
	}
	return out
}

// sameNotice reports whether two texts have the same licence notice.
func (s *Statements) sameNotice(o *Statements) bool {
	return len(s.head) > 0 && bytes.Equal(s.head, o.head) || s.wording() == o.wording()
}

// Source is a file that a finding may come from, with its own statements.
type Source struct {
	attribution.Origin
	*Statements
	License   string
	From, To  int     // lines of the region
	FileShare float64 // share of the file's tokens that are matched
	Begins    bool    // the match includes the beginning of the file
	Weak      bool    // it was judged not to be an origin
}

// NewSource returns the source for a file of a package, without its statements.
func NewSource(p, path, licence string) Source {
	s := Source{Statements: noStatements, Origin: attribution.Origin{Path: path, Name: p}, License: licence}
	if u, err := purl.Parse(p); err == nil {
		s.Type, s.Name = u.Type, purl.FullName(u)
	}
	return s
}

// Reads adds the statements of the file.
func (s *Source) Reads(of *Statements) {
	s.Statements, s.Holders = of, attribution.Holders(of.statements)
}

// licence reads the expression of a tag, up to the end of a comment.
func licence(s string) string {
	for _, c := range []string{"*/", "-->", "#}", "*)"} {
		s, _, _ = strings.Cut(s, c)
	}
	return license.Expression(s)
}

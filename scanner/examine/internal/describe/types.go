package describe

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Found is a finding on its way to a report, with data that is not reported.
type Found struct {
	finding.Finding
	Core      linediff.Range   // lines, without those at either end that can be an accident
	Trace     trace.Trace      // identifies the region in the next version of a file
	Signature *trace.Signature // identifies the region in older contents, if it is to be dated

	above       float64  // bits above the needed ones
	unsupported strength // if no other finding supported it
	copied      bool     // the target says that it copied the code from an origin's package
}

// strength is the evidence for a finding.
type strength struct {
	score, above float64 // above in bits above the needed ones
}

// Weighed is a finding and the readings behind its score. The evaluation fits weights to them. The readings and the evidence of
// a joined region are those of its heaviest part.
type Weighed struct {
	Finding  finding.Finding
	Readings score.Readings
	Evidence score.Evidence
	Joined   bool
	Document string  // digest of the file of the first origin
	From, To int     // tokens of the document that the match spans
	Tokens   int     // of the target
	Baseline uint64  // tokens that it was compared with: those of all baselines, or of one document that other evidence led to
	Within   bool    // it was compared with one document
	Discount float64 // bits fewer than a match needs, because it is an alignment
}

// Settings are what the findings of all texts share.
type Settings struct {
	MaxOrigins int                             // origins listed per finding
	NoSource   bool                            // leave out the text of both sides
	Traces     bool                            // findings get a Trace
	Dates      bool                            // findings get a Signature
	Weighed    func(Weighed)                   // called with each finding; may be nil
	Notices    *verdict.Notices                // that the text is under: Describer.Under
	Names      func() (map[string]bool, error) // of all packages of the baselines
	Releases   *ReleaseCache
}

// drafter makes findings without their scores. Its target is a text, or the words of a text's comments.
type drafter struct {
	text     *text.Examined
	settings *Settings
	origin   *statements // of the origins' files
}

// unwanted reports whether a score is below a MinScore that was raised above the default. Every finding reaches the default.
func (t *drafter) unwanted(s float64) bool {
	return s < t.text.Rules.MinScore && t.text.Rules.MinScore > score.Enough
}

// statements caches the statements on origin in documents.
type statements struct {
	reader *verdict.Reader
	of     map[lookup.Key]*verdict.Statements
}

// maxStatements is the number of documents whose statements are kept. Consecutive findings often ask for the documents of one package.
const maxStatements = 64

// read returns the statements of a document, whose text must be loaded.
func (s *statements) read(d *documents.Document) *verdict.Statements {
	if known, ok := s.of[d.Key]; ok {
		return known
	}
	if len(s.of) >= maxStatements || s.of == nil {
		s.of = make(map[lookup.Key]*verdict.Statements)
	}
	stream := d.Stream
	if d.Code != nil {
		stream = d.Code
	}
	toks := stream.All()
	s.of[d.Key] = s.reader.Read(d.Text(), toks, false)
	return s.of[d.Key]
}

package examine

import (
	"bytes"
	"context"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// statements reads what a target says, at the first finding in it.
func (w *Worker) statements(st Stream) *verdict.Said {
	if !w.target.Of(st.Text) {
		w.target = verdict.Read(st.Text, st.Tokens, st.Language == lang.Words())
	}
	return w.target
}

// maxHeads is how many documents' statements a worker keeps: those of one
// package at a time are asked for again and again.
const maxHeads = 64

// head reads what a document says, the text of which is loaded.
func (w *Worker) head(d *library.Document) *verdict.Said {
	if h, ok := w.heads[d.Key]; ok {
		return h
	}
	if len(w.heads) >= maxHeads || w.heads == nil {
		w.heads = make(map[lookup.Key]*verdict.Said)
	}
	stream := d.Stream
	if d.Code != nil {
		stream = d.Code
	}
	toks, _ := stream.All()
	h := verdict.Read(d.Text(), toks, false)
	w.heads[d.Key] = h
	return h
}

// maxSources is how many of a finding's occurrences statements are held against; those
// of which the file is read as well are as many as are judged.
const maxSources = 32

// sources lists the occurrences a statement may name: every package once.
func (q *query) sources(o others) ([]verdict.Source, error) {
	var out []verdict.Source
	seen, read := make(map[string]bool), 0
	for _, p := range o.claimed() {
		name := purl.Name(p.PURL)
		if seen[name] || len(out) == maxSources {
			continue
		}
		seen[name] = true
		s := verdict.NewSource(p.PURL, p.Path, p.License)
		from, _ := p.Match.Origin()
		s.FileShare, s.Begins, s.Weak = float64(p.Tokens())/math.Max(float64(p.doc.Tokens), 1), from <= edge, p.why == finding.PartWeak
		if read < leadingJudged {
			if _, err := p.doc.Read(); err != nil {
				return nil, err
			}
			s.Reads(q.w.head(p.doc))
			read++
		}
		out = append(out, s)
	}
	return out, nil
}

// attribute tells what the target says of a finding and what that comes to.
func (q *query) attribute(o others, f *finding.Finding) error {
	question := verdict.Question{Path: q.Path, From: f.StartLine, To: f.EndLine, Target: q.w.statements(q.Stream), Parts: o.names(), Common: f.Verdict == finding.CommonCode}
	if f.Function != nil {
		question.Function = f.Function.StartLine
	}
	var err error
	if question.Sources, err = q.sources(o); err != nil {
		return err
	}
	a, err := question.Answer(context.Background(), q.e.target.Notices, q.e.names)
	if err != nil {
		return err
	}
	f.Attributions, f.Compatibility, f.Verdict = a.Attributions, a.Compatibility, a.Verdict
	return nil
}

// listNames returns the names of all packages of the baselines, lower-cased and
// without type.
func (s *Examiner) listNames() (map[string]bool, error) {
	known, err := s.Packages()
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for _, p := range known {
		if name := verdict.FullName(p); name != "" {
			names[name] = true
		}
	}
	return names, nil
}

// Packages lists the package URLs of the baselines.
func (s *Examiner) Packages() ([]string, error) {
	var out []string
	for _, b := range s.bases {
		ps, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range ps {
			out = append(out, p.PURL)
		}
	}
	return out, nil
}

// citedAbove is how many lines above a region a link can stand that is about it.
const citedAbove = 3

// files are the beginnings of the addresses of the target's files.
func (e *Examiner) files() []string { return e.target.Self.Files() }

// cites returns the line of an origin, in its region or shortly above, that links to a
// file of the target's repository, 0 if there is none. A link that the target has as
// well came along with the code.
func cites(origin []byte, first, last int, target []byte, files []string) int {
	if len(files) == 0 {
		return 0
	}
	n := 0
	for line := range bytes.Lines(origin) {
		if n++; n > last {
			return 0
		}
		if n < first-citedAbove || len(line) > maxCite {
			continue
		}
		low := bytes.ToLower(line)
		for _, f := range files {
			if bytes.Contains(low, []byte("/"+f)) && !bytes.Contains(target, bytes.TrimSpace(line)) {
				return n
			}
		}
	}
	return 0
}

// maxCite bounds a line with a link: in minified code it may be about anything.
const maxCite = 400

// allow finds the marks of a text and the findings they cover.
func (q *query) allow(in Input, fs []Found) []finding.Inline {
	marks := verdict.Allows(q.Path, q.Language, q.Text, q.Tokens)
	if len(marks) == 0 {
		return nil
	}
	var added []git.Range
	if in.Added != nil {
		added = in.Added(q.Text)
	}
	out := make([]finding.Inline, len(marks))
	for i, m := range marks {
		out[i] = finding.Inline{Allow: m, Path: q.Path, Added: slices.ContainsFunc(added, func(r git.Range) bool { return r.First <= m.Line && m.Line <= r.Last })}
	}
	for i := range fs {
		f := &fs[i]
		function := 0
		if f.Function != nil {
			function = f.Function.StartLine
		}
		for j := range out {
			m := &out[j]
			if !m.Allow.Covers(f.Core.First, f.Core.Last, function) && !m.Allow.Covers(f.StartLine, f.EndLine, function) || m.Origin != "" && !purl.Match(m.Origin, f.Origins[0].PURL) {
				continue
			}
			m.Covers++
			if f.Inline == nil || f.Inline.Err != nil {
				f.Inline = m
			}
		}
	}
	return out
}

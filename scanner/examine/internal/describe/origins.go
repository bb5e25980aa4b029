package describe

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// origins folds the occurrences into one origin per package, in the order of occurrences. The origin's version is the oldest of
// those with the largest share. Other files of the package are listed in AlsoIn. A file that had the region earlier than the first
// file is an origin of its own, because its date is that of the package.
func (t *drafter) origins(occurrences []region.Occurrence) (out []finding.Origin, all int, err error) {
	type home struct{ pkg, path string }
	group := make(map[home][]region.Occurrence)
	var order []home
	for _, p := range occurrences {
		h := home{purl.Key(p.PURL), p.Path}
		if len(group[h]) == 0 {
			order = append(order, h)
		}
		group[h] = append(group[h], p)
	}
	lead, also := make(map[string]home), make(map[home][]string)
	order = slices.DeleteFunc(order, func(h home) bool {
		l, met := lead[h.pkg]
		if !met {
			lead[h.pkg] = h
			return false
		}
		if older(group[h], group[l]) {
			return false
		}
		if len(also[l]) < t.settings.MaxOrigins {
			also[l] = append(also[l], finding.EscapeName(h.path))
		}
		return true
	})
	first, err := t.settings.Releases.firsts(occurrences)
	if err != nil {
		return nil, 0, err
	}
	for _, h := range order[:min(len(order), t.settings.MaxOrigins)] {
		p := group[h][0]
		if _, err := p.Doc.Read(); err != nil {
			return nil, 0, err
		}
		o := originOf(p, p.Shown(&t.text.Stream), t.countOwn(p.Doc, t.text.Language))
		o.Versions, o.First, o.AlsoIn = versionRange(group[h]), first[purl.Series(o.PURL)], also[h]
		if len(out) == 0 {
			o.CitesTarget = cites(p.Doc.Text(), o.StartLine, o.EndLine, t.text.Text, t.text.Rules.Self.Files())
			holders, err := p.Doc.SoleHolders()
			if err != nil {
				return nil, 0, err
			}
			for _, h := range holders[:min(len(holders), maxHolders)] {
				o.Holders = append(o.Holders, finding.EscapeName(h))
			}
		}
		o.SameOwner = t.text.Rules.Self.SameOwner(o.PURL) || t.text.Rules.Self.SameOwnerOfRepository(p.Repository)
		out = append(out, o)
	}
	return out, len(order), nil
}

// older reports whether the oldest of some occurrences was released before the oldest of others.
func older(as, bs []region.Occurrence) bool {
	oldest := func(ps []region.Occurrence) time.Time {
		return slices.MinFunc(ps, func(a, b region.Occurrence) int { return versions.CompareAge(a.Released, b.Released) }).Released
	}
	return versions.CompareAge(oldest(as), oldest(bs)) < 0
}

// versionRange returns the first and last version of the occurrences of one package, or nil if there is only one version.
func versionRange(ps []region.Occurrence) *finding.Versions {
	var vs []string
	for _, p := range ps {
		vs = append(vs, p.PURL)
	}
	slices.SortFunc(vs, region.CompareVersion)
	vs = slices.Compact(vs)
	if len(vs) < 2 {
		return nil
	}
	return &finding.Versions{First: purl.Version(vs[0]), Last: purl.Version(vs[len(vs)-1]), Count: len(vs)}
}

// licenses lists the distinct licences of occurrences; two or more mean that they disagree. An occurrence without a known licence
// is ignored if one with the same content has a licence.
func licenses(ps []region.Occurrence) []string {
	licensed := make(map[[32]byte]bool)
	for _, p := range ps {
		if cmp.Or(p.License, license.NoAssertion) != license.NoAssertion {
			licensed[p.Doc.Hash] = true
		}
	}
	var out []string
	for _, p := range ps {
		if l := cmp.Or(p.License, license.NoAssertion); l != license.NoAssertion || !licensed[p.Doc.Hash] {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// originOf describes an occurrence by the lines of a match. own is the number of the document's tokens that are not base code.
func originOf(p region.Occurrence, m match.Match, own int) finding.Origin {
	from, to := m.Origin()
	o := finding.Origin{
		PURL: p.PURL, Path: finding.EscapeName(p.Path), License: cmp.Or(p.License, "NOASSERTION"), LicenseFrom: finding.EscapeFrom(p.LicenseFrom), Similarity: p.Share, Bits: finding.Round(p.Bits),
		StartLine: p.Doc.Stream.Line(from), EndLine: p.Doc.LastLine(to - 1),
		FileShare: finding.Round(float64(p.Tokens()) / float64(own)), SHA256: p.Doc.Hash.String(), WithoutText: p.Doc.Bare, URL: purl.Web(p.PURL),
	}
	if !p.Released.IsZero() {
		t := p.Released.UTC()
		o.Released = &t
	}
	return o
}

// countOwn counts the tokens of a document that are not base code.
func (t *drafter) countOwn(d *documents.Document, family *lang.Language) int {
	if len(t.text.Rules.BaseCode) == 0 {
		return d.Stream.Len()
	}
	toks := d.Stream.All()
	return len(toks) - match.Count(t.text.Rules.BaseCode.Masked(family, toks, t.text.Rules.Params.K))
}

// parts adds the part origins to a finding.
func (t *drafter) parts(divided origins.Divided, f *finding.Finding) error {
	f.PartOriginCount = len(divided.Parts)
	for i, p := range divided.Parts {
		if p.Why == finding.PartUnjudged {
			f.UnjudgedCount++
		}
		if i >= t.settings.MaxOrigins {
			continue
		}
		if _, err := p.Doc.Read(); err != nil {
			return err
		}
		m := p.Shown(&t.text.Stream)
		from, to := m.Target()
		first, last := m.Origin()
		f.PartOrigins = append(f.PartOrigins, finding.PartOrigin{
			PURL: p.PURL, Path: finding.EscapeName(p.Path), Tokens: p.Tokens(), Bits: finding.Round(p.Bits), Why: p.Why,
			StartLine: t.text.Line(from), EndLine: t.text.LastLine(to - 1),
			OriginStartLine: p.Doc.Stream.Line(first), OriginEndLine: p.Doc.LastLine(last - 1),
		})
	}
	return nil
}

// maxHolders is how many holders of an origin's copyright a finding lists.
const maxHolders = 20

// citedAbove is how many lines above a region a link can be and still refer to it.
const citedAbove = 3

// cites returns the line of an origin, in its region or shortly above, that links to a file of the target's repository. It
// returns 0 if there is none. Links that the target contains too are ignored: they were copied with the code.
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

// maxCite is the length limit of a line with a link, in bytes. In minified code a link on a long line may refer to anything.
const maxCite = 400

package origindates

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/versions"
	"golang.org/x/mod/semver"
)

// version is one version of a package that can be opened.
type version struct {
	purl string
	at   time.Time // zero until asked
	date func(context.Context) (time.Time, error)
	open func(context.Context) (walk walker, remote bool, err error)

	packed time.Time // day of the latest file in its archive, once the archive was read

	asked bool   // whether the date was asked for
	gone  string // why it cannot be opened
}

// released returns the date of a version. It asks for it once.
func (v *version) released(ctx context.Context) time.Time {
	if v.at.IsZero() && !v.asked && v.date != nil {
		v.asked = true
		if t, err := v.date(ctx); err == nil {
			v.at = t
		}
	}
	return v.at
}

// fromRegistry returns a version that a registry lists.
func fromRegistry(r *source.Release) *version {
	v := &version{purl: r.PURL, at: r.Released, date: r.Date}
	v.open = func(ctx context.Context) (walker, bool, error) {
		p, err := r.Open(ctx)
		if err != nil {
			return nil, false, err
		}
		walk := func(ctx context.Context, h *haystack, fn func(file) error) error {
			err := p.Walk(ctx, source.Limits{}, func(path string, data []byte) error { return h.take(path, data, fn) }, nil)
			v.packed = p.Packed()
			return err
		}
		return walk, p.Remote(), nil
	}
	return v
}

// minors keeps the first version of each minor release. A patch of Go brings no new code, and each toolchain is a download of 70
// to 130 MB.
func minors(vs []*version) []*version {
	seen := make(map[string]bool)
	var out []*version
	for _, v := range vs {
		o := purl.Order(v.purl)
		if m := semver.MajorMinor(o); semver.Prerelease(o) == "" && !seen[m] {
			seen[m] = true
			out = append(out, v)
		}
	}
	return out
}

// held is a version in a baseline.
type held struct {
	base *baseline.Baseline
	pkg  baseline.Package
	docs []store.Hash
}

func (h *held) version() *version {
	return &version{purl: h.pkg.PURL, at: h.pkg.Released, packed: h.pkg.Packed, open: func(context.Context) (walker, bool, error) {
		return func(ctx context.Context, hs *haystack, fn func(file) error) error {
			for _, sum := range h.docs {
				f, ok, err := document(h.base, sum)
				if err == nil && ok && hs.families[f.lang.Family] {
					err = fn(f)
				}
				if err != nil {
					return err
				}
			}
			return ctx.Err()
		}, false, nil
	}}
}

// find makes the needles of all packages. Each needs the origin's file from a baseline. Origins without one are added to missing.
func (d *dater) find(all []*series) error {
	for _, s := range all {
		for _, p := range s.places {
			o := d.rep.Findings[p.finding].Origins[p.origin]
			f, ok, err := d.lookUp(o.SHA256)
			switch {
			case err != nil:
				return err
			case s.why != "":
				s.noteMissing(p, s.why)
			case !ok:
				s.missing = append(s.missing, p)
			default:
				s.add(p, f)
			}
		}
	}
	return nil
}

func (d *dater) lookUp(sum string) (file, bool, error) {
	raw, err := hex.DecodeString(sum)
	if err != nil || len(raw) != len(store.Hash{}) {
		return file{}, false, nil
	}
	for _, b := range d.o.Baselines {
		f, ok, err := document(b, store.Hash(raw))
		if ok || err != nil {
			return f, ok, err
		}
	}
	return file{}, false, nil
}

// holdings lists the versions of one package that the baselines have as a whole.
func (d *dater) holdings(key string) ([]*version, error) {
	by := make(map[string]*held)
	for _, b := range d.o.Baselines {
		err := b.Contents([]string{key}, func(p baseline.Package) bool { return purl.Series(p.PURL) == key && versions.Whole(p) },
			func(p baseline.Package, _ string, sum store.Hash) {
				h := by[p.PURL]
				if h == nil {
					h = &held{base: b, pkg: p}
					by[p.PURL] = h
				}
				if h.base == b {
					h.docs = append(h.docs, sum)
				}
			})
		if err != nil {
			return nil, err
		}
	}
	var out []*version
	for _, h := range by {
		out = append(out, h.version())
	}
	slices.SortFunc(out, func(a, b *version) int { return strings.Compare(a.purl, b.purl) })
	return out, nil
}

package history

import (
	"context"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// unsearched is the note for a region that commits before the range may have had.
const unsearched = "the commits before the range were not searched for it"

// searchBefore searches the commits before a range for regions that accuse: a file that the range adds may have existed before. A
// region that left again cannot be searched for, so it accuses nobody.
func (h *scan) searchBefore(ctx context.Context) error {
	if !h.partial || h.repo.Shallow() {
		return nil // the whole history was read; or the clone lacks these commits, which Date has noted
	}
	at := map[string][]int{}
	for i := range h.r.Found {
		f := &h.r.Found[i]
		switch {
		case f.Direction != finding.DirectionFrom:
		case h.tips[i] == "" || f.Signature == nil:
			doubt(&f.Finding)
		default:
			at[h.tips[i]] = append(at[h.tips[i]], i)
		}
	}
	for _, tip := range slices.Sorted(maps.Keys(at)) {
		if err := h.dateAt(ctx, tip, at[tip]); err != nil {
			return err
		}
	}
	return nil
}

// dateAt dates findings as a scan of a commit does. It keeps the dates by which a finding no longer accuses.
func (h *scan) dateAt(ctx context.Context, tip string, findings []int) error {
	var fs []examine.Found
	for _, i := range findings {
		fs = append(fs, h.r.Found[i])
	}
	readers := targetdates.Readers{Pool: h.pool(h.e), MaxFileSize: h.e.Options().MaxFileSize}
	entry, err := targetdates.Date(ctx, readers, fs, &targetdates.History{Repo: h.repo, Head: tip})
	if err != nil {
		return err
	}
	if entry != nil {
		h.r.Ledger = append(h.r.Ledger, *entry)
	}
	for k, i := range findings {
		f := &h.r.Found[i].Finding
		if finding.SetDirection(&fs[k].Finding); fs[k].Direction != finding.DirectionFrom {
			f.Here, f.Introduced = fs[k].Here, fs[k].Introduced
			finding.SetDirection(f)
		}
		if entry != nil {
			doubt(f)
		}
	}
	return nil
}

// doubt notes that the region of a finding may be older than the range.
func doubt(f *finding.Finding) {
	if f.Here == nil {
		return
	}
	here := *f.Here
	here.Half, here.Note = &finding.Point{}, unsearched
	f.Here = &here
	finding.SetDirection(f)
}

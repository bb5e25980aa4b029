package scanner

import (
	"context"
	"errors"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// standing is a place of a region at one of the commits that a history ends with.
type standing struct {
	commit string
	Location
}

// tipMarks lets the content at the tip decide by which mark a region is allowed
// that still stands: a mark may have been added long after the region came in, or
// be gone. All places of a region have to be covered. Of a region that left, the
// content by which it entered decides.
type tipMarks struct {
	h        *historyScan
	examined map[string]*output // by commit and path; nil where a content cannot be read
}

func (h *historyScan) obeyTip(ctx context.Context) error {
	t := tipMarks{h: h, examined: map[string]*output{}}
	for _, track := range h.follower.tracks {
		if track.finding < 0 || len(track.stands) == 0 {
			continue
		}
		f := &h.r.Findings[track.finding]
		mark, known, err := t.covering(ctx, track.stands)
		if err != nil {
			return err
		}
		if known {
			f.Inline = mark
		}
	}
	return nil
}

// covering returns the mark that covers the first of the places, nil unless all
// are covered. It is not known where a content cannot be read.
func (t *tipMarks) covering(ctx context.Context, places []standing) (mark *Inline, known bool, err error) {
	for _, p := range places {
		out, err := t.examine(ctx, p)
		if err != nil || out == nil {
			return nil, false, err
		}
		i := slices.IndexFunc(out.findings, func(f Finding) bool {
			return f.StartLine == p.StartLine && f.EndLine == p.EndLine && f.Inline != nil && f.Inline.Err == nil
		})
		if i < 0 {
			return nil, true, nil
		}
		if mark == nil {
			mark = out.findings[i].Inline
		}
	}
	return mark, true, nil
}

// examine looks at a file of a tip for marks, and for what they cover if it has any.
func (t *tipMarks) examine(ctx context.Context, p standing) (*output, error) {
	key := p.commit + "\x00" + p.Path
	if out, ok := t.examined[key]; ok {
		return out, nil
	}
	t.examined[key] = nil
	text, err := fileAt(ctx, t.h.repo, p.commit, p.Path, t.h.s.o.MaxFileSize)
	if err != nil || text == nil {
		return nil, err
	}
	out := output{}
	if attribution.HasAllow(text) {
		in := input{path: p.Path, read: func(context.Context) ([]byte, error) { return text, nil }}
		if out, err = t.h.spare.input(ctx, in); err != nil {
			return nil, err
		}
		t.h.r.Inline = append(t.h.r.Inline, out.inline...)
	}
	t.examined[key] = &out
	return &out, nil
}

// storedInline is a mark with its error as text.
type storedInline struct {
	Inline
	Err string
}

func shelveInline(m *Inline) *storedInline {
	if m == nil {
		return nil
	}
	s := &storedInline{Inline: *m}
	if m.Err != nil {
		s.Err, s.Inline.Err = m.Err.Error(), nil
	}
	return s
}

func (s *storedInline) unshelve() *Inline {
	if s == nil {
		return nil
	}
	m := s.Inline
	if s.Err != "" {
		m.Err = errors.New(s.Err)
	}
	return &m
}

package units

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// revision opens REV or REV:PATH of the repository around the working directory. Files below PATH are named relative to PATH. So
// the name of the part and the name of the file together are the name that git uses, REV:PATH/FILE.
func (s *Opener) revision(ctx context.Context, arg string, each bool) (part similar.Part, ok bool, err error) {
	repo, err := s.Repository(ctx)
	if repo == nil || err != nil {
		return part, false, err
	}
	rev, below, _ := strings.Cut(arg, ":")
	r := tree{repo: repo, arg: arg, below: strings.Trim(path.Clean("/"+below), "/")}
	r.files, err = repo.FilesAt(ctx, rev, r.below, func(path string, reason git.Reason, detail string) {
		r.omitted = append(r.omitted, source.Skipped{Path: path, Reason: string(reason), Detail: detail})
	})
	if err != nil || len(r.files) == 0 {
		err = cmp.Or(repo.Close(), err)
		if unknown := new(git.RevisionError); errors.As(err, &unknown) {
			err = nil // then it is a path that does not exist
		}
		return part, false, err
	}
	s.closers = append(s.closers, repo)
	p := source.New(arg, r.walk)
	if r.files[0].Path == r.below {
		return s.single(arg, p, each), true, nil
	}
	return similar.Part{Name: arg, Package: s.filtered(p), Each: each}, true, nil
}

// tree is the files of a revision, or those below a path of it.
type tree struct {
	repo    *git.Repo
	arg     string // as it was named
	below   string
	files   []git.File
	omitted []source.Skipped
}

// called returns the path of a file as seen from the path that was named.
func (t *tree) called(name string) string {
	if name == t.below {
		return path.Base(name)
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, t.below), "/")
}

func (t *tree) walk(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
	for _, o := range t.omitted {
		skipped(t.called(o.Path), o.Reason, o.Detail)
	}
	unpacked := int64(0)
	for _, f := range t.files {
		data, err := t.repo.Blob(ctx, f.Blob, lim.FileBytes)
		if large := new(git.TooLargeError); errors.As(err, &large) {
			skipped(t.called(f.Path), source.ReasonTooLarge, err.Error())
			continue
		}
		if unpacked += int64(len(data)); err == nil {
			err = lim.CheckUnpacked(t.arg, unpacked, t.repo.Size)
		}
		if err != nil {
			return err
		}
		if err := file(t.called(f.Path), data); err != nil {
			return err
		}
	}
	return nil
}

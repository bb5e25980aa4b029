package units

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// Bounds of archives in submissions.
const (
	maxNested     = 3        // archives in archives
	maxArchive    = 64 << 20 // bytes of an archive in a submission
	reasonTooDeep = "too-deep"
	reasonName    = "unsafe-name"
)

// submissions opens the entries of a directory, or of an archive of submissions, as one unit for each person. A file directly in it
// with another suffix than --suffix, such as a list of grades, is no submission, unless a platform named the file after a person.
func (s *Opener) submissions(ctx context.Context, dir string) (out []similar.Part, err error) {
	all, err := s.persons(ctx, dir, func(string) bool { return true })
	for _, p := range all {
		if name := path.Base(p.Name); p.File && !s.takes(name) {
			s.leave(filepath.Clean(dir), name, similar.ReasonSuffix, "")
			continue
		}
		p.Package = s.filtered(p.Package)
		out = append(out, p)
	}
	return out, err
}

// persons opens the submissions of the persons that wanted accepts, with all their files.
func (s *Opener) persons(ctx context.Context, dir string, wanted func(who string) bool) ([]similar.Part, error) {
	at, err := s.unpacked(ctx, dir)
	if err != nil {
		return nil, err
	}
	names, err := entries(at, func(name, reason string) { s.leave(filepath.Clean(dir), name, reason, "") })
	if err != nil {
		return nil, err
	}
	names, roster := s.rostered(filepath.Clean(dir), names)
	var order []string
	of, file := make(map[string][]*source.Package), make(map[string]bool)
	for i, up := range uploads(names) {
		if who := roster[filepath.Base(names[i])]; who != "" {
			up.who = who
		}
		if !wanted(up.who) {
			continue
		}
		n := names[i]
		in := strings.NewReplacer(n, filepath.Join(filepath.Clean(dir), up.who, up.file), at, filepath.Clean(dir))
		say := func(err error) string { return in.Replace(err.Error()) } // removes the temporary directory and the platform's additions from a message
		whole := Opener{Repository: s.Repository}                        // Suffixes apply to the files within archives
		part, err := whole.Open(ctx, n, false)
		s.closers = append(s.closers, whole.closers...)
		if cerr := ctx.Err(); cerr != nil {
			return nil, cerr
		}
		if err != nil { // an unreadable submission is no reason to skip the others
			part.Package = unreadable(n, say(err))
		}
		if of[up.who] == nil {
			order = append(order, up.who)
		}
		file[up.who] = part.File && up.who == filepath.Base(n) && !packs(up.who)
		p := unwrapped(own(s.nested(forgiving(part.Package, say))))
		of[up.who] = append(of[up.who], called(p, filepath.Base(n), up.file))
	}
	slices.Sort(order)
	var out []similar.Part
	for _, who := range order {
		name := path.Join(filepath.ToSlash(filepath.Clean(dir)), who)
		out = append(out, similar.Part{Name: name, Package: joined(of[who]), File: file[who] && len(of[who]) == 1})
	}
	return out, nil
}

// unreadable returns a submission that could not be opened; the ledger says why.
func unreadable(name, why string) *source.Package {
	return source.New(name, func(_ context.Context, _ source.Limits, _ func(string, []byte) error, skipped func(path, reason, detail string)) error {
		skipped("", files.ReasonUnreadable, why)
		return nil
	})
}

// forgiving lists unreadable parts of a submission in the ledger, and continues.
func forgiving(p *source.Package, say func(error) string) *source.Package {
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		var ours error
		err := p.Walk(ctx, lim, func(name string, data []byte) error {
			ours = file(name, data)
			return ours
		}, skipped)
		if err != nil && ours == nil && ctx.Err() == nil {
			skipped("", files.ReasonUnreadable, say(err))
			return nil
		}
		return err
	})
}

// joined returns several packages as one.
func joined(ps []*source.Package) *source.Package {
	if len(ps) == 1 {
		return ps[0]
	}
	return source.New(ps[0].From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		for _, p := range ps {
			if err := p.Walk(ctx, lim, file, skipped); err != nil {
				return err
			}
		}
		return nil
	})
}

// temporary makes a directory that is deleted when the parts are closed.
func (s *Opener) temporary() (string, error) {
	dir, err := os.MkdirTemp("", "git-provenance-submissions-")
	if err != nil {
		return "", fmt.Errorf("unpack submissions: %w", err)
	}
	s.closers = append(s.closers, remover(dir))
	return dir, nil
}

type remover string

func (r remover) Close() error { return os.RemoveAll(string(r)) }

// unpacked returns the directory itself, or the directory of an unpacked archive of submissions.
func (s *Opener) unpacked(ctx context.Context, arg string) (string, error) {
	st, err := os.Stat(arg)
	if err != nil || !st.Mode().IsRegular() {
		return arg, nil // listing it gives the error
	}
	if is, err := files.IsArchive(arg); err != nil || !is {
		return arg, err
	}
	if at := s.archives[arg]; at != "" {
		return at, nil
	}
	pkgs, err := source.Open(ctx, arg, source.Options{PURL: "pkg:generic/part", Offline: true})
	if err != nil {
		return "", err
	}
	dir, err := s.temporary()
	if err != nil {
		return "", err
	}
	lim := source.DefaultLimits()
	lim.FileBytes = maxArchive
	err = pkgs[0].Walk(ctx, lim, func(name string, data []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			s.leave(arg, name, reasonName, "")
			return nil
		}
		err := os.MkdirAll(filepath.Dir(to), 0o700)
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if why := nameRefused(err); why != "" {
			s.leave(arg, name, reasonName, why)
			return nil
		}
		return err
	}, func(name, reason, detail string) { s.leave(arg, name, reason, detail) })
	if err != nil {
		return "", fmt.Errorf("unpack %q: %w", arg, err)
	}
	if s.archives == nil {
		s.archives = make(map[string]string)
	}
	s.archives[arg] = dir
	return dir, nil
}

// nameRefused returns why the file system does not accept the name of an entry. It returns "" if there is another error or none. An
// archive may have a file and a directory of one name.
func nameRefused(err error) string {
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return "a file and a directory of the archive have one name"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "the name is too long"
	}
	return ""
}

// leave lists an entry of an archive of submissions that belongs to no unit.
func (s *Opener) leave(archive, name, reason, detail string) {
	s.Ledger = append(s.Ledger, finding.Entry{Path: strings.TrimSuffix(filepath.ToSlash(archive)+"/"+name, "/"), Reason: lang.Reason(reason), Detail: detail})
}

// archiveName reports whether a file may be an archive, by its name.
func archiveName(name string) bool {
	for _, x := range []string{".zip", ".jar", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"} {
		if strings.HasSuffix(strings.ToLower(name), x) {
			return true
		}
	}
	return false
}

// packs reports whether a file may contain other files, by its name: an archive, or a page with a typed text.
func packs(name string) bool { return archiveName(name) || otherArchive(name, nil) || onlineText(name) }

// otherArchive reports whether a file is an archive that is not read, by its name or its first bytes: a RAR archive may be named .zip.
func otherArchive(name string, data []byte) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".rar" || ext == ".7z" || bytes.HasPrefix(data, []byte("Rar!\x1a\a")) || bytes.HasPrefix(data, []byte("7z\xbc\xaf'\x1c"))
}

// nested replaces the archives in a package by their files.
func (s *Opener) nested(p *source.Package) *source.Package {
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		left := lim.TotalBytes
		if left <= 0 {
			left = source.DefaultLimits().TotalBytes
		}
		bounded := func(name string, data []byte) error {
			if left -= int64(len(data)); left < 0 {
				skipped(name, source.ReasonTooLarge, "the submission unpacks to too much")
				return nil
			}
			return file(name, data)
		}
		return (&unpacking{s, lim, bounded, skipped}).walk(ctx, p, "", 0)
	})
}

// unpacking is one walk through an archive and those in it.
type unpacking struct {
	opener  *Opener
	limits  source.Limits
	file    func(name string, data []byte) error
	skipped func(path, reason, detail string)
}

// walk passes on the files of a package. Their names begin with prefix. depth is the number of archives around it.
func (u *unpacking) walk(ctx context.Context, p *source.Package, prefix string, depth int) error {
	wide := u.limits
	wide.FileBytes = max(u.limits.FileBytes, maxArchive)
	return p.Walk(ctx, wide, func(name string, data []byte) error {
		name = path.Join(prefix, name)
		switch {
		case !archiveName(name) && u.limits.FileBytes > 0 && int64(len(data)) > u.limits.FileBytes:
			u.skipped(name, source.ReasonTooLarge, fmt.Sprintf("%d bytes", len(data)))
			return nil
		case otherArchive(name, data):
			u.skipped(name, files.ReasonUnreadable, "RAR and 7z archives are not read: unpack it")
			return nil
		case !archiveName(name):
			return u.file(name, data)
		case depth == maxNested:
			u.skipped(name, reasonTooDeep, fmt.Sprintf("archives lie in each other, more than %d deep", maxNested))
			return nil
		}
		inner, err := u.opener.archive(ctx, name, data)
		if err != nil {
			if cerr := ctx.Err(); cerr != nil {
				return cerr
			}
			u.skipped(name, files.ReasonUnreadable, err.Error())
			return nil
		}
		// An inner archive that cannot be read to its end, such as a zip bomb, must not stop the comparison of the others.
		hide := func(err error) string { return strings.ReplaceAll(err.Error(), inner.From, path.Base(name)) }
		return u.walk(ctx, forgiving(inner, hide), name, depth+1)
	}, func(name, reason, detail string) { u.skipped(files.Below(prefix, name), reason, detail) })
}

// archive opens an archive whose data were read from another one.
func (s *Opener) archive(ctx context.Context, name string, data []byte) (*source.Package, error) {
	dir, err := s.temporary()
	if err != nil {
		return nil, err
	}
	at := filepath.Join(dir, "x"+strings.TrimPrefix(path.Ext(name), "x"))
	if strings.HasSuffix(strings.ToLower(strings.TrimSuffix(name, path.Ext(name))), ".tar") {
		at = filepath.Join(dir, "x.tar"+path.Ext(name))
	}
	if err := os.WriteFile(at, data, 0o600); err != nil {
		return nil, fmt.Errorf("unpack %q: %w", name, err)
	}
	pkgs, err := source.Open(ctx, at, source.Options{PURL: "pkg:generic/part", Offline: true})
	if err != nil {
		return nil, fmt.Errorf("not a whole archive: %s", strings.ReplaceAll(err.Error(), at, cmp.Or(path.Base(name), "archive")))
	}
	return pkgs[0], nil
}

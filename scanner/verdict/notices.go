package verdict

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// Limits of the notice files that are read: of one directory, of one file and of all, in bytes. Files beyond them are ignored,
// which can only cost an attribution.
const (
	maxNotices    = 32
	maxNoticeSize = 2 << 20
	maxNoticeSum  = 64 << 20
)

// notice is a file that lists the origins of a repository's code, or states the licence of the files beside and below it.
type notice struct {
	path               string
	*attribution.Index                    // nil if it lists nothing
	licence            *license.Statement // nil if it states none
	readme             bool               // it is a README: its licence applies only to a package with the layout of its folder
	sum                uint64             // hash of its statements
}

// isNotice reports whether a file is read, by its path.
func isNotice(name string) bool {
	base := path.Base(name)
	return attribution.IsNotice(base) || isLicence(base) || attribution.IsReadme(base)
}

// isLicence reports whether a file states a licence. Metadata files at the root of a repository count too; for packages, other
// code reads them.
func isLicence(name string) bool { return license.States("x/" + name) }

// ofAll lists files in directories of their own that state the licences of a whole repository.
var ofAll = []string{".reuse/dep5", "debian/copyright"}

// isOfAll reports whether a path is one of ofAll.
func isOfAll(name string) bool { return slices.Contains(ofAll, name) }

// isAbove reports whether the folder of the notice contains that of another.
func (n notice) isAbove(other notice) bool {
	dir, below := license.Folder(n.path), license.Folder(other.path)
	return dir != below && (dir == "." || strings.HasPrefix(below, dir+"/"))
}

// holds reports whether the notice names the holder of a statement.
func (n notice) holds(s attribution.Statement) bool {
	if n.Index == nil {
		return false
	}
	_, ok := n.Owner(attribution.Origin{Holders: []string{s.Holder}})
	return ok
}

func newNotice(name string, text []byte) notice {
	n := notice{path: name}
	switch base := path.Base(name); {
	case attribution.IsNotice(base):
		n.Index, n.sum = attribution.NewIndex(text), trace.HashBytes(text)
	case attribution.IsReadme(base): // small libraries have their notice there; that of the root is the target's own
		own := path.Dir(name) == "."
		n.Index, n.readme = attribution.NewReadme(text, own), true
		if own { // and so is its licence
			if n.Index != nil {
				n.sum = trace.HashBytes(fmt.Append(nil, n.Sources()))
			}
			return n
		}
		n.sum = trace.HashBytes(text)
	}
	if !isLicence(path.Base(name)) && !isOfAll(name) && !n.readme {
		return n
	}
	if s, ok := license.Read(license.File{Path: name, Data: text}); ok {
		n.licence = &s
		n.sum = n.sum*trace.HashMultiplier ^ trace.HashBytes(fmt.Append(nil, s))
	}
	return n
}

// expression returns the licence that the notice, which states one, gives to a file.
func (n notice) expression(file string) string {
	expr, _ := license.Of(file, license.Stated{}, "", []license.Statement{*n.licence})
	return expr
}

// licenceFiles returns the notice files that state a licence of the files below them.
func licenceFiles(ns []notice) []notice {
	return slices.DeleteFunc(slices.Clone(ns), func(n notice) bool { return n.licence == nil || n.readme })
}

// licenceOf returns the licence of a file of the target, and what states it. A licence file at the root whose licence is not that of the
// repository counts as a list, or as the head of the file if that names it.
func licenceOf(ns []notice, file string, head license.Stated) (string, license.From) {
	var all, root []license.Statement
	for _, n := range licenceFiles(ns) {
		if all = append(all, *n.licence); path.Dir(n.path) == "." {
			root = append(root, *n.licence)
		}
	}
	expr, from := license.Of(file, head, "", all)
	if from.Kind != license.FromFile || path.Dir(from.Path) != "." {
		return expr, from
	}
	other := "*" + path.Ext(file) // no licence file names it
	if whole, _ := license.Of(other, license.Stated{}, "", root); whole == expr {
		return expr, from
	}
	if from.Kind = license.FromList; head.License != "" {
		from.Kind = license.FromHeader
	}
	return expr, from
}

// noticeText is a notice file before it is read.
type noticeText struct {
	path string
	read func(context.Context) ([]byte, error)
}

// Notices reads the notice files of a target: those in the directory of a file and in all directories above. Each directory is
// read once, when the first finding needs it.
type Notices struct {
	list func(ctx context.Context, dir string) ([]noticeText, error) // sorted

	mu   sync.Mutex
	dirs map[string][]notice
	left int // bytes
}

func newNotices(list func(context.Context, string) ([]noticeText, error)) *Notices {
	return &Notices{list: list, dirs: make(map[string][]notice), left: maxNoticeSum}
}

// above returns the notice files that apply to a file, nearest first.
func (n *Notices) above(ctx context.Context, file string) ([]notice, error) {
	if n == nil {
		return nil, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []notice
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if dir == "." || dir == "/" {
			dir = ""
		}
		ns, err := n.in(ctx, dir)
		if err != nil {
			return nil, err
		}
		out = append(out, ns...)
		if dir == "" {
			return out, nil
		}
	}
}

// Sum returns a hash of the notice files that apply to a file.
func (n *Notices) Sum(ctx context.Context, file string) (uint64, error) {
	ns, err := n.above(ctx, file)
	sum := uint64(len(ns))
	for _, t := range ns {
		sum = (sum*trace.HashMultiplier ^ t.sum) * trace.HashMultiplier
		sum ^= trace.HashBytes([]byte(t.path))
	}
	return sum, err
}

// in returns the notice files of one directory.
func (n *Notices) in(ctx context.Context, dir string) ([]notice, error) {
	if ns, ok := n.dirs[dir]; ok {
		return ns, nil
	}
	texts, err := n.list(ctx, dir)
	if err != nil {
		return nil, err
	}
	var ns []notice
	for _, t := range texts[:min(len(texts), maxNotices)] {
		if dir != "" && isOfAll(t.path) {
			continue // the root has it
		}
		b, err := t.read(ctx)
		if err != nil {
			return nil, err
		}
		if len(b) == 0 || len(b) > n.left {
			continue
		}
		n.left -= len(b)
		if s := newNotice(t.path, b); s.sum != 0 {
			ns = append(ns, s)
		}
	}
	n.dirs[dir] = ns
	return ns, nil
}

// OnDisk returns the notice files of a work tree. Files that cannot be read are ignored.
func OnDisk(root string) *Notices {
	return newNotices(func(_ context.Context, dir string) ([]noticeText, error) {
		es, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		var out []noticeText
		for _, e := range es {
			if !e.Type().IsRegular() || !isNotice(path.Join(dir, e.Name())) {
				continue
			}
			out = append(out, onDisk(root, path.Join(dir, e.Name())))
		}
		if dir == "" {
			for _, name := range ofAll {
				if folder, err := os.Lstat(filepath.Join(root, path.Dir(name))); err == nil && folder.IsDir() { // not a link
					out = append(out, onDisk(root, name))
				}
			}
		}
		return out, nil
	})
}

func onDisk(root, name string) noticeText {
	at := filepath.Join(root, filepath.FromSlash(name))
	return noticeText{name, func(context.Context) ([]byte, error) { return git.ReadSmall(at, maxNoticeSize), nil }}
}

// InIndex returns the notice files that are staged.
func InIndex(repo *git.Repo) *Notices {
	wanted := func(name string) bool {
		return isNotice(name) || slices.ContainsFunc(ofAll, func(list string) bool { return path.Base(list) == name })
	}
	all := sync.OnceValues(func() ([]git.File, error) { return repo.StagedFiles(context.Background(), wanted) })
	return newNotices(func(_ context.Context, dir string) ([]noticeText, error) {
		fs, err := all()
		fs = slices.DeleteFunc(slices.Clone(fs), func(f git.File) bool {
			return (parentDir(f.Path) != dir || !isNotice(f.Path)) && (dir != "" || !isOfAll(f.Path))
		})
		return blobs(repo, fs), err
	})
}

// InCommit returns the notice files of a commit.
func InCommit(repo *git.Repo, rev string) *Notices {
	return newNotices(func(ctx context.Context, dir string) ([]noticeText, error) {
		fs, err := repo.Dir(ctx, rev, dir)
		fs = slices.DeleteFunc(fs, func(f git.File) bool { return !isNotice(f.Path) })
		for _, name := range ofAll {
			if dir == "" && err == nil {
				var below []git.File
				below, err = repo.Dir(ctx, rev, path.Dir(name))
				fs = append(fs, slices.DeleteFunc(below, func(f git.File) bool { return f.Path != name })...)
			}
		}
		return blobs(repo, fs), err
	})
}

// parentDir returns the directory of a path, "" if there is none.
func parentDir(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

func blobs(repo *git.Repo, fs []git.File) []noticeText {
	var out []noticeText
	for _, f := range fs {
		out = append(out, noticeText{f.Path, func(ctx context.Context) ([]byte, error) {
			b, err := repo.Blob(ctx, f.Blob, maxNoticeSize)
			if git.IsUnreadable(err) {
				return nil, nil
			}
			return b, err
		}})
	}
	return out
}

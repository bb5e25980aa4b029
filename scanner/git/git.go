// Package git is the first stage of a scan. It turns a git repository, or a plain directory, into lists of files and changes, and
// object names into bytes. It takes paths, revisions and ranges. It returns [File], [Change] and [CommitChanges] values and the
// content of blobs. A file of the target that is not listed is reported through a [Skipped] callback with its reason.
//
// The package never writes to the repository and reads no environment variable. The only program that it runs is the git of
// [Options], and only if its own readers cannot read the repository: objects named by SHA-256, references in a reftable, a split or
// sparse index, unknown extensions (see fallback.go and program.go). History is taken as it was recorded: replacement references
// and grafts are not applied. Nothing is ever fetched.
//
// The files, by what they read:
//
//	where a repository is  git.go (Open), layout.go, config.go, package internal/configfile
//	names of commits       refs.go, revision.go, tags.go, submodules.go
//	objects                commit.go, tree.go, longnames.go (SHA-256), package internal/object
//	files                  worktree.go, ignore.go, staged.go, index.go, files.go, dir.go, oldfiles.go, read.go; unfold.go (how much they unfold to)
//	changes                changes.go (of a commit), diff.go (of a range), rename.go
//	commits                commits.go (all, parents first), history.go (with their changes), trail.go and branch.go (of some paths,
//	                       followed back), otherhistories.go, walk.go (merge bases, order), ahead.go (trees read in advance), facts.go
//	                       (what is kept for later runs)
//	by the program git     fallback.go, program.go, catfile.go
//	errors                 errors.go
package git

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// Hash is the SHA-1 name of an object, or the first 160 bits of its SHA-256 name; Commit.Name has all bits. The zero Hash names no
// object.
type Hash = object.Hash

// ParseHash reads 40 hexadecimal digits.
func ParseHash(s string) (Hash, error) { return object.ParseHash(s) }

// The file modes that git stores. Regular files are ModeFile or ModeExecutable. Older versions of git stored other permission bits,
// which are folded into these two when trees and indexes are read.
const (
	ModeTree       uint32 = 0o040000
	ModeFile       uint32 = 0o100644
	ModeExecutable uint32 = 0o100755
	ModeSymlink    uint32 = 0o120000
	ModeSubmodule  uint32 = 0o160000
)

// SizeUnknown is the Size of a File whose object was not read.
const SizeUnknown int64 = -1

// File is one regular file of a target. Path is relative to the root of the work tree and uses slashes. Blob is zero for files of
// the file system, whose content is read from there. Size is SizeUnknown for files known from a tree only.
type File struct {
	Path string
	Mode uint32
	Blob Hash
	Size int64
	Gone bool // of a file that a commit changed: the commit has no file at this path any more
}

// Change is a file that was added or whose content was modified. If HasOld is set, Old is the earlier content and OldPath its path,
// which differs from Path after a rename.
type Change struct {
	File
	OldPath string
	Old     Hash
	HasOld  bool
	Older   bool // history: the repository contained the content before the range
}

// Commit holds the data of a commit for a report.
type Commit struct {
	ID          Hash
	Name        string // ID in full: 40 hexadecimal digits, or 64
	Parents     []Hash
	AuthorName  string
	AuthorEmail string
	AuthorTime  time.Time
	CommitTime  time.Time
}

// Reason says why an entry of a target was not listed.
type Reason string

// The reasons reported through Skipped.
const (
	ReasonSymlink       Reason = "symlink"         // a symbolic link; links are never followed
	ReasonSubmodule     Reason = "submodule"       // another repository's commit, or a nested repository
	ReasonSpecial       Reason = "special"         // a device, socket, pipe or the like
	ReasonUnreadable    Reason = "unreadable"      // the file system refused
	ReasonConflict      Reason = "conflict"        // an unmerged index entry
	ReasonIntentToAdd   Reason = "intent-to-add"   // git add -N: nothing is staged yet
	ReasonNotCheckedOut Reason = "not-checked-out" // left out of the work tree by a sparse checkout
	ReasonLFS           Reason = "lfs-pointer"     // the content lives in a Git LFS store
	ReasonShallow       Reason = "shallow"         // history ends here; everything in this commit counts as old
	ReasonMalformed     Reason = "malformed"       // an entry that no well-formed repository has
)

// Skipped is called for each entry that is not listed: in a fixed order, from the goroutine of the call that it was given to. A nil
// Skipped drops the reports.
type Skipped func(path string, reason Reason, detail string)

func (s Skipped) report(path string, reason Reason, detail string) {
	if s != nil {
		s(path, reason, detail)
	}
}

// Options are the places that git would take from its environment. Every field may be empty. Relative paths are relative to the
// directory given to Open.
type Options struct {
	GitDir     string   // GIT_DIR: the repository itself; if empty, the repository is searched for upwards
	WorkTree   string   // GIT_WORK_TREE
	ObjectDir  string   // GIT_OBJECT_DIRECTORY
	Alternates []string // GIT_ALTERNATE_OBJECT_DIRECTORIES, split
	IndexFile  string   // GIT_INDEX_FILE
	Home       string   // HOME: where .gitconfig may name a file of ignore patterns
	ConfigHome string   // XDG_CONFIG_HOME; Home/.config when empty
	Git        string   // path of the git program; if empty, git is not run
}

// Repo is an open repository. It is safe for concurrent use. The readers with file descriptors, buffers and the cache of delta
// bases are not, so each call takes a reader of its own from a pool. Close it when done.
type Repo struct {
	layout   layout
	config   config
	objects  *object.DB
	refs     refStore
	shallow  map[Hash]bool
	fallback *fallback // nil if no git is needed for objects and references
	// askGit makes a fallback, or returns the error why
	askGit func(why *UnsupportedError) (*fallback, error)

	mu   sync.Mutex
	free []*reader
}

// Open finds the repository that contains dir, or the one that opts names, and opens it for reading. It fails with
// *NotRepositoryError if there is none, and with *UnsupportedError for formats that neither it nor git can read. If it starts git,
// git runs until ctx ends or the repository is closed.
func Open(ctx context.Context, dir string, opts Options) (*Repo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found, err := findLayout(dir, opts)
	if err != nil {
		return nil, err
	}
	cfg, err := readConfig(found.commonDir, found.gitDir)
	if err != nil {
		return nil, err
	}
	if err := found.settleRoot(cfg); err != nil {
		return nil, err
	}
	found.excludes = findExcludes(cfg, found, opts)
	r := &Repo{layout: found, config: cfg, refs: openRefs(found)}
	r.askGit = func(why *UnsupportedError) (*fallback, error) {
		return openFallback(ctx, found, opts, cfg.promisor, why)
	}
	if why := cfg.beyond(); why != nil {
		if r.fallback, err = r.askGit(why); err != nil {
			return nil, err
		}
		r.refs.git = r.fallback
	}
	if err := r.openObjects(); err != nil {
		return nil, err
	}
	r.shallow, err = readShallow(found.commonDir, r.parseHash)
	return r, err
}

// openObjects opens the object database, through this package or through git.
func (r *Repo) openObjects() (err error) {
	if !r.throughGit() {
		r.objects, err = object.Open(r.layout.objectDirs)
		if !errors.Is(err, object.ErrIndexVersion) {
			return err
		}
		why := &UnsupportedError{What: object.ErrIndexVersion.Error(), Remedy: "install git, or run `git repack -ad`", needs: needsObjects}
		if r.fallback, err = r.askGit(why); err != nil {
			return err
		}
	}
	r.objects = object.Through(r.fallback.batch.object)
	return nil
}

// throughGit reports whether git reads the objects, and with them everything else.
func (r *Repo) throughGit() bool { return r.fallback != nil && r.fallback.objects }

func (r *Repo) parseHash(name string) (Hash, error) {
	if r.throughGit() {
		return r.fallback.names.cut(name)
	}
	return ParseHash(name)
}

// digits is the length of an object's full name.
func (r *Repo) digits() int {
	if r.throughGit() {
		return r.fallback.names.digits()
	}
	return 2 * len(Hash{})
}

// name returns an object's full name.
func (r *Repo) name(h Hash) string {
	if r.throughGit() {
		return r.fallback.names.full(h)
	}
	return h.String()
}

// Root returns the absolute path of the work tree, "" in a bare repository.
func (r *Repo) Root() string { return r.layout.root }

// Remote returns the configured address of a remote, "" if there is no such remote.
func (r *Repo) Remote(name string) string { return r.config.remotes[name] }

// Shallow reports whether history was cut off by a shallow clone.
func (r *Repo) Shallow() bool { return len(r.shallow) > 0 }

// Size returns the bytes of the files with the repository's objects.
func (r *Repo) Size() (total int64) {
	for _, dir := range r.layout.objectDirs {
		total += disk.DirSize(dir)
	}
	return total
}

// GiveBack releases the memory that reading took: idle readers with their caches, pages of packs, and packed references. The repository
// stays open. A program that opens many repositories calls it before it turns to the next one.
func (r *Repo) GiveBack() {
	r.mu.Lock()
	free := r.free
	r.free = nil
	r.mu.Unlock()
	for _, rd := range free {
		rd.Close()
	}
	r.objects.GiveBack()
	r.refs.kept.giveBack()
}

// Close closes the file descriptors. Running calls keep theirs until they end.
func (r *Repo) Close() error {
	r.GiveBack()
	if r.throughGit() {
		r.fallback.batch.close()
	}
	return nil
}

// Blob returns the content of a blob. It fails with *TooLargeError above limit, before inflating; with *MissingObjectError if the
// object is absent; and with *CorruptError if it cannot be decoded or does not match its name. The bytes may be shared with a
// cache: they must not be modified.
func (r *Repo) Blob(ctx context.Context, h Hash, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rd := r.acquire()
	defer r.release(rd)
	return rd.Content(h, limit)
}

// Has reports whether the repository has an object. It does not look for damage.
func (r *Repo) Has(h Hash) bool {
	rd := r.acquire()
	defer r.release(rd)
	return rd.Has(h)
}

// WithBlob calls f with the result of Blob, which is valid only while f runs.
func (r *Repo) WithBlob(ctx context.Context, h Hash, limit int64, f func([]byte) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rd := r.acquire()
	defer r.release(rd)
	rd.Lend()
	b, err := rd.Content(h, limit)
	if err != nil {
		return err
	}
	return f(b)
}

// reader reads objects; it also compares trees and decodes authors. It is not safe for concurrent use.
type reader struct {
	*object.Reader
	authors map[string]identity
}

func newReader(db *object.DB, promisor bool) *reader {
	return &reader{object.NewReader(db, promisor), map[string]identity{}}
}

// acquire takes an idle reader or makes one. Waiting for one could deadlock: the body of a range over History, which holds a
// reader, may call Blob.
func (r *Repo) acquire() *reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.free); n > 0 {
		rd := r.free[n-1]
		r.free = r.free[:n-1]
		return rd
	}
	return newReader(r.objects, r.config.promisor)
}

func (r *Repo) release(rd *reader) {
	rd.Return()
	r.mu.Lock()
	keep := len(r.free) < runtime.GOMAXPROCS(0)
	if keep {
		r.free = append(r.free, rd)
	}
	r.mu.Unlock()
	if !keep {
		rd.Close()
	}
}

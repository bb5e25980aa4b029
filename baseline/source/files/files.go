// Package files reads the files of directories and archives: one after another, in
// bytewise order of their paths, into memory. Everything else found is named with
// its reason. Archives are not trusted: no name of theirs becomes one on this
// machine, and every count, size and ratio is bounded by [Limits].
package files

import (
	"fmt"
	"os"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// Reasons for what is left out, as given to Visit.Skipped.
const (
	ReasonTooLarge   = "too-large"
	ReasonVendored   = "vendored"        // other packages' code below this one
	ReasonVCS        = "version-control" // .git and its like
	ReasonTestdata   = "testdata"
	ReasonSymlink    = "symlink"
	ReasonNotRegular = "not-regular"
	ReasonUnsafePath = "unsafe-path"
	ReasonDuplicate  = "duplicate" // a later entry of an archive has the same path
	ReasonMethod     = "unsupported-compression"
	ReasonUnreadable = "unreadable"
)

// Limits bound one package. Zero fields have the values of [DefaultLimits].
type Limits struct {
	FileBytes     int64 // a larger file is skipped
	TotalBytes    int64 // an archive that unpacks to more is refused
	Entries       int   // an archive with more entries is refused
	Ratio         int64 // an archive that unpacks to more than Ratio times its size is refused
	DownloadBytes int64 // a larger download is refused
}

// DefaultLimits returns the bounds used for zero fields. The largest real packages
// (kernel trees, cloud SDKs) have 90,000 files and 1.5 GB; real code packs at most
// about 40 to 1, bombs start at 1,000 to 1. Source files above 16 MiB are data.
func DefaultLimits() Limits {
	return Limits{FileBytes: 16 << 20, TotalBytes: 4 << 30, Entries: 250_000, Ratio: 200, DownloadBytes: 1 << 30}
}

// ratioFloor is the unpacked size below which no ratio is looked at: repetitive
// small archives are harmless.
const ratioFloor = 64 << 20

func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	if l.FileBytes <= 0 {
		l.FileBytes = d.FileBytes
	}
	if l.TotalBytes <= 0 {
		l.TotalBytes = d.TotalBytes
	}
	if l.Entries <= 0 {
		l.Entries = d.Entries
	}
	if l.Ratio <= 0 {
		l.Ratio = d.Ratio
	}
	if l.DownloadBytes <= 0 {
		l.DownloadBytes = d.DownloadBytes
	}
	return l
}

// Visit is one walk of one package.
type Visit struct {
	Limits  Limits                 // none of them zero
	Check   bool                   // an archive is fetched and its kind is told, nothing more
	Wanted  func(path string) bool // what else an archive holds is not even unpacked; nil: everything is wanted
	File    func(path string, data []byte) error
	Skipped func(path, reason, detail string)
	Dated   func(time.Time)     // told the latest date that a tar has of a file; may be nil
	Named   func(manifest.Meta) // told what the metadata in a download say of its package; may be nil
}

func (v *Visit) dated(t time.Time) {
	if v.Dated != nil {
		v.Dated(t)
	}
}

// LimitError says that an archive, download or document was refused for its size.
type LimitError struct {
	Subject string // archive or address
	Limit   string // "unpacked bytes", "entries", "compression ratio", "download bytes", ...
	Max     int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("read %q: more than %d %s", e.Subject, e.Max, e.Limit)
}

// ArchiveError says that an archive is damaged or not what it claims to be.
type ArchiveError struct {
	Archive string
	Entry   string // "" when it concerns the archive as a whole
	Err     error
}

func (e *ArchiveError) Error() string {
	if e.Entry == "" {
		return fmt.Sprintf("read archive %q: %v", e.Archive, e.Err)
	}
	return fmt.Sprintf("read archive %q: entry %q: %v", e.Archive, e.Entry, e.Err)
}
func (e *ArchiveError) Unwrap() error { return e.Err }

// WithTemp runs use with a temporary file that is removed in any case: at once
// where the system allows that, so that a killed process leaves nothing behind.
func WithTemp(use func(*os.File) error) error {
	f, err := os.CreateTemp("", "git-provenance-")
	if err != nil {
		return fmt.Errorf("create temporary file: %w", err)
	}
	removed := os.Remove(f.Name()) == nil
	defer func() {
		f.Close()
		if !removed {
			os.Remove(f.Name())
		}
	}()
	return use(f)
}

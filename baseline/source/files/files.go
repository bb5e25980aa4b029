// Package files reads the files of directories and archives into memory, one after another, in bytewise order of their
// paths. Everything else that it finds is reported with a reason. Archives are not trusted: their names never become
// file names on this machine, and [Limits] bounds every count, size and ratio.
//
//	files.go       Visit, Limits, reasons
//	dir.go         directories
//	archive.go     archives: their kinds, how their names become paths; zip.go, tar.go, phar.go: entries; compress.go: streams
//	inspect.go     which package an archive is
//	parts.go       packages of several archives; debian.go: what Debian's folder says
//	budget.go      counts the work that an archive causes
package files

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// Reasons for skipping a file, as passed to Visit.Skipped.
const (
	ReasonTooLarge   = "too-large"
	ReasonVendored   = "vendored"        // other packages' code below this one
	ReasonVCS        = "version-control" // .git and similar directories
	ReasonTestdata   = "testdata"
	ReasonSymlink    = "symlink"
	ReasonSpecial    = "special" // a device, a pipe or the like
	ReasonUnsafePath = "unsafe-path"
	ReasonDuplicate  = "duplicate" // a later entry of an archive has the same path
	ReasonMethod     = "unsupported-compression"
	ReasonUnreadable = "unreadable"
)

// Below returns the name in the output of a file of a directory or archive. An archive may have a name that leads out of it, which
// Join would write as a file beside it.
func Below(dir, name string) string {
	if dir == "" || name == "" || filepath.IsLocal(name) {
		return path.Join(dir, name)
	}
	return dir + "/" + name
}

// Limits bound one package. Zero fields have the values of [DefaultLimits].
type Limits struct {
	FileBytes     int64 // a larger file is skipped
	TotalBytes    int64 // an archive that unpacks to more is refused
	Entries       int   // an archive with more entries is refused
	Ratio         int64 // an archive that unpacks to more than Ratio times its size is refused
	DownloadBytes int64 // a larger download is refused
}

// DefaultLimits returns the bounds for zero fields. The largest real packages (kernel trees, cloud SDKs) have 90,000
// files and 1.5 GB. Real code compresses at most about 40 to 1; archive bombs start at 1,000 to 1. Source files above
// 16 MiB are data.
func DefaultLimits() Limits {
	return Limits{FileBytes: 16 << 20, TotalBytes: 4 << 30, Entries: 250_000, Ratio: 200, DownloadBytes: 1 << 30}
}

// ratioFloor is the unpacked size in bytes below which the ratio is not checked: small repetitive archives are
// harmless.
const ratioFloor = 64 << 20

// CheckUnpacked refuses a source that has unpacked to too many bytes. packed returns the source's own size; it is asked
// for beyond ratioFloor only.
func (l Limits) CheckUnpacked(subject string, unpacked int64, packed func() int64) error {
	switch {
	case unpacked > l.TotalBytes:
		return &LimitError{Subject: subject, Limit: "unpacked bytes", Max: l.TotalBytes}
	case unpacked > ratioFloor && unpacked/l.Ratio > packed():
		return &LimitError{Subject: subject, Limit: "times its size when unpacked", Max: l.Ratio}
	}
	return nil
}

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
	Limits  Limits                 // no field is zero
	Check   bool                   // only fetch an archive and check its kind
	Wanted  func(path string) bool // other entries of an archive are not unpacked; nil accepts everything
	File    func(path string, data []byte) error
	Skipped func(path, reason, detail string)
	Dated   func(time.Time)     // receives the latest date of a file in a tar; may be nil
	Named   func(manifest.Meta) // receives the metadata in a download; may be nil

	parts *int64 // bytes that the archives of one package have unpacked to; nil for one archive
}

func (v *Visit) dated(t time.Time) {
	if v.Dated != nil {
		v.Dated(t)
	}
}

// LimitError reports that an archive, download or document was refused for its size.
type LimitError struct {
	Subject string // archive or address
	Limit   string // "unpacked bytes", "entries", "compression ratio", "download bytes", ...
	Max     int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("read %q: more than %d %s", e.Subject, e.Max, e.Limit)
}

// ArchiveError reports that an archive is damaged, or not what it claims to be.
type ArchiveError struct {
	Archive string
	Entry   string // "" if it concerns the whole archive
	Err     error
}

func (e *ArchiveError) Error() string {
	if e.Entry == "" {
		return fmt.Sprintf("read archive %q: %v", e.Archive, e.Err)
	}
	return fmt.Sprintf("read archive %q: entry %q: %v", e.Archive, e.Entry, e.Err)
}
func (e *ArchiveError) Unwrap() error { return e.Err }

// WithTemp runs use with a temporary file that is always removed. If the system allows it, the file is removed at once,
// so that a killed process leaves none.
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

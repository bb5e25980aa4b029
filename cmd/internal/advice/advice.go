// Package advice explains errors to the user: Message says what happened, For says what to do about it. The errors come from any
// package below (see the floors in docs/ARCHITECTURE.md).
package advice

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/indexing"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// Remedied is an error that has its own remedy.
type Remedied interface {
	error
	Remedy() string
}

// Message returns the text of an error. Errors of package os write the names of files as they are. Here they stand in quotation
// marks, like all names in messages: a name may have spaces, or look like a part of the sentence.
func Message(err error) string {
	text := err.Error()
	each(err, func(err error) {
		switch e := err.(type) {
		case *fs.PathError:
			text = strings.Replace(text, e.Error(), fmt.Sprintf("%s %q: %v", e.Op, e.Path, e.Err), 1)
		case *os.LinkError:
			text = strings.Replace(text, e.Error(), fmt.Sprintf("%s %q %q: %v", e.Op, e.Old, e.New, e.Err), 1)
		}
	})
	return text
}

// each calls visit with an error and with all errors that it wraps.
func each(err error, visit func(error)) {
	if err == nil {
		return
	}
	visit(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		each(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			each(inner, visit)
		}
	}
}

// For returns remedies for an error, one line each. There is none if the message of the error already says it.
func For(err error) []string {
	var hints []string
	for _, hint := range []string{
		onLimit(err), onDevice(err), onRemedied(err), onBaseline(err), onSource(err), onRepository(err), onReport(err),
	} {
		if hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	return hints
}

func onRemedied(err error) string {
	if e, ok := errors.AsType[Remedied](err); ok {
		return e.Remedy()
	}
	return ""
}

func onBaseline(err error) string {
	if hint := onStore(err); hint != "" {
		return hint
	}
	if e, ok := errors.AsType[*baseline.NotBaselineError](err); ok {
		if baseline.IsAddress(e.Path) {
			return fmt.Sprintf("check the name, or make it: git-provenance baseline add SOURCE --baseline %q", e.Path)
		}
		if !baseline.Absent(e.Path) {
			return "a baseline is a directory of its own, new or empty at first: check the name, or make one elsewhere with git-provenance baseline add SOURCE --baseline DIR"
		}
		return fmt.Sprintf("make one in a new or empty directory: git-provenance baseline add SOURCE --baseline %q", e.Path)
	}
	if _, ok := errors.AsType[*baseline.AddressError](err); ok {
		return strings.Join(append([]string{"a baseline is a directory"}, shared.Schemes()...), " or ")
	}
	if e, ok := errors.AsType[*baseline.SchemeError](err); ok {
		return fmt.Sprintf("it was made by another release or with other parameters: make it again; \"git-provenance baseline list --format json\" of that release lists what %q holds", e.Path)
	}
	if e, ok := errors.AsType[*baseline.CorruptError](err); ok {
		if baseline.IsAddress(e.Path) {
			return fmt.Sprintf("\"git-provenance baseline verify --baseline %s\" fetches it again, past the cache of this machine; if it is still damaged, %s", e.Path, mendStore)
		}
		return fmt.Sprintf("remove %q and index its packages again; if it is the cache of scans without a baseline, the next scan makes it again", e.Path)
	}
	if _, ok := errors.AsType[*baseline.NewerError](err); ok {
		return "update git-provenance; the baseline is sound"
	}
	if e, ok := errors.AsType[*baseline.FormatError](err); ok {
		return fmt.Sprintf("it was made by another release: remove %q and index its packages again", e.Path)
	}
	if e, ok := errors.AsType[*baseline.LostManifestError](err); ok {
		return fmt.Sprintf("nothing was changed: put its newest manifest-….json back, or remove %q and index its packages again", e.Path)
	}
	if e, ok := errors.AsType[*baseline.CompactError](err); ok {
		return fmt.Sprintf("nothing is lost: run \"git-provenance baseline compact --baseline %s\" once the cause is fixed", e.Path)
	}
	if hint := onImport(err); hint != "" {
		return hint
	}
	if e, ok := errors.AsType[*baseline.ReadError](err); ok {
		return onUnreadable(e)
	}
	if e, ok := errors.AsType[*baseline.UnknownPackageError](err); ok {
		return fmt.Sprintf("\"git-provenance baseline list --baseline %s\" lists its packages", e.Path)
	}
	if _, ok := errors.AsType[*baseline.KeyError](err); ok {
		return "name the file with its key: --key FILE, GIT_PROVENANCE_KEY or \"key: FILE\" in .git-provenance.yml"
	}
	return ""
}

// mendStore mends a shared baseline whose objects or rows are damaged or missing.
const mendStore = "restore the store from a backup, or import an export to another address"

// onStore returns the remedy for an error of a shared baseline's store.
func onStore(err error) string {
	if e, ok := errors.AsType[*shared.StoreError](err); ok {
		return e.Hint
	}
	if _, ok := errors.AsType[*shared.GoneError](err); ok {
		return "run the command again: it then reads the baseline as it is now"
	}
	if _, ok := errors.AsType[*shared.LostError](err); ok {
		return "somebody removed it by hand: " + mendStore
	}
	if _, ok := errors.AsType[*shared.ConflictError](err); ok {
		return "run the command again: it then changes the baseline as it is now"
	}
	if _, ok := errors.AsType[*shared.BusyError](err); ok {
		return "run the command again once that writer has ended; end a writer that hangs at the store"
	}
	return ""
}

// onImport returns the remedy for an export that does not fit the baseline or the trusted keys.
func onImport(err error) string {
	if e, ok := errors.AsType[*baseline.ReplaceError](err); ok && e.Since != "" {
		return "the file holds only what is new since an earlier export: import the earlier export first, or a whole export"
	} else if ok {
		return "import to another --baseline, or replace it with --replace"
	}
	if e, ok := errors.AsType[*baseline.ExportError](err); ok && e.Cut() {
		return "nothing was changed: copy or download the file again, and compare its size with the one that \"baseline export\" printed"
	}
	if _, ok := errors.AsType[*baseline.SignerError](err); ok {
		return "nothing was changed: compare the key with what the publisher says, and name its file with --trust; without --trust anybody's export is taken"
	}
	return ""
}

// onLimit returns the remedy for a system limit, whichever operation met it.
func onLimit(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "allow the program more open files, such as with \"ulimit -n 1024\", and run the command again"
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return "make room on the disk, and run the command again"
	}
	return ""
}

// onDevice returns the remedy for a failure below the file system while a file is written, listed or changed.
func onDevice(err error) string {
	_, reading := errors.AsType[*baseline.ReadError](err)
	_, compacting := errors.AsType[*baseline.CompactError](err)
	_, cut := errors.AsType[*disk.FaultError](err)
	if reading || compacting || !cut && !errors.Is(err, syscall.EIO) && !errors.Is(err, io.ErrShortWrite) {
		return ""
	}
	return "the disk or its file system failed; the log of the system, such as \"dmesg\", says more: run the command again once it is repaired"
}

// onUnreadable returns the remedy for a baseline that may be sound.
func onUnreadable(e *baseline.ReadError) string {
	switch {
	case onLimit(e) != "":
		return "" // already said
	case errors.Is(e, fs.ErrPermission):
		return fmt.Sprintf("let this user read the files in %q", e.Path)
	}
	return fmt.Sprintf("run \"git-provenance baseline verify --baseline %s\" while no other program writes to it, to see whether it is sound", e.Path)
}

func onSource(err error) string {
	if hint := onDownload(err); hint != "" {
		return hint
	}
	if _, ok := errors.AsType[*source.OfflineError](err); ok {
		return "allow the network by leaving out --offline, or fetch it first"
	}
	if _, ok := errors.AsType[*purl.SyntaxError](err); ok {
		return "a package URL looks like pkg:npm/left-pad@1.3.0 or pkg:golang/golang.org/x/mod@v0.42.0"
	}
	if _, ok := errors.AsType[*purl.UnsupportedTypeError](err); ok {
		return "download its archive and add that: git-provenance baseline add ARCHIVE --purl PURL"
	}
	return ""
}

// onDownload returns the remedy for an archive or a registry's answer that cannot be used.
func onDownload(err error) string {
	if _, ok := errors.AsType[*source.IntegrityError](err); ok {
		return "it is not what was announced: compare it with what its publisher says, or take it from another mirror"
	}
	if _, ok := errors.AsType[*source.LimitError](err); ok {
		return "unpack it if you trust it, and name the directory instead; for a baseline, add --purl PURL"
	}
	if e, ok := errors.AsType[*source.ArchiveError](err); ok {
		if errors.Is(e, fs.ErrNotExist) {
			return "put the part beside the file that names it"
		}
		return "the archive is damaged, incomplete or of another kind: fetch it again"
	}
	return indexing.NotThere(source.AnswerOf(err))
}

func onRepository(err error) string {
	if _, ok := errors.AsType[*git.NotRepositoryError](err); ok {
		return "outside of a repository, files can be scanned by naming them: git-provenance scan PATH"
	}
	if _, ok := errors.AsType[*git.BareError](err); ok {
		return "a bare repository has no files: scan --history or --diff BASE...HEAD"
	}
	if _, ok := errors.AsType[*git.UnfoldError](err); ok {
		return "scan fewer commits or files: name a range or paths, or leave files out with --exclude"
	}
	if _, ok := errors.AsType[*git.OutsideError](err); ok {
		return "one scan takes the paths of one repository"
	}
	if e, ok := errors.AsType[*git.RevisionError](err); ok && !e.Shallow && e.Detail == "" {
		return "\"git branch --all\" lists the branches: the main one may have another name, such as master, or be at a remote only, such as origin/main"
	}
	return ""
}

func onReport(err error) string {
	_, other := errors.AsType[*jsonform.SchemaError](err)
	if _, none := errors.AsType[*jsonform.SyntaxError](err); other || none {
		return "the command takes a report that \"git-provenance scan --format json\" of this release wrote"
	}
	return ""
}

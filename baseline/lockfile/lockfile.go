// Package lockfile reads lock files, manifests and bills of material: the texts in which a repository lists its dependencies. It
// returns pins: the package URL of one version, with the checksums in the text. It also lists the entries that name no package of a
// registry, each with a reason. It reads no files and uses no network. Names and versions that it returns are safe to use in paths.
//
//	lockfile.go    Pin, File, Read
//	formats.go     the table of formats: which file is which, and the command that installs what it lists
//	list.go        the pins of one file, in order, with what they need
//	limits.go      packages that are for some systems only
//	toml.go        TOML within bounds; Cargo.lock, poetry.lock, pdm.lock, uv.lock
//	npm.go, pnpm.go, yarn.go, python.go, maven.go, gradle.go, swift.go, cocoapods.go  one ecosystem each
//	languages.go   Ruby, PHP, .NET
//	bills.go       SPDX and CycloneDX
package lockfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/git-provenance/git-provenance/baseline/bounded"
)

// Reasons why an entry gives no pin.
const (
	ReasonLocal     = "local"      // a directory or file beside the lock file: the user's own code
	ReasonGit       = "git"        // a commit of a repository
	ReasonAddress   = "address"    // an archive at an address outside any registry
	ReasonRange     = "no-version" // the text does not give the version
	ReasonName      = "no-name"    // a name or version that no registry can have
	ReasonCut       = "cut-off"    // the end of the text is missing
	ReasonIncluded  = "included"   // a file that a requirements file includes, and that cannot be read
	ReasonNotListed = "not-listed" // another entry needs it, and the text has no entry for it
)

// MaxBytes bounds a text, in bytes. The largest real ones list 20,000 packages in 10 MB.
const MaxBytes = 32 << 20

// maxEntries bounds the entries read from one text.
const maxEntries = 500_000

// ErrTooLarge reports that a text has more entries or deeper nesting than the limits.
var ErrTooLarge = bounded.ErrTooMany

// Pin is one version of a package that a text names.
type Pin struct {
	PURL string
	// Integrity has the checksums of the registry's archives, as "sha256-BASE64", separated by spaces, as in Subresource Integrity.
	// A version can have several archives, and a text several checksums for it.
	Integrity string
	// Unreadable is an invalid checksum, or one of an unknown kind. It is "" if Integrity has a checksum.
	Unreadable string
	Address    string // address of the archive, if the text gives one
	License    string // as the text declares it
	Bundled    bool   // it is inside the package that depends on it
	Limits     Limits // machines that it is installed on; empty for all

	Git, Revision string // of a package that is a git repository: its https address, the commit

	Bring string // the command that installs it, if it differs from the Format's
}

// Left is an entry without a pin: it names no package of a registry, or no version of the package PURL. An entry without a name
// concerns the text as a whole.
type Left struct {
	Name, Reason, Detail, PURL string
	Bring                      string // as that of a Pin
	Limits                     Limits // as those of a Pin
}

// compare orders entries; 0 means that both say the same.
func (a Left) compare(b Left) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Reason, b.Reason), strings.Compare(a.Detail, b.Detail),
		strings.Compare(a.Bring, b.Bring), slices.Compare(a.Limits.Markers, b.Limits.Markers), strings.Compare(a.PURL, b.PURL))
}

// File is the content of one text. Pins are ordered by package URL, each once.
type File struct {
	Pins []Pin
	Left []Left
	Own  []string // package URLs without version: packages that do not come from a registry
}

// Poms provides the texts that a text refers to. Nil functions provide none.
type Poms struct {
	Tree func(rel string) []byte                      // by path relative to the text
	Repo func(group, artifact, version string) []byte // from a local repository
}

// Read reads a text of the format.
func (f *Format) Read(data []byte, poms Poms) (File, error) {
	if len(data) > MaxBytes {
		return File{}, fmt.Errorf("read %s: %w", f.Name, ErrTooLarge)
	}
	l := &list{pins: map[string]*pinned{}, listed: map[string]bool{}}
	data = utf8Of(data)
	if err := bounded.Check(data); err != nil {
		return File{}, fmt.Errorf("read %s: %w", f.Name, err)
	}
	if f.bring == mavenGet {
		l.each = mavenCommand
	}
	if err := f.read(l, data, poms); err != nil {
		return File{}, fmt.Errorf("read %s: %w", f.Name, err)
	}
	if l.full {
		return File{}, fmt.Errorf("read %s: %w", f.Name, ErrTooLarge)
	}
	l.absent()
	return l.file(), nil
}

// utf8Of returns a text as UTF-8 without a byte order mark. PowerShell writes what it is told to redirect as UTF-16.
func utf8Of(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	case !bytes.HasPrefix(data, []byte("\xff\xfe")):
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for at := 2; at+1 < len(data); at += 2 {
		units = append(units, order.Uint16(data[at:]))
	}
	return []byte(string(utf16.Decode(units)))
}

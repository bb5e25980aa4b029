package baseline

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

const (
	format = 4 // of the manifest
	// maxManifest bounds a manifest, in bytes: each of a million removed packages takes 20.
	maxManifest = 64 << 20
)

// manifest is one generation.
type manifest struct {
	Format     int                `json:"format"`
	Generation int                `json:"generation"`
	Scheme     string             `json:"scheme"`
	Params     fingerprint.Params `json:"params"`
	Segments   []segmentEntry     `json:"segments"`
	Model      string             `json:"model"`             // hex of its digest
	Samples    map[string]string  `json:"samples,omitempty"` // per family: digest of the sample that its model was learnt from
	Sum        string             `json:"sum,omitempty"`     // hex of the SHA-256 of the manifest without this field
}

type segmentEntry struct {
	Name     string `json:"name"`              // hex of its digest
	Removed  []int  `json:"removed,omitempty"` // indexes of dead packages, ascending
	Postings uint64 `json:"postings"`
	Docs     int    `json:"docs"`
}

func (e segmentEntry) equal(f segmentEntry) bool {
	return e.Name == f.Name && slices.Equal(e.Removed, f.Removed)
}

func manifestName(gen int) string {
	return fmt.Sprintf("%s%08d%s", manifestPrefix, gen, manifestSuffix)
}

// readManifest returns the newest generation of a directory.
func readManifest(dir string) (*manifest, error) {
	names, err := manifests(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, withoutManifest(dir)
	}
	name := names[len(names)-1]
	b, err := readLimited(filepath.Join(dir, name), maxManifest)
	if err != nil {
		return nil, blame(dir, fmt.Errorf("manifest: %w", err))
	}
	m, err := decodeManifest(b)
	if older, ok := errors.AsType[*FormatError](err); ok {
		older.Path = dir
		return nil, older
	}
	if gen, _ := generation(name); err == nil && m.Generation != gen {
		err = fmt.Errorf("it calls itself generation %d", m.Generation)
	}
	if err != nil {
		return nil, &CorruptError{dir, fmt.Errorf("manifest %q: %w", name, err)}
	}
	return m, nil
}

// readLimited reads a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	return b, err
}

// encode returns the content of a manifest's file. The same manifest always gives the same bytes; the checksum is in
// the last line.
func (m manifest) encode() ([]byte, error) {
	m.Sum = ""
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	m.Sum = hex.EncodeToString(sum[:])
	b, err = json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

// decodeManifest accepts only the exact bytes that encode writes. JSON leaves some freedom, for example in the case of
// keys and the white space between them. So decodeManifest encodes the result again; a byte that differs is damage.
func decodeManifest(b []byte) (*manifest, error) {
	var is struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &is); err != nil {
		return nil, err
	}
	if is.Format != format {
		return nil, &FormatError{Have: is.Format, Want: format}
	}
	m := new(manifest)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, err
	}
	again, err := m.encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, b) {
		return nil, errors.New("its checksum differs")
	}
	m.Sum = "" // digests are made without it
	return m, m.check()
}

// check refuses names that would leave the directory, since a baseline may come from elsewhere. It also refuses
// impossible package numbers.
func (m *manifest) check() error {
	for _, s := range m.Segments {
		if !isDigest(s.Name) {
			return fmt.Errorf("segment name %q", s.Name)
		}
		for i, n := range s.Removed {
			if n < 0 || n > math.MaxInt32 || i > 0 && n <= s.Removed[i-1] {
				return fmt.Errorf("removed package %d of segment %s", n, s.Name)
			}
		}
	}
	if !isDigest(m.Model) {
		return fmt.Errorf("model name %q", m.Model)
	}
	for family, digest := range m.Samples {
		if !isDigest(digest) {
			return fmt.Errorf("sample %q of family %q", digest, family)
		}
	}
	return m.Params.Validate()
}

// isDigest reports whether s is half a SHA-256 in hex. All files except the manifests and the lock have such names.
func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == s
}

// withoutManifest says what a directory without manifest is: a baseline that has lost its manifest, or no baseline. The
// latter includes a directory whose writer was killed before its first commit.
func withoutManifest(dir string) error {
	es, err := disk.List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return blame(dir, err)
	}
	n := 0
	for _, e := range es {
		if e.Name() == newName {
			return &NotBaselineError{dir}
		}
		if isPart(e.Name()) {
			n++
		}
	}
	if n > 0 {
		return &LostManifestError{dir, n}
	}
	return &NotBaselineError{dir}
}

// isPart reports whether a name is that of a segment's file or of a model.
func isPart(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	return isDigest(base) && (ext == "fps" || ext == "docs" || "."+ext == modelSuffix)
}

// generation returns the number in the name of a manifest.
func generation(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, manifestPrefix)
	digits, end := strings.CutSuffix(digits, manifestSuffix)
	n, err := strconv.Atoi(digits)
	return n, ok && end && err == nil && manifestName(n) == name
}

// manifests lists the generations of a directory, oldest first.
func manifests(dir string) ([]string, error) {
	es, err := disk.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	var names []string
	for _, e := range es {
		if _, ok := generation(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return names, nil
}

// KeyError reports that a baseline was built with a key that was not given.
type KeyError struct {
	Path  string
	Check string // check value of the key it was built with
	Given int    // number of keys given; none of them is right
}

func (e *KeyError) Error() string {
	if e.Given == 0 {
		return fmt.Sprintf("baseline %q was built with a key (check value %s), and none is given", e.Path, e.Check)
	}
	return fmt.Sprintf("baseline %q was built with another key (check value %s) than the one given", e.Path, e.Check)
}

// keyMark separates, in the scheme of a keyed baseline, the scheme without key from the key's check value. So every
// segment names its key, and a program that does not know keys refuses the baseline.
const keyMark = "-key-"

// indexScheme returns the scheme in the manifest and the segments of a baseline.
func indexScheme(p fingerprint.Params, k fingerprint.Key) string {
	if k.IsZero() {
		return IndexID(p)
	}
	return IndexID(p) + keyMark + k.Check()
}

// keyOf returns the key of a baseline. It is the zero key if the baseline was built without one.
func (m *manifest) keyOf(dir string, keys []fingerprint.Key) (fingerprint.Key, error) {
	want := IndexID(m.Params)
	plain, check, keyed := strings.Cut(m.Scheme, keyMark)
	if plain != want {
		return fingerprint.Key{}, &SchemeError{dir, m.Scheme, want}
	}
	given := 0
	for _, k := range keys {
		if k.IsZero() {
			continue
		}
		given++
		if keyed && k.Check() == check {
			return k, nil
		}
	}
	if keyed {
		return fingerprint.Key{}, &KeyError{dir, check, given}
	}
	return fingerprint.Key{}, nil
}

package generation

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Names of files in a baseline's directory.
const (
	Lock  = "lock"             // held by the one writer
	Begun = TempPrefix + "new" // made before the first generation
	// Building is the name, without its end, of a segment's files that are being written.
	Building = "building"
	// TempPrefix begins the name of a file that is renamed once it is complete.
	TempPrefix = ".tmp-"

	Prints      = ".fps"   // ends the name of a segment's fingerprints
	Documents   = ".docs"  // ends the name of a segment's documents
	ModelSuffix = ".model" // ends the name of a model

	manifestPrefix = "manifest-"
	manifestSuffix = ".json"
)

// NameOf returns the name of a generation's manifest.
func NameOf(number int) string {
	return fmt.Sprintf("%s%08d%s", manifestPrefix, number, manifestSuffix)
}

// NumberOf returns the number of the generation whose manifest has this name, and whether it is such a name.
func NumberOf(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, manifestPrefix)
	digits, end := strings.CutSuffix(digits, manifestSuffix)
	n, err := strconv.Atoi(digits)
	return n, ok && end && err == nil && NameOf(n) == name
}

// Ours reports whether a writer makes files of this name.
func Ours(name string) bool {
	_, ok := NumberOf(name)
	return ok || strings.HasPrefix(name, TempPrefix) || strings.HasPrefix(name, Building+".") || IsPart(name)
}

// IsPart reports whether a name is that of a segment's file or of a model.
func IsPart(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	return isDigest(base) && ("."+ext == Prints || "."+ext == Documents || "."+ext == ModelSuffix)
}

// isDigest reports whether s is half a SHA-256 in hex. All files except the manifests and the lock have such names.
func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == s
}

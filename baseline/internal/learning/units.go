package learning

import (
	"crypto/sha256"
	"encoding/binary"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Unit returns the sampling unit of a document: a hash of the package without its version, and of the directory where the
// document was first found. Frequencies are counted in units, so fifty versions of a rare algorithm do not make it common.
func Unit(p, file string) uint32 { return unitOf(purl.Key(p), file) }

// unitOf is Unit for a package's key.
func unitOf[T string | []byte](key string, file T) uint32 {
	var room [256]byte
	sum := sha256.Sum256(append(append(append(room[:0], key...), ' '), dirOf(file)...))
	return binary.LittleEndian.Uint32(sum[:])
}

// dirOf is path.Dir. For nearly every path the result is the part before the last slash.
func dirOf[T string | []byte](file T) T {
	end := len(file) - 1
	for end >= 0 && file[end] != '/' {
		end--
	}
	if end <= 0 || file[end-1] == '/' || file[end-1] == '.' {
		return T(path.Dir(string(file)))
	}
	for i := range end {
		if file[i] == '/' && (file[i+1] == '/' || file[i+1] == '.') || i == 0 && file[0] == '.' {
			return T(path.Dir(string(file)))
		}
	}
	return file[:end]
}

// ofOnePackage is how many directories of a package count for one name at most. A name that one package uses throughout is still its own,
// and as rare as any other (rare in package model).
const ofOnePackage = 3

// standard lists the standard libraries. Everybody uses their names, so each of their directories counts.
var standard = []string{"pkg:golang/std", "pkg:generic/cpython", "pkg:generic/ruby", "pkg:generic/openjdk", "pkg:generic/rust"}

// A document's sampling unit has the package without its version in its upper half and the directory in its lower half.
const (
	unitHalf   = 1 << 16
	everybodys = unitHalf - 1 // in the upper half: a standard library
)

// units caches the upper half of the unit of each package.
type units map[string]uint32

// of returns the unit of a file of a package.
func (u units) of(key string, file []byte) uint32 {
	pkg, ok := u[key]
	if !ok {
		pkg = everybodys
		if !slices.Contains(standard, key) {
			sum := sha256.Sum256([]byte(key))
			pkg = binary.LittleEndian.Uint32(sum[:]) % everybodys
		}
		u[key] = pkg
	}
	return pkg*unitHalf + unitOf(key, file)%unitHalf
}

// namedUnit returns the unit that names are counted for: the directories of a package are folded into a few.
func namedUnit(unit uint32) uint32 {
	if unit/unitHalf == everybodys {
		return unit
	}
	return unit/unitHalf*ofOnePackage + unit%unitHalf%ofOnePackage
}

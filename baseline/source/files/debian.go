package files

import "github.com/git-provenance/git-provenance/baseline/source/manifest"

// Debian returns a visit that gives the same files, and a function to call at its end. The function passes on the metadata of this
// version in the folder debian. whole reports that the package has the files of that folder too.
func Debian(version string, whole bool, v *Visit) (*Visit, func()) {
	if v.Check || v.Named == nil {
		return v, func() {}
	}
	about, inner := manifest.Debian{Version: version, Whole: whole}, *v
	inner.File = func(name string, data []byte) error {
		about.Read(name, data)
		return v.File(name, data)
	}
	return &inner, func() { v.Named(about.Meta()) }
}

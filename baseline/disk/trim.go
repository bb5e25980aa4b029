package disk

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// Trim removes regular files in and below a directory, oldest change first, until the total is at most the given number
// of bytes. Files that cannot be read or removed are skipped.
func Trim(dir string, most int64) {
	type file struct {
		path    string
		size    int64
		changed time.Time
	}
	var all []file
	total := int64(0)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if in, err := d.Info(); err == nil {
				all = append(all, file{path, in.Size(), in.ModTime()})
				total += in.Size()
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(a.changed.Compare(b.changed), cmp.Compare(a.path, b.path)) })
	for _, f := range all {
		if total <= most {
			return
		}
		if Remove(f.path) == nil {
			total -= f.size
		}
	}
}

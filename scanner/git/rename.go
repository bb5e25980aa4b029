package git

import "context"

// findRenames gives added files the deleted file of equal content as their old one. Both lists are sorted by path, and
// each deleted file is used once.
func (r *reader) findRenames(ctx context.Context, changes []Change, deleted []File) error {
	byBlob := map[Hash][]string{}
	for _, f := range deleted {
		byBlob[f.Blob] = append(byBlob[f.Blob], f.Path)
	}
	for i := range changes {
		c := &changes[i]
		if from := byBlob[c.Blob]; !c.HasOld && len(from) > 0 {
			c.HasOld, c.Old, c.OldPath = true, c.Blob, from[0]
			byBlob[c.Blob] = from[1:]
		}
	}
	return ctx.Err()
}

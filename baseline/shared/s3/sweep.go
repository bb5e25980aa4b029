package s3

import (
	"context"
	"regexp"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// leftAfter is the age, by the clock of the store, at which a file that no head names counts as left by a failed
// writer. A writer gives up after half of that time.
const leftAfter = 24 * time.Hour

// ourKey matches the keys that put makes; other objects there are kept.
var ourKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^/]+\.[0-9a-f]{16}$`) })

// sweep removes the files and unfinished uploads of failed writers, after h has become the head. It ignores errors,
// since leftovers do no harm.
func (b *bucket) sweep(ctx context.Context, h head) {
	named := make(map[string]bool)
	for _, o := range h.Objects {
		named[o.Key] = true
	}
	for _, r := range h.Retired {
		named[r.Key] = true
	}
	var now time.Time
	old := func(t time.Time) bool {
		if now.IsZero() {
			in, err := b.client.StatObject(ctx, b.bucket, b.prefix+"head", minio.StatObjectOptions{})
			if err != nil {
				return false
			}
			now = in.LastModified
		}
		return now.Sub(t) > leftAfter
	}
	dir := b.prefix + "objects/"
	for in := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: dir, Recursive: true}) {
		if in.Err == nil && !named[in.Key] && ourKey().MatchString(in.Key[len(dir):]) && old(in.LastModified) {
			b.client.RemoveObject(ctx, b.bucket, in.Key, minio.RemoveObjectOptions{})
		}
	}
	for up := range b.client.ListIncompleteUploads(ctx, b.bucket, dir, true) {
		if up.Err == nil && ourKey().MatchString(up.Key[len(dir):]) && old(up.Initiated) {
			b.client.AbortMultipartUpload(ctx, b.bucket, up.Key, up.UploadID)
		}
	}
}

package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/minio/minio-go/v7"
)

// kept is how long retired files are kept.
const kept = time.Hour

// Commit uploads the files of a generation and then its head.
func (b *bucket) Commit(ctx context.Context, c shared.Change) error {
	put, err := b.readHead(ctx)
	if err != nil {
		return err
	}
	if b.head.Number != c.From {
		return &shared.ConflictError{Address: b.name}
	}
	next := head{Format: headFormat, Number: c.From + 1, Manifest: c.Manifest}
	for _, o := range b.head.Objects {
		if slices.Contains(c.Keep, o.Name) {
			next.Objects = append(next.Objects, o)
		} else {
			next.Retired = append(next.Retired, retired{Key: o.Key})
		}
	}
	var now time.Time // by the clock of the store
	start := time.Now()
	for _, l := range c.Add {
		o, at, err := b.put(ctx, l)
		if err != nil {
			return err
		}
		next.Objects, now = append(next.Objects, o), at
	}
	if time.Since(start) > leftAfter/2 {
		return b.refuse(fmt.Errorf("the upload took longer than %v", leftAfter/2), "find a faster way to the store: by then other writers may take its files for left behind")
	}
	old := b.aged(&next, put, now)
	if err := b.putHead(ctx, next); err != nil {
		return err
	}
	for _, key := range old { // leftovers do no harm
		b.client.RemoveObject(ctx, b.bucket, key, minio.RemoveObjectOptions{})
	}
	b.sweep(ctx, next)
	return nil
}

// aged copies the list of retired files to next, and returns the keys that are old enough to be removed.
func (b *bucket) aged(next *head, put, now time.Time) (old []string) {
	for _, r := range b.head.Retired {
		if r.Since.IsZero() {
			r.Since = put
		}
		if now.Sub(r.Since) > kept && !now.IsZero() {
			old = append(old, r.Key)
			continue
		}
		next.Retired = append(next.Retired, r)
	}
	return old
}

// put uploads a file under a new key and returns the time of the upload.
func (b *bucket) put(ctx context.Context, l shared.Local) (o object, at time.Time, err error) {
	var dice [8]byte
	rand.Read(dice[:])
	o = object{Name: l.Name, Size: l.Size, Key: b.prefix + "objects/" + l.Name + "." + hex.EncodeToString(dice[:])}
	in, err := b.client.FPutObject(ctx, b.bucket, o.Key, l.Path, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return o, at, b.told(ctx, err)
	}
	if in.Size != l.Size {
		return o, at, b.refuse(fmt.Errorf("%s took %d of %d bytes", o.Key, in.Size, l.Size), "run it again")
	}
	o.ETag = in.ETag
	is, err := b.client.StatObject(ctx, b.bucket, o.Key, minio.StatObjectOptions{})
	return o, is.LastModified, b.told(ctx, err)
}

// putHead writes a head in place of the one that was read, and fails if there is another.
func (b *bucket) putHead(ctx context.Context, h head) error {
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("write head: %w", err)
	}
	var o minio.PutObjectOptions
	if b.etag == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(b.etag)
	}
	o.ContentType = "application/json"
	_, err = b.client.Client.PutObject(ctx, b.bucket, b.prefix+"head", bytes.NewReader(text), int64(len(text)), o)
	if err == nil {
		return nil
	}
	// A lost answer, or a request sent twice, looks like a conflict.
	if _, failed := b.readHead(ctx); failed == nil {
		if there, failed := json.Marshal(b.head); failed == nil && bytes.Equal(there, text) { // keys belong to one writer only
			return nil
		}
	}
	if is(err, "PreconditionFailed", "ConditionalRequestConflict") {
		return &shared.ConflictError{Address: b.name}
	}
	return b.told(ctx, err)
}

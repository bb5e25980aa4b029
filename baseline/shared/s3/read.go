package s3

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

const (
	headFormat = 1
	// maxHead bounds the bytes of a head: those of a manifest and its lists.
	maxHead = 256 << 20
	// atOnce is the number of requests in parallel.
	atOnce = 16
	// bridge is the largest distance between two chunks in one request. So a request may include up to three unwanted
	// chunks between wanted ones.
	bridge = 4
	// maxStretch bounds one request, in chunks: 4 MiB.
	maxStretch = 256
)

// head names the files of a generation.
type head struct {
	Format   int       `json:"format"`
	Number   int       `json:"number"`
	Manifest []byte    `json:"manifest"`
	Objects  []object  `json:"objects"`
	Retired  []retired `json:"retired,omitempty"`
}

// object is a file of the baseline and its key.
type object struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Key  string `json:"key"`
	ETag string `json:"etag"`
}

// retired is a file that no generation has any more.
type retired struct {
	Key   string    `json:"key"`
	Since time.Time `json:"since,omitzero"` // zero: since the time of this head
}

func (b *bucket) Head(ctx context.Context) (*shared.Generation, error) {
	if _, err := b.readHead(ctx); err != nil {
		return nil, err
	}
	if b.head.Number == 0 {
		return nil, &shared.NoneError{Address: b.name}
	}
	g := &shared.Generation{Number: b.head.Number, Manifest: b.head.Manifest}
	for _, o := range b.head.Objects {
		g.Objects = append(g.Objects, shared.Object{Name: o.Name, Size: o.Size})
	}
	return g, nil
}

// readHead reads the newest head and returns when it was written. If there is none, b.head has number 0.
func (b *bucket) readHead(ctx context.Context) (put time.Time, err error) {
	b.head, b.etag, b.objects = head{}, "", make(map[string]object)
	watched, moved, stop := shared.Watch(ctx, stallAfter)
	defer stop()
	r, in, _, err := b.client.GetObject(watched, b.bucket, b.prefix+"head", minio.GetObjectOptions{})
	if is(err, "NoSuchKey") {
		return put, nil
	}
	if err != nil {
		return put, b.told(ctx, shared.Stalled(watched, err))
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(shared.Moving(r, moved), maxHead+1))
	if err != nil {
		return put, b.told(ctx, shared.Stalled(watched, err))
	}
	if err := b.decode(text); err != nil {
		return put, err
	}
	b.etag = in.ETag
	return in.LastModified, nil
}

func (b *bucket) decode(text []byte) error {
	err := json.Unmarshal(text, &b.head)
	switch {
	case err == nil && b.head.Format > headFormat:
		return b.refuse(fmt.Errorf("its head has format %d, this program knows %d", b.head.Format, headFormat), "update git-provenance: a newer one has changed this baseline")
	case err != nil || b.head.Format < 1 || b.head.Number < 1 || len(text) > maxHead:
		return b.refuse(errors.New("the object \"head\" there is not that of a baseline"), "name another prefix, or restore the earlier head")
	}
	for _, o := range b.head.Objects {
		b.objects[o.Name] = o
	}
	return nil
}

// stretch is a set of chunks of an object that one request fetches.
type stretch struct {
	object
	chunks []int
}

// stretches joins chunks that are close together.
func (b *bucket) stretches(wants []shared.Want) (out []stretch, err error) {
	for _, w := range wants {
		o, ok := b.objects[w.Object.Name]
		if !ok || o.Size != w.Object.Size {
			return nil, &shared.GoneError{Object: w.Object.Name}
		}
		for i, c := range w.Chunks {
			if last := len(out) - 1; i > 0 && c-w.Chunks[i-1] <= bridge && c-out[last].chunks[0] < maxStretch {
				last := &out[last]
				last.chunks = append(last.chunks, c)
				continue
			}
			out = append(out, stretch{o, []int{c}})
		}
	}
	return out, nil
}

// Fetch requests each stretch of chunks once, several in parallel.
func (b *bucket) Fetch(ctx context.Context, wants []shared.Want, got func(object string, chunk int, data []byte) error) error {
	all, err := b.stretches(wants)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, s := range all {
		g.Go(func() error {
			data, err := b.get(ctx, s)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, c := range s.chunks {
				at := (c - s.chunks[0]) * chunkSize
				if err := got(s.Name, c, data[at:min(at+chunkSize, len(data))]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// get reads a complete stretch, or fails.
func (b *bucket) get(ctx context.Context, s stretch) ([]byte, error) {
	from := int64(s.chunks[0]) * chunkSize
	end := min(s.Size, int64(s.chunks[len(s.chunks)-1]+1)*chunkSize)
	var o minio.GetObjectOptions
	if err := errors.Join(o.SetRange(from, end-1), o.SetMatchETag(s.ETag)); err != nil {
		return nil, err
	}
	watched, moved, stop := shared.Watch(ctx, stallAfter)
	defer stop()
	r, _, _, err := b.client.GetObject(watched, b.bucket, s.Key, o)
	switch {
	case is(err, "NoSuchKey"):
		return nil, &shared.GoneError{Object: s.Name}
	case is(err, "PreconditionFailed", "InvalidRange"):
		return nil, b.refuse(fmt.Errorf("%s is not what was put there", s.Key), "somebody changed the bucket by hand: import an export of the baseline to another prefix")
	case err != nil:
		return nil, b.told(ctx, shared.Stalled(watched, err))
	}
	defer r.Close()
	data := make([]byte, end-from)
	if n, err := io.ReadFull(shared.Moving(r, moved), data); errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return nil, b.refuse(fmt.Errorf("%s ends after %d of %d bytes from %d on", s.Key, n, len(data), from), "somebody changed the bucket by hand, or the network cut the answer: run it again, else import an export")
	} else if err != nil {
		return nil, b.told(ctx, shared.Stalled(watched, err))
	}
	return data, nil
}

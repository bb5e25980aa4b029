package shared

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// maxBatch bounds the number of chunks in one request.
const maxBatch = 10_000

// maxObject bounds the size that an object may claim, in bytes, since that much address space is reserved.
const maxObject = 256 << 30

// Remote is a store with its local cache. Safe for concurrent use.
type Remote struct {
	name  string
	store Store
	chunk int64
	cache *cache

	// ctx is the context of Dial. Readers fetch their data far below the functions that have a context.
	ctx context.Context

	calls sync.Mutex // allows one call to the store at a time

	mu    sync.Mutex
	queue []*request
	busy  bool
	files map[string]*File // open files, by name
}

// request is a set of chunks of one file that a reader waits for.
type request struct {
	file   *File
	chunks []int
	done   chan error
}

// Dial connects to the store at an address. ctx ends all its requests.
func Dial(ctx context.Context, address string) (*Remote, error) {
	k, ok := kindOf(address)
	if !ok {
		return nil, &SchemeError{Name(address)}
	}
	name := k.name(address)
	c, err := openCache(cacheOf(ctx), name)
	if err != nil {
		return nil, err
	}
	s, err := k.open(ctx, address)
	if err != nil {
		return nil, err
	}
	return &Remote{name: name, store: s, chunk: int64(s.ChunkSize()), cache: c, ctx: ctx, files: make(map[string]*File)}, nil
}

// Name returns the address without its secrets.
func (r *Remote) Name() string { return r.name }

// Close ends the connection.
func (r *Remote) Close() error {
	r.calls.Lock()
	defer r.calls.Unlock()
	trim(r.cache.all, r.isOpen)
	return r.store.Close()
}

// isOpen reports whether a path of the cache is that of an open object.
func (r *Remote) isOpen(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.files {
		if f.Name() == path {
			return true
		}
	}
	return false
}

// Lock keeps other writers out until Close.
func (r *Remote) Lock(ctx context.Context) error {
	r.calls.Lock()
	defer r.calls.Unlock()
	return r.store.Lock(ctx)
}

// Commit publishes a change and moves its files into the cache. They disappear from their old paths.
func (r *Remote) Commit(ctx context.Context, c Change) error {
	r.calls.Lock()
	defer r.calls.Unlock()
	if err := r.store.Commit(ctx, c); err != nil {
		return err
	}
	for _, l := range c.Add {
		r.cache.adopt(l, r.chunk) // on failure it is fetched when needed
		r.cache.grow(l.Size, r.isOpen)
	}
	return nil
}

// Head returns the newest generation.
func (r *Remote) Head(ctx context.Context) (*Snapshot, error) {
	r.calls.Lock()
	defer r.calls.Unlock()
	g, err := r.store.Head(ctx)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Generation: *g, remote: r, sizes: make(map[string]int64, len(g.Objects))}
	for _, o := range g.Objects {
		if o.Size < 0 || o.Size > maxObject {
			return nil, fmt.Errorf("object %q has %d bytes", o.Name, o.Size)
		}
		s.sizes[o.Name] = o.Size
	}
	return s, nil
}

// Snapshot is one open generation.
type Snapshot struct {
	Generation
	remote *Remote
	sizes  map[string]int64
}

// Has reports whether an object belongs to the generation.
func (s *Snapshot) Has(name string) bool {
	_, ok := s.sizes[name]
	return ok
}

// Size returns the size of an object of the generation.
func (s *Snapshot) Size(name string) (size int64, ok bool) {
	size, ok = s.sizes[name]
	return size, ok
}

// Open opens an object of the generation.
func (s *Snapshot) Open(name string) (*File, error) {
	size, ok := s.sizes[name]
	if !ok {
		return nil, &GoneError{name}
	}
	r := s.remote
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.files[name]; f != nil {
		f.users++
		return f, nil
	}
	f, err := r.cache.open(Object{name, size}, r.chunk)
	if err != nil {
		return nil, err
	}
	f.remote, f.users = r, 1
	r.files[name] = f
	return f, nil
}

// left records that a user has closed a file, and reports whether it was the last.
func (r *Remote) left(f *File) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.users--; f.users > 0 {
		return false
	}
	delete(r.files, f.object.Name)
	return true
}

// fetch fetches chunks of a file. Requests that arrive while another is under way are combined into the next. So one
// connection serves many workers, and a slow connection gets larger requests.
func (r *Remote) fetch(f *File, chunks []int) error {
	q := &request{f, chunks, make(chan error, 1)}
	r.mu.Lock()
	r.queue = append(r.queue, q)
	if !r.busy {
		r.busy = true
		go r.serve()
	}
	r.mu.Unlock()
	if err := <-q.done; err != nil {
		return &disk.UnreachableError{Err: err}
	}
	return nil
}

// serve answers requests until the queue is empty.
func (r *Remote) serve() {
	for {
		r.mu.Lock()
		qs := r.queue
		r.queue, r.busy = nil, len(qs) > 0
		r.mu.Unlock()
		if len(qs) == 0 {
			return
		}
		err := r.lost(r.answer(qs))
		for _, q := range qs {
			q.done <- err
		}
	}
}

// lost returns a *LostError in place of a *GoneError if the newest generation still has the object.
func (r *Remote) lost(err error) error {
	gone, ok := errors.AsType[*GoneError](err)
	if !ok {
		return err
	}
	r.calls.Lock()
	defer r.calls.Unlock()
	g, failed := r.store.Head(r.ctx)
	if failed == nil && slices.ContainsFunc(g.Objects, func(o Object) bool { return o.Name == gone.Object }) {
		return &LostError{gone.Object}
	}
	return err
}

// answer fetches the chunks of all requests, each once.
func (r *Remote) answer(qs []*request) error {
	files, chunks := make(map[string]*File), make(map[string][]int)
	for _, q := range qs {
		files[q.file.object.Name] = q.file
		chunks[q.file.object.Name] = append(chunks[q.file.object.Name], q.chunks...)
	}
	var wants []Want
	n := 0
	for name, list := range chunks {
		f := files[name]
		slices.Sort(list)
		list = slices.DeleteFunc(slices.Compact(list), f.ready)
		for len(list) > 0 {
			part := list[:min(len(list), maxBatch-n)]
			wants, list, n = append(wants, Want{f.object, part}), list[len(part):], n+len(part)
			if n == maxBatch {
				if err := r.ask(wants, files); err != nil {
					return err
				}
				wants, n = nil, 0
			}
		}
	}
	if err := r.ask(wants, files); err != nil {
		return err
	}
	return r.look(qs)
}

// look checks that all requested chunks are in the cache.
func (r *Remote) look(qs []*request) error {
	for _, q := range qs {
		for _, i := range q.chunks {
			if !q.file.ready(i) {
				return fmt.Errorf("keep %q in the cache: chunk %d is not what was written", q.file.object.Name, i)
			}
		}
	}
	return nil
}

// ask makes one request of the store.
func (r *Remote) ask(wants []Want, files map[string]*File) error {
	if len(wants) == 0 {
		return nil
	}
	asked, n := make(map[string]map[int]bool, len(wants)), 0 // value: whether it was received
	for _, w := range wants {
		asked[w.Object.Name] = make(map[int]bool, len(w.Chunks))
		for _, i := range w.Chunks {
			asked[w.Object.Name][i] = false
			n++
		}
	}
	r.calls.Lock()
	defer r.calls.Unlock()
	came := 0
	err := r.store.Fetch(r.ctx, wants, func(object string, chunk int, data []byte) error {
		here, wanted := asked[object][chunk]
		if !wanted {
			return fmt.Errorf("the store returned chunk %d of %q, which was not asked for", chunk, object)
		}
		if here { // a store that reconnected repeats the request
			return nil
		}
		asked[object][chunk] = true
		n--
		came += len(data)
		return files[object].put(chunk, data)
	})
	for _, w := range wants {
		if failed := files[w.Object.Name].flush(); err == nil {
			err = failed
		}
	}
	r.cache.grow(int64(came), r.isOpen)
	if err != nil {
		return err
	}
	if n > 0 {
		return &GoneError{missing(asked)}
	}
	return nil
}

// missing returns the first object with a chunk that was not received.
func missing(asked map[string]map[int]bool) string {
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		for _, came := range asked[name] {
			if !came {
				return name
			}
		}
	}
	return ""
}

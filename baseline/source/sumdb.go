package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// The default checksum database and its key.
const (
	defaultSumDB = "sum.golang.org"
	sumDBKey     = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
)

// Sums checks the zips of Go modules against a checksum database, like the Go command. It keeps what it has read in
// memory. Safe for concurrent use.
type Sums struct {
	client *sumdb.Client
	server *sumServer
	err    error // why client is nil
}

// NewSums returns a checker that uses the database in GOSUMDB, except for modules that match GONOSUMDB. It returns nil
// for "off". The database is read through a proxy of o that offers it. ctx ends all requests. An invalid GOSUMDB is
// reported when the first zip is checked.
func NewSums(ctx context.Context, gosumdb, gonosumdb string, o Options) *Sums {
	f := strings.Fields(cmp.Or(gosumdb, defaultSumDB))
	if len(f) == 0 || f[0] == "off" {
		return nil
	}
	s := &sumServer{ctx: ctx, o: o, key: f[0], lacks: map[string]int{}, cache: map[string][]byte{}}
	if f[0] == defaultSumDB || f[0] == "sum.golang.google.cn" {
		s.key = sumDBKey
	}
	name, _, ok := strings.Cut(s.key, "+")
	if !ok {
		return &Sums{err: fmt.Errorf("read GOSUMDB: %q names no known database and has no key", f[0])}
	}
	s.name, s.direct = name, "https://"+f[0]
	if s.key == f[0] {
		s.direct = "https://" + name
	}
	if len(f) > 1 {
		s.direct = strings.TrimRight(f[1], "/")
	}
	if s.o.HTTP == nil {
		s.o.HTTP = o.client(s.direct)
	}
	c := sumdb.NewClient(s)
	c.SetGONOSUMDB(gonosumdb)
	return &Sums{client: c, server: s}
}

// check compares a zip with the database. A nil Sums checks nothing.
func (s *Sums) check(ctx context.Context, z *moduleZip) error {
	if s == nil {
		return nil
	}
	if s.err != nil {
		return s.err
	}
	lines, err := s.client.Lookup(z.module.Path, z.module.Version)
	switch {
	case errors.Is(err, sumdb.ErrGONOSUMDB):
		return nil
	case err != nil:
		return &FetchError{URL: z.from, Status: s.server.refused(z.module), Err: fmt.Errorf("its checksum cannot be looked up: %w", err)}
	}
	want := ""
	for _, l := range lines {
		if rest, ok := strings.CutPrefix(l, z.module.Path+" "+z.module.Version+" "); ok {
			want = rest
		}
	}
	return z.is(ctx, want)
}

// moduleZip is the zip of a module as it was downloaded.
type moduleZip struct {
	module module.Version
	blob   files.Blob
	from   string // its address, as it is shown
	limits Limits
}

// check compares the zip with go.sum, or, if the module is missing there, with the checksum database, like the Go
// command.
func (z *moduleZip) check(ctx context.Context, o Options) error {
	if want := o.goSum[z.module]; want != "" {
		return z.is(ctx, want)
	}
	return o.Sums.check(ctx, z)
}

// is compares the zip with a checksum.
func (z *moduleZip) is(ctx context.Context, want string) error {
	got, err := files.HashZip(ctx, z.blob, z.from, z.limits)
	if err == nil && got != want {
		err = &IntegrityError{URL: z.from, Want: want, Got: got}
	}
	return err
}

// sumServer provides the data for sumdb.Client: from the server, with a cache in memory only.
type sumServer struct {
	ctx               context.Context
	o                 Options
	name, key, direct string

	once sync.Once
	base string

	mu     sync.Mutex
	lacks  map[string]int // by path: status of answers that the database does not have an item
	latest []byte
	cache  map[string][]byte
}

// find chooses the first proxy that offers the database, or else the database itself.
func (s *sumServer) find() {
	s.base = s.direct
	for _, p := range proxies(cmp.Or(s.o.GoProxy, defaultGoProxy)) {
		base := p.addr + "/sumdb/" + s.name
		if _, err := s.o.web().Document(s.ctx, base+"/supported"); err == nil {
			s.base = base
			return
		}
	}
}

func (s *sumServer) ReadRemote(path string) ([]byte, error) {
	s.once.Do(s.find)
	data, err := s.o.web().Document(s.ctx, s.base+path)
	if f, ok := errors.AsType[*FetchError](err); ok && !f.Unavailable() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lacks[path] = f.Status
	}
	return data, err
}

// refused returns the status with which the database refused a module, or 0. It is needed because sumdb.Client does not
// pass on errors of ReadRemote.
func (s *sumServer) refused(m module.Version) int {
	esc, err1 := module.EscapePath(m.Path)
	ver, err2 := module.EscapeVersion(m.Version)
	if err1 != nil || err2 != nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lacks["/lookup/"+esc+"@"+ver]
}

func (s *sumServer) ReadConfig(file string) ([]byte, error) {
	if file == "key" {
		return []byte(s.key), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest, nil
}

func (s *sumServer) WriteConfig(_ string, old, new []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if string(s.latest) != string(old) {
		return sumdb.ErrWriteConflict
	}
	s.latest = new
	return nil
}

func (s *sumServer) ReadCache(file string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if data, ok := s.cache[file]; ok {
		return data, nil
	}
	return nil, errors.New("not kept")
}

func (s *sumServer) WriteCache(file string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache[file] = data
}

func (s *sumServer) Log(string) {}

// SecurityError ignores the message, which the client also returns as an error.
func (s *sumServer) SecurityError(string) {}
